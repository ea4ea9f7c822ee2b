// The moves of an order from status to status: every pair, allowed or not.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build, buildBuyer } from '../../support/build/build.ts';
import { orderIn, read } from '../../support/build/order.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';

const MOVES: Record<number, number[]> = {
  1: [2, 7, 8],
  2: [3, 4, 6, 7, 8],
  3: [2, 4, 7, 8],
  4: [5, 6, 7, 8],
  5: [4, 6, 7, 8],
  6: [4, 7],
  7: [],
  8: [2],
};
const FROZEN: Record<number, string> = { 7: 'invoice', 8: 'cancelled' };
const STATUSES = Object.keys(MOVES).map(Number);

describe('the status of an order', () => {
  let client: Client;
  let contact_id: number;
  before(async () => {
    client = await newClient();
    contact_id = (await buildBuyer(client)).id;
  });

  it('has a row in this table for each value', () => {
    expect(STATUSES).to.deep.equal(Object.values(LISTS.orderstatuses));
  });

  for (const from of STATUSES) {
    for (const to of STATUSES) {
      const isAllowed = MOVES[from]?.includes(to) || (from === to && !(from in FROZEN));

      it(`${isAllowed ? 'moves' : 'does not move'} from ${from} to ${to}`, async () => {
        const order = await orderIn(client, from, { contact_id });

        const answer = await client.put(`/order/${order.id}`, { order_status: to });

        if (isAllowed) {
          expect(answer.status, answer.text).to.equal(200);
          expect(answer.data).to.include({ order_status: to, is_invoiced: to === 7 ? 1 : 0 });
          return;
        }
        const [status, message] =
          from in FROZEN
            ? [409, `[order] is [${FROZEN[from]}], cannot add/update/delete`]
            : [
                403,
                `Field: [order_status] has an invalid value: [${to}] for validation: [orderstatus transition from ${from}]`,
              ];
        expect(answer).to.be.refused(status, message);
        expect(await read(client, order.id)).to.deep.equal(order);
      });
    }
  }

  for (const status of STATUSES) {
    const isAllowed = status === 1 || status === 2;
    it(`${isAllowed ? 'starts' : 'does not start'} as ${status}`, async () => {
      const body = { order_type: 1, order_date: '2026-05-01', contact_id, order_status: status };

      const answer = await client.post('/order', body);

      if (isAllowed) expect(answer.data.order_status).to.equal(status);
      else {
        expect(answer).to.be.refused(
          403,
          `Field: [order_status] has an invalid value: [${status}] for validation: [orderstatus at start]`,
        );
      }
    });
  }

  it('is ORDER by default, and order numbers count from 1', async () => {
    const other = await newClient();

    const orders = [await build(other, 'order'), await build(other, 'order', { order_status: null })];

    expect(orders.map(({ order_status }) => order_status)).to.deep.equal([2, 2]);
    expect(orders.map(({ order_number }) => order_number)).to.deep.equal([1, 2]);
  });
});
