// Keeps the totals of an order in step with its lines. If prices are net, the change of one line is added to the sums
// of the locked order, so no other line is read. If prices include VAT, or under the margin scheme, a line changes the
// amounts of other lines, so all lines of the order are computed.

import { refuse } from '../model/check.ts';
import { claimRecord } from '../model/find.ts';
import type { Garage } from '../model/garage.ts';
import type { Change } from '../model/record.ts';
import { largeAmount } from '../model/value.ts';
import { changeRow } from '../model/write.ts';
import { Order, type OrderChange, type OrderRow } from '../resources/order.ts';
import type { OrderLine } from '../resources/order-line.ts';
import { LISTS } from '../trade/lists.ts';
import { orderAmounts, type Sums } from '../trade/settle.ts';
import { cents, euros, vatOf } from '../trade/totals.ts';
import { type Invoiced, readRest, readRestOf } from './credit-rest.ts';
import { settleLines, sumsOf } from './settled-line.ts';

const { HIGH, LOW, MARGIN } = LISTS.vatcodes;

/** The fields of a line that the totals depend on. */
type Amount = Pick<OrderLine, 'id' | 'vat_code' | 'line_net' | 'line_gross'>;

/** A change of one line of an order, the `parent`. A new line has no `previous`, a deleted one no `next`. */
type LineChange = Partial<Pick<Change<Amount>, 'next' | 'previous'>> &
  Pick<Change<Amount, OrderRow>, 'parent' | 'garage'> & { readonly given?: Change['given'] };

/** Applies the change of a line to its order. */
export const keepOrderTotals = (change: LineChange): Promise<void> => keepTotalsOf([change]);

/** Applies changes of several lines of one order together. */
export async function keepTotalsOf(changes: readonly LineChange[]): Promise<void> {
  const { parent, garage } = changes[0] ?? {};
  if (!parent || !garage) return;
  // An old line brings along its own amounts.
  const brings = (field: string) => changes.some(({ given }) => given?.(field) != null);
  const isGross = parent.is_vat_included === 1 || brings('line_gross');
  const isSame = changes.every(({ next, previous }) => isSameAmount(next, previous));
  const bringsMargin = brings('margin_vat');
  const isMargin =
    !bringsMargin &&
    changes.some(({ next, previous }) => next?.vat_code === MARGIN || previous?.vat_code === MARGIN);
  const rest = isSame && !isMargin ? undefined : await readRestOf(garage, parent);
  const isSettled = isMargin || (!isSame && (isGross || rest !== undefined));
  const lines = isSettled ? await settleLines(garage, parent, rest, bringsMargin) : [];
  const settled = new Map(lines.map((line) => [line.id, line]));
  for (const { next } of changes) if (next) Object.assign(next, settled.get(next.id));
  // Write the order even if it stays the same: it may become an invoice at this moment, and must not miss the line.
  if (isSame) await claimRecord(garage, Order.resource, parent.id);
  else if (isGross || rest)
    await writeTotals(garage, parent, sumsOf(lines, { ...parent, is_vat_included: isGross ? 1 : 0 }, rest));
  else await writeTotals(garage, parent, addUp(parent, changes));
}

/**
 * Computes the amounts of a credit note that becomes an invoice. `earlier`: the other credit notes that are invoices.
 */
export async function settleCredit(
  { next, garage }: OrderChange,
  credited: Invoiced,
  earlier: readonly Invoiced[],
): Promise<void> {
  const rest = await readRest(garage, credited, earlier);
  const lines = await settleLines(garage, next, rest);
  Object.assign(next, orderAmounts(sumsOf(lines, next, rest)));
}

/** The sums of the locked order with the changes of some lines. VAT is rounded once per code. */
function addUp(parent: OrderRow, changes: readonly LineChange[]): Sums {
  const change = (code?: number) =>
    changes.reduce((sum, { next, previous }) => sum + netOf(next, code) - netOf(previous, code), 0n);
  const net_high = cents(String(parent.net_high)) + change(HIGH);
  const net_low = cents(String(parent.net_low)) + change(LOW);
  const net = cents(String(parent.total_net)) + change();
  return { net, net_high, net_low, vat_high: vatOf(net_high, HIGH), vat_low: vatOf(net_low, LOW) };
}

async function writeTotals(garage: Garage, parent: OrderRow, sums: Sums): Promise<void> {
  const totals = orderAmounts(sums);
  const amounts = { ...totals, ...openOf(parent, cents(totals.total_gross)) };
  const tooLarge = Object.values(amounts).flatMap((amount) => largeAmount('total_gross', amount) ?? []);
  refuse(tooLarge.slice(0, 1));
  await changeRow(garage, Order.resource, { previous: parent, next: { ...parent, ...amounts } });
}

/** An invoice gets no more lines, except old lines during an import. Its open amount then grows with its total. */
const openOf = ({ is_invoiced, amount_open, total_gross }: OrderRow, gross: bigint) =>
  is_invoiced === 1
    ? { amount_open: euros(cents(amount_open ?? total_gross ?? '0') + gross - cents(total_gross ?? '0')) }
    : {};

const isSameAmount = (next?: Amount, previous?: Amount) =>
  next?.line_net === previous?.line_net &&
  next?.line_gross === previous?.line_gross &&
  next?.vat_code === previous?.vat_code;

/** The net in cents; 0 if there is no line or the line has another VAT code. */
const netOf = (line: Amount | undefined, code = line?.vat_code): bigint =>
  line?.vat_code === code ? cents(line?.line_net ?? '0') : 0n;
