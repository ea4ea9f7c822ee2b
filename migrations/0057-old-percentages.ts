// The VAT percentage of lines of old invoices that an import brought with their own amounts: 19 % until October 2012, and
// 6 % until 2019. They had the percentages of the day of the import. An invoice whose VAT fits that day keeps them.
import type { Knex } from 'knex';

const PORTION = 1_000;

/** The numbers of the VAT codes, and the first instants of the new rates, on the Dutch calendar. */
const CHANGES = [
  { code: 1, level: 'high', old: 19, now: 21, until: '2012-09-30 22:00:00.000' },
  { code: 2, level: 'low', old: 6, now: 9, until: '2018-12-31 23:00:00.000' },
] as const;

export async function up(knex: Knex): Promise<void> {
  for (const change of CHANGES)
    for (let last: number | undefined = 0; last !== undefined; ) last = await fillSome(knex, change, last);
}

interface OldInvoice {
  readonly id: number;
  readonly net: string;
  readonly vat: string;
}

/** Fills the lines of the next invoices behind an ID, and answers the last ID. Undefined: no invoice is left. */
async function fillSome(
  knex: Knex,
  { code, level, old, now, until }: (typeof CHANGES)[number],
  behind: number,
): Promise<number | undefined> {
  const invoices: OldInvoice[] = await knex('orders')
    .select({ id: 'id', net: `net_${level}`, vat: `vat_${level}` })
    .where('is_invoiced', 1)
    .where('supply_date', '<', until)
    .where('id', '>', behind)
    .orderBy('id')
    .limit(PORTION);
  const fitting = invoices.filter(({ net, vat }) => {
    const gap = (percentage: number) => Math.abs(Number(vat) - (Number(net) * percentage) / 100);
    return gap(old) < gap(now);
  });
  // Joined, because the index of the lines begins with the owner.
  await knex('orders as o')
    .join('orderlines as l', (on) => on.on('l.owner_id', 'o.owner_id').on('l.order_id', 'o.id'))
    .whereIn(
      'o.id',
      fitting.map(({ id }) => id),
    )
    .where({ 'l.vat_code': code, 'l.vat_percentage': now })
    .update({ 'l.vat_percentage': old });
  return invoices.at(-1)?.id;
}
