// Keeps the totals of an order in step with its lines. Where prices are net, the change of one line is added to the sums
// of the locked order, so no other line is read. Where prices include VAT, and under the margin scheme, a line changes the
// amounts of others: then all lines of the order are computed.

import { ref } from 'objection';
import { refuse } from '../model/check.ts';
import type { Row } from '../model/field.ts';
import { claimRecord, lockRecords } from '../model/find.ts';
import { percentOf, sumOfBoth, sumWhere } from '../model/fragment.ts';
import { prepared } from '../model/prepared.ts';
import type { Change, RowIn } from '../model/record.ts';
import type { Session } from '../model/session.ts';
import { largeAmount } from '../model/value.ts';
import { changeRow } from '../model/write.ts';
import { Order } from '../resources/order.ts';
import { OrderLine } from '../resources/order-line.ts';
import { LISTS, VAT_PERCENTAGES } from '../trade/lists.ts';
import {
  AMOUNTS,
  orderAmounts,
  type SettledAmounts,
  type Sums,
  settledAmounts,
  sumUp,
} from '../trade/settle.ts';
import { cents, euros, vatOf } from '../trade/totals.ts';
import {
  type Invoiced,
  partOfMargin,
  type Rest,
  readRest,
  readRestOf,
  restAmounts,
  withRestOfVat,
} from './credit-rest.ts';

const { HIGH, LOW, MARGIN } = LISTS.vatcodes;
const { INTERNAL_REVERSAL, VEHICLE_PURCHASE } = LISTS.ordertypes;
const { DEPOSIT } = LISTS.linekinds;

type OrderRow = RowIn<typeof Order>;

/** What the totals of an order take from a line. */
type Amount = Pick<OrderLine, 'id' | 'vat_code' | 'line_net' | 'line_gross'>;

/** A change of one line of an order, the `parent`. A new line has no `previous`, a deleted one no `next`. */
type LineChange = Partial<Pick<Change<Amount>, 'next' | 'previous'>> &
  Pick<Change, 'parent' | 'owner' | 'session'> & { readonly given?: Change['given'] };

/** Applies the change of a line to its order. */
export const keepOrderTotals = (change: LineChange): Promise<void> => keepTotalsOf([change]);

/** Applies changes of lines of one order to it, in one go. */
export async function keepTotalsOf(changes: readonly LineChange[]): Promise<void> {
  const { parent, owner, session } = changes[0] ?? {};
  if (!parent || owner === undefined || !session) return;
  // An old line brings its own amounts along.
  const brings = (field: string) => changes.some(({ given }) => given?.(field) != null);
  const isGross = parent.is_vat_included === 1 || brings('line_gross');
  const isSame = changes.every(({ next, previous }) => isSameAmount(next, previous));
  const bringsMargin = brings('margin_vat');
  const isMargin =
    !bringsMargin &&
    changes.some(({ next, previous }) => next?.vat_code === MARGIN || previous?.vat_code === MARGIN);
  const order = parent as OrderRow;
  const rest = isSame && !isMargin ? undefined : await readRestOf(session, owner, order);
  const isSettled = isMargin || (!isSame && (isGross || rest !== undefined));
  const lines = isSettled ? await settleLines(session, owner, order, rest, bringsMargin) : [];
  const settled = new Map(lines.map((line) => [line.id, line]));
  for (const { next } of changes) if (next) Object.assign(next, settled.get(next.id));
  // The order may become an invoice at this moment, and must not miss the line: the order is written in any case.
  if (isSame) await claimRecord(session, Order.resource, owner, Number(parent.id));
  else if (isGross || rest)
    await writeTotals(
      session,
      owner,
      parent,
      sumsOf(lines, { ...order, is_vat_included: isGross ? 1 : 0 }, rest),
    );
  else await writeTotals(session, owner, parent, addUp(parent, changes));
}

/** Computes the amounts of a credit note that becomes an invoice. `earlier`: the other credit notes that are invoices. */
export async function settleCredit(
  { next, owner, session }: Change<OrderRow>,
  credited: Invoiced,
  earlier: readonly Invoiced[],
): Promise<void> {
  const rest = await readRest(session, owner, credited, earlier);
  const lines = await settleLines(session, owner, next, rest);
  Object.assign(next, orderAmounts(sumsOf(lines, next, rest)));
}

function sumsOf(lines: readonly Settled[], order: OrderRow, rest: Rest | undefined): Sums {
  const sums = sumUp(lines, order);
  return rest ? withRestOfVat(sums, rest, lines) : sums;
}

/** Computes the margin of the lines anew after their order changed. */
export async function keepMargin({ next, owner, session }: Change<OrderRow>): Promise<void> {
  await settleLines(session, owner, next, await readRestOf(session, owner, next));
}

/** The sums of the locked order with the changes of some lines. VAT is rounded once per code. */
function addUp(parent: Row, changes: readonly LineChange[]): Sums {
  const change = (code?: number) =>
    changes.reduce((sum, { next, previous }) => sum + netOf(next, code) - netOf(previous, code), 0n);
  const net_high = cents(String(parent.net_high)) + change(HIGH);
  const net_low = cents(String(parent.net_low)) + change(LOW);
  const net = cents(String(parent.total_net)) + change();
  return { net, net_high, net_low, vat_high: vatOf(net_high, HIGH), vat_low: vatOf(net_low, LOW) };
}

async function writeTotals(session: Session, owner: number, parent: Row, sums: Sums): Promise<void> {
  const totals = orderAmounts(sums);
  const amounts = { ...totals, ...openOf(parent, cents(totals.total_gross)) };
  const tooLarge = Object.values(amounts).flatMap((amount) => largeAmount('total_gross', amount) ?? []);
  refuse(tooLarge.slice(0, 1));
  await changeRow(session, Order.resource, owner, { previous: parent, next: { ...parent, ...amounts } });
}

/** An invoice gets no more lines, except an old one while it is imported: what is open of it grows with its total. */
const openOf = ({ is_invoiced, amount_open, total_gross }: Row, gross: bigint): Row =>
  is_invoiced === 1
    ? { amount_open: euros(cents(String(amount_open ?? total_gross)) + gross - cents(String(total_gross))) }
    : {};

const isSameAmount = (next?: Amount, previous?: Amount) =>
  next?.line_net === previous?.line_net &&
  next?.line_gross === previous?.line_gross &&
  next?.vat_code === previous?.vat_code;

/** The net in cents; 0 if there is no line or the line has another VAT code. */
const netOf = (line: Amount | undefined, code = line?.vat_code): bigint =>
  line?.vat_code === code ? cents(line?.line_net ?? '0') : 0n;

const SETTLED = [
  'id',
  'line_kind',
  'vat_code',
  'vehicle_id',
  'quantity',
  'credited_line_id',
  'purchase_price',
  'line_net',
  'line_vat',
  'line_gross',
  'margin_vat',
] as const;
type Settled = Pick<OrderLine, (typeof SETTLED)[number]> &
  Record<'line_net' | 'line_vat' | 'line_gross', string>;

/** The lines of a credit note that take the rest of their lines have what is left; the others are settled together. */
function creditAmounts(lines: readonly Settled[], order: OrderRow, rest: Rest): SettledAmounts[] {
  const rests = lines.map((line) => restAmounts(rest, line));
  const others = settledAmounts(
    lines.filter((_, index) => rests[index] === undefined),
    // A purchase has no margin, and so what takes it back has none.
    rest.order_type === VEHICLE_PURCHASE ? { ...order, order_type: VEHICLE_PURCHASE } : order,
  );
  return lines.map((line, index) => {
    const fixed = rests[index];
    if (fixed) return fixed;
    const settled = others.shift() as SettledAmounts;
    const margin_vat = partOfMargin(rest, { ...line, margin_vat: settled.margin_vat });
    return { ...settled, margin_vat };
  });
}

/**
 * Writes the amounts that depend on other lines of the locked order. `keepsMargin`: old lines brought their margins along. The
 * lines as they are then, by ID.
 */
async function settleLines(
  session: Session,
  owner: number,
  order: OrderRow,
  rest: Rest | undefined,
  keepsMargin = false,
): Promise<Settled[]> {
  const lines = await prepared('lines to settle', (mark) =>
    OrderLine.ofMarked(mark)
      .select([...SETTLED])
      .where('order_id', mark('order'))
      .orderBy('id'),
  ).rows<Settled & Row>(session, owner, { order: order.id });
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
    changed.size === 0
      ? []
      : await lockRecords(session, OrderLine.resource, owner, 'id', [...changed.keys()]);
  const written = new Map<number, Row>();
  for (const previous of rows) {
    const next: Row = { ...previous, ...changed.get(previous.id) };
    await changeRow(session, OrderLine.resource, owner, { previous, next });
    written.set(previous.id, next);
  }
  return lines.map((line) => ({ ...line, ...written.get(line.id) }));
}

/** Recomputes the sums by VAT rate of all orders of an owner. A backup contains only the totals. */
export async function sumUpOrders(session: Session, owner: number): Promise<void> {
  const sums = OrderLine.query()
    .select(
      'order_id',
      sumWhere('line_net', 'vat_code', HIGH, 'high_net'),
      sumWhere('line_net', 'vat_code', LOW, 'low_net'),
      sumWhere('line_vat', 'vat_code', HIGH, 'high_vat'),
      sumWhere('line_vat', 'vat_code', LOW, 'low_vat'),
    )
    .modify('owned', owner)
    .groupBy('order_id')
    .as('sums');
  const orders = (is_vat_included: number) =>
    Order.of(session, owner)
      .join(sums.clone(), 'sums.order_id', 'orders.id')
      .where('orders.is_vat_included', is_vat_included);
  const nets = { net_high: ref('sums.high_net'), net_low: ref('sums.low_net') };
  await orders(1).patch({ ...nets, vat_high: ref('sums.high_vat'), vat_low: ref('sums.low_vat') });
  await orders(0).patch({
    ...nets,
    vat_high: percentOf('sums.high_net', VAT_PERCENTAGES[HIGH]),
    vat_low: percentOf('sums.low_net', VAT_PERCENTAGES[LOW]),
  });
  // First the invoices: their credit notes take what is left of them.
  await sumUpDeductions(session, owner);
  await sumUpTold(session, owner, '<>');
  await sumUpLastCredits(session, owner);
  await sumUpTold(session, owner, '=');
}

/** The VAT of an old invoice whose lines brought what the buyer was told. `credits`: `=` for credit notes, `<>` for others. */
async function sumUpTold(session: Session, owner: number, credits: '=' | '<>'): Promise<void> {
  const orders = await Order.of(session, owner)
    .where({ is_invoiced: 1, is_vat_included: 0 })
    .where('order_type', credits, INTERNAL_REVERSAL)
    .whereNot('total_vat', sumOfBoth('vat_high', 'vat_low'))
    .orderBy('id')
    .castTo<OrderRow[]>();
  for (const order of orders) await sumUpLines(session, owner, { ...order, is_vat_included: 1 });
}

/** The VAT of a credit note that took what was left of a code is not that of its net. */
async function sumUpLastCredits(session: Session, owner: number): Promise<void> {
  const credits = await Order.of(session, owner)
    .where({ order_type: INTERNAL_REVERSAL, is_vat_included: 0 })
    .whereNot('total_vat', sumOfBoth('vat_high', 'vat_low'))
    .orderBy('id')
    .castTo<OrderRow[]>();
  for (const credit of credits) {
    const rest = await readRestOf(session, owner, credit, true);
    if (rest) await sumUpLines(session, owner, credit, rest);
  }
}

/** What deposits take off has the VAT of the deposits. */
async function sumUpDeductions(session: Session, owner: number): Promise<void> {
  const deducted = OrderLine.of(session, owner)
    .select('order_id')
    .where('line_kind', DEPOSIT)
    .whereNotNull('credited_line_id');
  const invoices = await Order.of(session, owner)
    .whereIn('id', deducted)
    .where('is_vat_included', 0)
    .whereNot('order_type', INTERNAL_REVERSAL)
    .orderBy('id')
    .castTo<OrderRow[]>();
  for (const invoice of invoices) await sumUpLines(session, owner, invoice);
}

async function sumUpLines(session: Session, owner: number, order: OrderRow, rest?: Rest): Promise<void> {
  const lines = await OrderLine.of(session, owner).where('order_id', order.id).castTo<Settled[]>();
  const { vat_high, vat_low } = sumsOf(lines, order, rest);
  await Order.of(session, owner)
    .patch({ vat_high: euros(vat_high), vat_low: euros(vat_low) })
    .where('id', order.id);
}
