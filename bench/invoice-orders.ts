// Makes orders of three lines for the point of invoices, outside of the measured time. Each becomes an invoice once.
import { LISTS } from '../src/core/trade/lists.ts';
import type { Request } from './load.ts';
import { type Caller, send } from './same.ts';

/** About as many as a server invoices. */
const ORDERS_PER_SECOND = 200;
const AT_ONCE = 8;
const { HIGH, LOW } = LISTS.vatcodes;

/** Orders for these buyers in turn. Returns the request that makes each an invoice. */
export async function openOrders(
  service: Caller,
  buyers: readonly number[],
  seconds: number,
): Promise<Request[]> {
  if (buyers.length === 0) throw new Error('The garage has no contact that can get an invoice');
  const count = Math.ceil(seconds * ORDERS_PER_SECOND);
  const made: Request[] = [];
  let next = 0;
  const work = async () => {
    while (next < count) {
      const buyer = buyers[next % buyers.length] ?? 0;
      next += 1;
      const { data } = JSON.parse(await send(service, newOrder(buyer))) as { data: { id: number } };
      made.push({
        method: 'PUT',
        path: `/v2/order/${data.id}`,
        body: JSON.stringify({ order_status: LISTS.orderstatuses.INVOICE }),
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return made;
}

const newOrder = (contact_id: number): Request => ({
  method: 'POST',
  path: '/v2/order',
  body: JSON.stringify({
    order_type: LISTS.ordertypes.WORKSHOP,
    order_date: '2026-05-01',
    contact_id,
    orderline: [HIGH, HIGH, LOW].map((vat_code, index) => ({
      sort_order: index,
      line_kind: LISTS.linekinds.LABOUR,
      description: 'Onderhoud',
      quantity: 1 + index,
      price: 49.5,
      vat_code,
    })),
  }),
});
