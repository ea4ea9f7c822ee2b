// What an administrator does with the books: old invoices come in, periods are closed, settings change.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { dayOf } from '../../support/build/day.ts';
import type { Json } from '../../support/client/client.ts';
import { rememberClosed } from '../arithmetic/closed.ts';
import { dayIn, daysBefore, quarterOf } from '../arithmetic/exact.ts';
import type { Desk } from '../desk.ts';
import type { Dice } from '../dice.ts';
import { payOn, repay } from './changing.ts';
import { contactsOf, groupFor } from './opening.ts';
import { buyOn } from './trading.ts';

const { ordertypes, linekinds, vatcodes, vatperiods, marginmethods, paymentmethods } = LISTS;

/** Brings an invoice of an earlier system in, dated before the story. */
export async function importHistory(desk: Desk, dice: Dice): Promise<void> {
  await importInvoice(desk, dice, dayIn(2025, 1 + dice.below(9), 1 + dice.below(28)));
}

async function importInvoice(desk: Desk, dice: Dice, day: string): Promise<void> {
  const serial = desk.serial();
  const at = `${day}T10:00:00.000Z`;
  const code = dice.weigh([
    [vatcodes.HIGH, 3],
    [vatcodes.LOW, 1],
  ] as const);
  const rows = [
    {
      external_id: `old-${serial}`,
      order_type: ordertypes.WORKSHOP,
      order_date: at,
      invoice_date: at,
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

/**
 * Somebody writes on a closed day: pays, moves or deletes a payment, buys by an older invoice, brings an old invoice
 * in, changes a setting. The books of these days stay as they are.
 */
export async function writeLate(desk: Desk, dice: Dice): Promise<void> {
  const { closed } = desk.facts('owner', ownerOf(desk));
  if (typeof closed !== 'string') return closeBooks(desk, dice.rest());
  const day = dayOf(daysBefore(`${closed}T10:00:00Z`, dice.below(60)));
  const way = dice.weigh([
    ['pay', 4],
    ['move', 3],
    ['delete', 3],
    ['buy', 2],
    ['set', 1],
    ['import', 1],
  ] as const);
  if (way === 'pay') await payOn(desk, dice, day);
  else if (way === 'move' || way === 'delete') await changeClosed(desk, dice, { way, closed, day });
  else if (way === 'buy') await buyOn(desk, dice, `${day}T10:00:00Z`);
  else if (way === 'import') await importInvoice(desk, dice, day);
  else await changeRegime(desk, dice, closed);
}

/** Moves a payment onto a closed day or off one, or deletes one of a closed day. */
async function changeClosed(
  desk: Desk,
  dice: Dice,
  { way, closed, day }: { readonly way: 'move' | 'delete'; readonly closed: string; readonly day: string },
): Promise<void> {
  const isClosed = dice.chance(60) || way === 'delete';
  const [before] = await desk.list(
    `/payment?filter=method[ne]:${paymentmethods.OFFSET}${isClosed ? `,paid_at[le]:${closed}T12:00:00Z` : ''}&sort=-id`,
  );
  if (!before) return;
  const paid_at = `${isClosed ? desk.today : day}T08:00:00Z`;
  await repay(desk, before, way === 'delete' ? undefined : { paid_at });
}

/** A setting that begins with the last closed period, or with an earlier one. */
async function changeRegime(desk: Desk, dice: Dice, closed: string): Promise<void> {
  const [first] = quarterOf(closed, dice.below(2));
  await desk.add('/vatregime', {
    margin_method: dice.pick([marginmethods.GLOBAL, marginmethods.INDIVIDUAL]),
    valid_from: `${first}T12:00:00Z`,
  });
}

const ownerOf = (desk: Desk): number => desk.all('owner')[0] ?? 0;
const putOwner = (desk: Desk, body: Json) => desk.ask('PUT', `/owner/${ownerOf(desk)}`, body);
