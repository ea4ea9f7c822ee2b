// What an administrator does with the books: old invoices come in, periods are closed, settings change.
import { LISTS } from '../../../src/trade/lists.ts';
import type { Desk } from '../desk.ts';
import type { Dice } from '../dice.ts';
import { contactsOf, groupFor } from './opening.ts';

const { ordertypes, linekinds, vatcodes } = LISTS;

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
