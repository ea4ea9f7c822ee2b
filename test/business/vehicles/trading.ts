// What the tests of the stock ask and do; `client` may be known later.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build } from '../../support/build/build.ts';
import { invoiceIt } from '../../support/build/order.ts';
import type { Client, Json } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';

const { CUSTOMER } = LISTS.stockstatuses;
const { OWNER } = LISTS.vehicleroles;
export const BEFORE = '2020-01-01T00:00:00.000Z';

export function trading(client: () => Client) {
  const vehicle = async (id: number) => (await client().get(`/vehicle/${id}`)).data;
  const ownersOf = async (id: number) => {
    const { data } = await client().get(
      `/vehicleroleline?filter=vehicle_id:${id},role_kind:${OWNER}&sort=id`,
    );
    return data.map(({ contact_id, start_date, end_date }: Json) => [contact_id, start_date, end_date]);
  };
  const owned = async (contact_id: number, more: Json = {}) => {
    const car = await build(client(), 'vehicle', { stock_status: CUSTOMER, ...more });
    const line = { vehicle_id: car.id, contact_id, role_kind: OWNER, start_date: BEFORE };
    await build(client(), 'vehicleroleline', line);
    return car;
  };
  const invoiced = async ({ id }: { id: number }) => {
    const answer = await invoiceIt(client(), id);
    expect(answer.status, answer.text).to.equal(200);
    return answer.data;
  };
  const credit = async (order_id: number, more: Json = {}) => {
    const answer = await client().post('/order/credit', { order_id, is_invoiced: 1, ...more });
    expect(answer.status, answer.text).to.equal(201);
    return answer.data;
  };
  return { vehicle, ownersOf, owned, invoiced, credit };
}
