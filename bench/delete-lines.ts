// Inserts order lines for the DELETE point, outside the measured time. Every line costs 100.00 at the high VAT
// rate, so adding one to an order needs no rounding and the order's totals stay exact.
import type { Knex } from 'knex';
import { LISTS } from '../src/core/trade/lists.ts';
import { databaseNow } from '../src/core/trade/time/timestamp.ts';
import { percentageOn } from '../src/core/trade/vat-code.ts';
import { today } from '../src/core/trade/vat-rate.ts';
import type { Request } from './load.ts';

const { HIGH } = LISTS.vatcodes;
const NET = 100;
const VAT = (NET * Number(percentageOn(HIGH, today()))) / 100;
const BATCH = 1000;

interface NewLines {
  readonly owner: number;
  /** Open orders. Each gets its share of the lines. */
  readonly orders: readonly number[];
  readonly count: number;
}

/** Inserts the lines and returns one DELETE request for each. */
export async function deletableLines(knex: Knex, { owner, orders, count }: NewLines): Promise<Request[]> {
  if (orders.length === 0) throw new Error('The garage has no open order');
  const [last] = await knex('orderlines').max('id as id');
  for (let made = 0; made < count; ) {
    const size = Math.min(BATCH, orders.length, count - made);
    const start = made;
    const batch = Array.from({ length: size }, (_, index) => orders[(start + index) % orders.length] ?? 0);
    await knex.transaction((trx) => insertLines(trx, owner, batch));
    made += size;
  }
  const lines: { id: number }[] = await knex('orderlines')
    .select('id')
    .where('owner_id', owner)
    .where('id', '>', last?.id ?? 0)
    .orderBy('id');
  return lines.map(({ id }) => ({ method: 'DELETE', path: `/v2/orderline/${id}` }));
}

/** Adds one line to each order. The orders must differ from each other. */
async function insertLines(trx: Knex.Transaction, owner: number, orders: readonly number[]): Promise<void> {
  const now = databaseNow();
  await trx('orderlines').insert(
    orders.map((order) => ({
      owner_id: owner,
      order_id: order,
      line_kind: LISTS.linekinds.ARTICLE,
      description: 'Line to delete',
      quantity: 1,
      price: NET,
      vat_code: HIGH,
      vat_percentage: percentageOn(HIGH, today()),
      line_net: NET,
      line_vat: VAT,
      line_gross: NET + VAT,
      version: 1,
      created_at: now,
      modified_at: now,
    })),
  );
  await trx('orders')
    .where('owner_id', owner)
    .whereIn('id', [...orders])
    .increment({ net_high: NET, vat_high: VAT, total_net: NET, total_vat: VAT, total_gross: NET + VAT });
}
