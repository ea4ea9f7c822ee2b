// Tells whether a credit note takes back a whole invoice. Only then do the vehicles of the invoice go back. An invoice
// that brought vehicles into stock can be credited only as a whole.
import { type Violation, violation } from '../errors.ts';
import type { Order, OrderChange, OrderRow } from '../resources/order.ts';
import { OrderLine } from '../resources/order-line.ts';
import { LISTS } from '../trade/lists.ts';
import { isPurchase } from '../trade/posting.ts';
import { cents } from '../trade/totals.ts';
import { PLACES, wholeOf } from '../trade/whole.ts';

/** The validation that refuses a credit note of a part. */
const WHOLE = 'whole order';

const COLUMNS = [
  'id',
  'order_id',
  'credited_line_id',
  'line_kind',
  'vat_code',
  'quantity',
  'line_net',
  'line_gross',
] as const;
type Line = Pick<OrderLine, (typeof COLUMNS)[number]>;

/** A purchase, and a sale with a trade-in, brought vehicles into stock. Such an invoice can't be taken back in part. */
export const isWholeOnly = (
  order: Pick<Order, 'order_type'>,
  lines: readonly Pick<OrderLine, 'line_kind'>[],
): boolean =>
  isPurchase(order.order_type) || lines.some(({ line_kind }) => line_kind === LISTS.linekinds.TRADE_IN);

export const wholeOnly = (field: string, value: number): Violation =>
  violation('value_invalid', { field, value, validation: WHOLE });

/**
 * Judges a credit note that becomes an invoice. The caller has claimed the `credited` invoice. `earlier`: its other
 * credit notes that are invoices.
 */
export async function judgeWhole(
  { next, garage }: OrderChange,
  credited: OrderRow,
  earlier: readonly Pick<OrderRow, 'id'>[],
): Promise<{ isWhole: boolean; unfit: Violation[] }> {
  const lines = await OrderLine.of(garage)
    .select([...COLUMNS])
    .whereIn('order_id', [credited.id, next.id, ...earlier.map(({ id }) => id)]);
  const before = lines.filter(({ order_id }) => order_id !== next.id);
  // A credit note of 0 takes nothing back if the invoice was taken back before.
  const isWhole = isTakenBack(credited, lines) && !isTakenBack(credited, before);
  const own = lines.filter(({ order_id }) => order_id === credited.id);
  const isPart = isWholeOnly(credited, own) && !isWhole;
  return { isWhole, unfit: isPart ? [wholeOnly('total_gross', Number(next.total_gross))] : [] };
}

/**
 * Whether an invoice and its credit notes leave no VAT code with an amount. Lines of 0 are taken back by their pieces.
 */
function isTakenBack({ id, is_vat_included }: OrderRow, lines: readonly Line[]): boolean {
  const pieces = new Map<number, bigint>();
  const amounts = new Map<number, bigint>();
  const invoiced = new Map<number, bigint>();
  const add = (sums: Map<number, bigint>, key: number, value: bigint) =>
    sums.set(key, (sums.get(key) ?? 0n) + value);
  for (const line of lines) {
    const isOwn = line.order_id === id;
    const key = isOwn ? line.id : line.credited_line_id;
    if (key !== null) add(pieces, key, wholeOf(line.quantity, PLACES));
    const amount = cents((is_vat_included === 1 ? line.line_gross : line.line_net) ?? '0');
    add(amounts, line.vat_code, amount);
    if (isOwn) add(invoiced, line.vat_code, amount);
  }
  const isEmpty = (sums: ReadonlyMap<number, bigint>) => [...sums.values()].every((sum) => sum === 0n);
  // The lines of a credit note made by hand do not refer to lines of the invoice.
  return isEmpty(amounts) && (isEmpty(pieces) || !isEmpty(invoiced));
}
