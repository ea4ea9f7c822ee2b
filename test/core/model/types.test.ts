// The types of a record follow from its fields: the compiler refuses the marked lines.
import { expect } from 'chai';
import type { Order } from '../../../src/core/resources/order.ts';

const read = (order: Order) => ({
  number: order.order_number,
  status: order.order_status,
  net: order.total_net,
});

describe('the types of a record', () => {
  it('know each column and its type', () => {
    const order = { order_number: 1, order_status: 2, total_net: '1.00' } as Order;
    const status: number = order.order_status;
    const contact: number = order.contact_id;
    const vehicle: number | null = order.vehicle_id;
    // @ts-expect-error a reference that is not required may be null
    const never: number = order.vehicle_id;
    // @ts-expect-error there is no such column
    const unknown = order.order_colour;

    expect(read(order)).to.deep.equal({ number: 1, status: 2, net: '1.00' });
    expect([status, contact, vehicle, never, unknown]).to.have.length(5);
  });
});
