// What an administrator does with the books: old invoices come in, periods are closed, settings change.
import { LISTS } from '../../../src/core/trade/lists.ts';
import type { Json } from '../../support/client/client.ts';
import { rememberClosed } from '../arithmetic/closed.ts';
import { dayIn } from '../arithmetic/exact.ts';
import type { Desk } from '../desk.ts';
import type { Dice } from '../dice.ts';
import { contactsOf, groupFor } from './opening.ts';

const { ordertypes, linekinds, vatcodes, vatperiods, marginmethods } = LISTS;

/** Brings an invoice of an earlier system in, dated before the story. */
export async function importHistory(desk: Desk, dice: Dice): Promise<void> {
  const serial = desk.serial();
  const day = new Date(Date.UTC(2025, 1 + dice.below(9), 1 + dice.below(28), 10)).toISOString();
  const code = dice.weigh([
    [vatcodes.HIGH, 3],
    [vatcodes.LOW, 1],
  ] as const);
  const rows = [
    {
      external_id: `old-${serial}`,
      order_type: ordertypes.WORKSHOP,
      order_date: day,
      invoice_date: day,
      invoice_number: `OLD-${serial}`,
      contact_id: dice.pick(contactsOf(desk, 'person', 'dealer')),
      orderline: [
        {
          line_kind: linekinds.ARTICLE,
          description: 'Oud',
          quantity: 1,
          price: dice.euros(500),
          vat_code: code,
          turnover_group_id: groupFor(desk, code),
        },
      ],
    },
  ];
  for (const { status, id } of await desk.import('resource=order&mode=insert&history=1', rows))
    if (status === 'created') desk.note('order', Number(id));
}

/** The months before this one are closed, up to one of them; now and then fewer than before. */
export async function closeBooks(desk: Desk, dice: Dice): Promise<void> {
  const [year = 0, month = 1] = desk.today.split('-').map(Number);
  const back = dice.weigh([
    [0, 4],
    [1, 2],
    [2, 1],
  ] as const);
  const day = dayIn(year, month - 1 - back, 0);
  const { status } = await putOwner(desk, { books_closed_until: `${day}T12:00:00Z` });
  if (status === 200) await rememberClosed(desk, day);
}

/** Settings of the VAT return, from today's period on or from a later one on. */
export async function changeSetting(desk: Desk, dice: Dice): Promise<void> {
  const body = dice.weigh<Json>([
    [{ margin_method: marginmethods.GLOBAL }, 2],
    [{ margin_method: marginmethods.INDIVIDUAL }, 2],
    [{ vat_period: vatperiods.MONTH }, 1],
    [{ vat_period: vatperiods.QUARTER }, 1],
  ]);
  const [year = 0, month = 1] = desk.today.split('-').map(Number);
  const quarter = dayIn(year, 3 * Math.ceil(month / 3) - 3 * dice.below(3), 1);
  if (dice.chance(40)) await desk.add('/vatregime', { ...body, valid_from: `${quarter}T12:00:00Z` });
  else await putOwner(desk, body);
}

const ownerOf = (desk: Desk): number => desk.all('owner')[0] ?? 0;
const putOwner = (desk: Desk, body: Json) => desk.ask('PUT', `/owner/${ownerOf(desk)}`, body);
