// The BPM within the cost of a car that was sold under the margin scheme. Older lines get what their car has now.
import type { Knex } from 'knex';
import { changes } from './table.ts';

const PORTION = 500;
/** The numbers of the lists, as they are on the day of this migration. */
const [VEHICLE_SALES, VEHICLE_PURCHASE, INTERNAL_REVERSAL] = [2, 3, 4];
const [VEHICLE, MARGIN] = [3, 6];

const columns = changes('orderlines', (t, has) => {
  if (!has('bpm_paid')) t.decimal('bpm_paid', 16, 2);
});

export async function up(knex: Knex): Promise<void> {
  await columns.up(knex);
  for (let last: number | undefined = 0; last !== undefined; ) last = await fillSome(knex, last);
}

interface Car {
  readonly id: number;
  readonly owner_id: number;
  readonly bpm_paid: string;
  readonly purchase_price: string | null;
}

/** Fills the lines of the next cars behind an ID, and answers the last ID. Undefined: no car is left. */
async function fillSome(knex: Knex, behind: number): Promise<number | undefined> {
  const cars: Car[] = await knex('vehicles')
    .select('id', 'owner_id', 'bpm_paid', 'purchase_price')
    .where('bpm_paid', '>', 0)
    .where('id', '>', behind)
    .orderBy('id')
    .limit(PORTION);
  for (const car of cars) await fill(knex, car);
  return cars.at(-1)?.id;
}

/** Each statement writes the lines of one car only. */
async function fill(knex: Knex, { id, owner_id, bpm_paid, purchase_price }: Car): Promise<void> {
  const sales = knex('orders as o')
    .join('orderlines as l', (on) => on.on('l.owner_id', 'o.owner_id').on('l.order_id', 'o.id'))
    .where({ 'o.owner_id': owner_id, 'o.is_invoiced': 1, 'l.line_kind': VEHICLE, 'l.vat_code': MARGIN })
    .whereNotIn('o.order_type', [VEHICLE_PURCHASE, INTERNAL_REVERSAL])
    .whereNull('l.bpm_paid')
    .select('l.id', 'l.purchase_price');
  const lines: { id: number; purchase_price: string | null }[] = [
    ...(await sales.clone().where('l.vehicle_id', id)),
    ...(await sales
      .clone()
      .whereNull('l.vehicle_id')
      .where({ 'o.vehicle_id': id, 'o.order_type': VEHICLE_SALES })),
  ];
  for (const line of lines) {
    const beyond = Number(line.purchase_price ?? 0) - Number(purchase_price ?? 0);
    const bpm = Math.min(Number(bpm_paid), Math.max(0, beyond)).toFixed(2);
    await knex('orderlines').where({ owner_id, id: line.id }).update({ bpm_paid: bpm });
  }
}
