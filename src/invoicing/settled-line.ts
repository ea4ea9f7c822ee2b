// Settles the lines of an order. Under the margin scheme, with prices that include VAT, and on a credit note, the
// amounts of a line depend on other lines. So all lines of the locked order are computed, and the changed lines are
// written.
import type { Row } from '../model/field.ts';
import { lockRecords } from '../model/find.ts';
import type { Garage } from '../model/garage.ts';
import { prepared } from '../model/prepared.ts';
import { changeRow } from '../model/write.ts';
import type { OrderChange, OrderRow } from '../resources/order.ts';
import { OrderLine } from '../resources/order-line.ts';
import { LISTS } from '../trade/lists.ts';
import { AMOUNTS, type SettledAmounts, type Sums, settledAmounts, sumUp } from '../trade/settle.ts';
import { cents, euros, lineTotals } from '../trade/totals.ts';
import { partOfMargin, type Rest, readRestOf, restAmounts, withRestOfVat } from './credit-rest.ts';

const { VEHICLE_PURCHASE } = LISTS.ordertypes;

const SETTLED = [
  'id',
  'line_kind',
  'vat_code',
  'vehicle_id',
  'quantity',
  'price',
  'discount_percentage',
  'credited_line_id',
  'purchase_price',
  'line_net',
  'line_vat',
  'line_gross',
  'margin_vat',
] as const;
export type Settled = Pick<OrderLine, (typeof SETTLED)[number]> &
  Record<'line_net' | 'line_vat' | 'line_gross', string>;

/**
 * A credit line that takes the whole rest of its line gets the amounts that remain. The other lines are settled
 * together.
 */
function creditAmounts(written: readonly Settled[], order: OrderRow, rest: Rest): SettledAmounts[] {
  const lines = written.map((line) => priced(line, order));
  const rests = lines.map((line) => restAmounts(rest, line));
  const others = settledAmounts(
    lines.filter((_, index) => rests[index] === undefined),
    // A purchase has no margin, so its credit note has none.
    rest.order_type === VEHICLE_PURCHASE ? { ...order, order_type: VEHICLE_PURCHASE } : order,
  );
  const amounts = lines.map((line, index) => {
    const fixed = rests[index];
    if (fixed) return fixed;
    const settled = others.shift() as SettledAmounts;
    const margin_vat = partOfMargin(rest, { ...line, margin_vat: settled.margin_vat });
    return { ...settled, margin_vat };
  });
  return withinMargin(lines, amounts, rest.margin_vat);
}

/**
 * Lowers the margins of lines made by hand. They lower a price, and may lack the purchase price, but they never take
 * back more VAT than the margins of the invoice bear.
 */
function withinMargin(
  lines: readonly Settled[],
  amounts: readonly SettledAmounts[],
  left: bigint,
): SettledAmounts[] {
  let rest = left < 0n ? 0n : left;
  return amounts.map((settled, index) => {
    if (settled.margin_vat === null) return settled;
    const margin = cents(settled.margin_vat);
    const isByHand = lines[index]?.credited_line_id === null;
    const taken = isByHand && margin < -rest ? -rest : margin;
    rest += taken;
    return { ...settled, margin_vat: euros(taken) };
  });
}

/** The line with the amounts of its price: its row may have the amounts of a rest that it no longer takes. */
function priced(line: Settled, { is_vat_included }: OrderRow): Settled {
  if (line.credited_line_id === null) return line;
  const { line_net, line_vat, line_gross } = lineTotals(line, is_vat_included === 1);
  return { ...line, line_net, line_vat, line_gross };
}

/**
 * Writes the amounts that depend on other lines of the locked order. `keepsMargin`: old lines brought their margins
 * along. Returns all lines with their new amounts, sorted by ID.
 */
export async function settleLines(
  garage: Garage,
  order: OrderRow,
  rest: Rest | undefined,
  keepsMargin = false,
): Promise<Settled[]> {
  const lines = await prepared('lines to settle', (mark) =>
    OrderLine.ofMarked(mark)
      .select([...SETTLED])
      .where('order_id', mark('order'))
      .orderBy('id'),
  ).rows<Settled & Row>(garage, { order: order.id });
  const computed = rest ? creditAmounts(lines, order, rest) : settledAmounts(lines, order);
  const amounts = keepsMargin
    ? computed.map((settled, index) => ({ ...settled, margin_vat: lines[index]?.margin_vat ?? null }))
    : computed;
  const changed = new Map(
    lines.flatMap(({ id, ...line }, index) => {
      const settled = amounts[index];
      const isSame = settled && AMOUNTS.every((name) => line[name] === settled[name]);
      return settled && !isSame ? [[id, settled] as const] : [];
    }),
  );
  const rows =
    changed.size === 0 ? [] : await lockRecords(garage, OrderLine.resource, 'id', [...changed.keys()]);
  const written = new Map<number, Row>();
  for (const previous of rows) {
    const next: Row = { ...previous, ...changed.get(previous.id) };
    await changeRow(garage, OrderLine.resource, { previous, next });
    written.set(previous.id, next);
  }
  return lines.map((line) => ({ ...line, ...written.get(line.id) }));
}

/** The sums of an order with these lines. `rest`: the amounts that its credit note can take. */
export function sumsOf(lines: readonly Settled[], order: OrderRow, rest: Rest | undefined): Sums {
  const sums = sumUp(lines, order);
  return rest ? withRestOfVat(sums, rest, lines) : sums;
}

/** Computes the margin of the lines anew after their order changed. */
export async function keepMargin({ next, garage }: OrderChange): Promise<void> {
  await settleLines(garage, next, await readRestOf(garage, next));
}
