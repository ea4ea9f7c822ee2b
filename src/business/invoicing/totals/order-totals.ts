// Keeps the totals of an order in step with its lines. If prices are net, the change of one line is added to the sums
// of the locked order, so no other line is read. If prices include VAT, under the margin scheme, and on a credit note,
// a line changes the amounts of other lines. Then all lines of the order are computed, and the changed ones written.

import { about, inside, type Violation } from '../../../core/errors.ts';
import { refuse } from '../../../core/model/bodies/check.ts';
import { largeAmount } from '../../../core/model/fields/value.ts';
import { claimRecord } from '../../../core/model/lists/find.ts';
import type { Change } from '../../../core/model/records/record.ts';
import type { Garage } from '../../../core/model/statements/garage.ts';
import { isSame } from '../../../core/model/writes/store.ts';
import { changeRow } from '../../../core/model/writes/write.ts';
import { Order, type OrderRow } from '../../../core/resources/order.ts';
import type { OrderLineRow } from '../../../core/resources/order-line.ts';
import type { VehicleRow } from '../../../core/resources/vehicle.ts';
import { LISTS } from '../../../core/trade/lists.ts';
import { grossOf, isCredit } from '../../../core/trade/order-case/line.ts';
import { costlyVehicles, takenCosts } from '../../../core/trade/order-case/margin.ts';
import { openAfter } from '../../../core/trade/order-case/payment.ts';
import { hasOtherRates, ratedLines } from '../../../core/trade/order-case/rate.ts';
import { amountsOf, changedAmounts, type Rest, restOf, sumsOf } from '../../../core/trade/order-case/rest.ts';
import { AMOUNTS, orderAmounts, type SettledAmounts, type Sums } from '../../../core/trade/settle.ts';
import { cents, euros, vatOf } from '../../../core/trade/totals.ts';
import { percentageOn } from '../../../core/trade/vat-code.ts';
import { hasSameRates } from '../../../core/trade/vat-rate.ts';
import { type Line, lockVehicles, readCredited, readLines, writeCosts, writeLines } from '../case.ts';
import { takeOlderCosts } from './older-cost.ts';
import { rateDayOf } from './rate-day.ts';

const { HIGH, LOW, MARGIN } = LISTS.vatcodes;

/** The fields of a line that the totals depend on. */
type Amount = Pick<OrderLineRow, 'id' | 'vat_code' | 'line_net' | 'line_gross'>;

/** A change of one line of an order, the `parent`. A new line has no `previous`, a deleted one no `next`. */
type LineChange = Partial<Pick<Change<Amount>, 'next' | 'previous'>> &
  Pick<Change<Amount, OrderRow>, 'parent' | 'garage' | 'path'> & { readonly given?: Change['given'] };

/** What the caller has read of a locked order: all its lines, and the rest that a credit note can take. */
interface Known {
  readonly lines: readonly Line[];
  readonly rest?: Rest | undefined;
}

/** Applies the change of a line to its order. */
export const keepOrderTotals = async (change: LineChange): Promise<void> =>
  void (await keepTotalsOf([change]));

/** Applies changes of several lines of one order together. Returns the changed order. */
export async function keepTotalsOf(
  changes: readonly LineChange[],
  known?: Known,
): Promise<OrderRow | undefined> {
  const { parent, garage } = changes[0] ?? {};
  if (!parent || !garage) return undefined;
  // An old line brings along its own amounts.
  const brings = (field: string) => changes.some(({ given }) => given?.(field) != null);
  const isGross = parent.is_vat_included === 1 || brings('line_gross');
  const isSame = changes.every(({ next, previous }) => isSameAmount(next, previous));
  const bringsMargin = brings('margin_vat');
  const isMargin =
    !bringsMargin &&
    changes.some(({ next, previous }) => next?.vat_code === MARGIN || previous?.vat_code === MARGIN);
  const rest = isSame && !isMargin ? undefined : (known?.rest ?? (await readRest(garage, parent)));
  const day = rest?.day ?? (await rateDayOf(garage, parent));
  const addsUp = !isGross && rest === undefined && !hasOtherRates(parent, day);
  const isSettled = isMargin || (!isSame && !addsUp);
  const lines = isSettled
    ? await settleLines(garage, parent, {
        lines: known?.lines ?? (await readAll(garage, parent, changes)),
        rest,
        day,
        changes,
        keepsMargin: bringsMargin,
      })
    : [];
  const settled = new Map(lines.map((line) => [line.id, line]));
  for (const { next } of changes) if (next) Object.assign(next, writtenOf(settled.get(next.id)));
  // Lines of a margin are settled in any case. All lines may have got other rates then, and so the order other totals.
  const isRated = isSettled && !addsUp && rest === undefined;
  // Write the order even if it stays the same: it may become an invoice at this moment, and must not miss the line.
  if (!isSame || isRated)
    return writeTotals(
      garage,
      parent,
      addsUp
        ? addUp(parent, changes, day)
        : sumsOf(lines, { ...parent, is_vat_included: isGross ? 1 : 0, day }, rest),
    );
  await claimRecord(garage, Order.resource, parent.id);
  return parent;
}

/** All lines of a locked order. Those that the request leaves alone take their cost before they are written. */
async function readAll(
  garage: Garage,
  order: OrderRow,
  changes: readonly LineChange[],
): Promise<readonly Line[]> {
  const lines = await readLines(garage, [order.id]);
  // An old invoice brings along its costs.
  if (order.invoice_date !== null) return lines;
  return takeOlderCosts(garage, order, lines, new Set(changes.map(({ next }) => next?.id)));
}

/** The columns that settling a line writes. */
const writtenOf = (line: Line | undefined) =>
  line && {
    line_net: line.line_net,
    line_vat: line.line_vat,
    line_gross: line.line_gross,
    margin_vat: line.margin_vat,
    vat_percentage: line.vat_percentage,
    modified_at: line.modified_at,
    version: line.version,
  };

async function readRest(garage: Garage, order: OrderRow): Promise<Rest | undefined> {
  const credited = await readCredited(garage, order);
  return credited && restOf(credited, await rateDayOf(garage, credited.invoice));
}

interface Settling extends Known {
  /** The day whose rates the order has. */
  readonly day: string;
  /** The lines that the request addresses. */
  readonly changes?: readonly LineChange[];
  /** Old lines brought their margins along. */
  readonly keepsMargin?: boolean;
}

/**
 * Writes the amounts that depend on other lines of the locked order, and on the rates of its day. Returns all lines
 * with their new amounts, sorted by ID.
 */
async function settleLines(
  garage: Garage,
  order: OrderRow,
  { lines, rest, day, changes = [], keepsMargin = false }: Settling,
): Promise<Line[]> {
  const rated = ratedLines(lines, order, day);
  const amounts = amountsOf(rated, { ...order, day }, rest).map((settled, index) => ({
    ...settled,
    margin_vat: keepsMargin ? (lines[index]?.margin_vat ?? null) : settled.margin_vat,
    vat_percentage: rated[index]?.vat_percentage ?? null,
  }));
  refuse(lines.flatMap(({ id }, index) => largeOfLine(id, amounts[index], changes)));
  return writeLines(garage, lines, changedAmounts(lines, amounts));
}

/** The first amount that is too large for its column. A line that the request does not address is named by its ID. */
function largeOfLine(
  id: number,
  settled: SettledAmounts | undefined,
  changes: readonly LineChange[],
): Violation[] {
  const [found] = AMOUNTS.flatMap((name) => largeAmount(name, settled?.[name] ?? '0') ?? []);
  if (!found) return [];
  const own = changes.find(({ next }) => next?.id === id);
  if (!own) return about('orderline', id, [found]);
  return [own.path === undefined ? found : inside(found, own.path)];
}

/** An order that changes, as it becomes and as it was. */
interface Orders {
  readonly next: OrderRow;
  readonly previous: OrderRow;
}

/**
 * Gives the lines of a changed order the cost of their vehicle, and computes their margin anew. Returns the lines as
 * they are then.
 */
export async function takeCosts(
  garage: Garage,
  { next, previous }: Orders,
  lines: readonly Line[],
  cars: ReadonlyMap<number, VehicleRow>,
  older: ReadonlySet<number> = new Set(),
): Promise<readonly Line[]> {
  const costs = takenCosts(lines, { next, previous, cars, older });
  if (costs.size === 0 && next.vehicle_id === previous.vehicle_id) return lines;
  const taken = await writeCosts(garage, lines, costs);
  const rest = await readRest(garage, next);
  return settleLines(garage, next, { lines: taken, rest, day: rest?.day ?? (await rateDayOf(garage, next)) });
}

/**
 * Gives the lines of an order the rates of a day, and `next` the totals. Returns the lines as they are then. Lines that
 * have these rates already are not written.
 */
export async function takeRates(
  garage: Garage,
  next: OrderRow,
  lines: readonly Line[],
  day: string,
): Promise<readonly Line[]> {
  if (isCredit(next)) return lines;
  const rated = await settleLines(garage, next, { lines, day });
  const amounts = orderAmounts(sumsOf(rated, { ...next, day }, undefined));
  refuseLarge(amounts);
  Object.assign(next, amounts);
  return rated;
}

/** The same for an order that gets another date of supply, and stays an order. */
export async function takeOtherDay(garage: Garage, { next, previous }: Orders): Promise<void> {
  const day = await rateDayOf(garage, next);
  if (hasSameRates(await rateDayOf(garage, previous), day)) return;
  await takeRates(garage, next, await readAll(garage, next, []), day);
}

/** The same for an order that gets another vehicle, and stays an order. */
export async function takeOtherVehicle(garage: Garage, { next, previous }: Orders): Promise<void> {
  const lines = await readLines(garage, [next.id]);
  const cars = await lockVehicles(garage, [], costlyVehicles(lines, [next, previous]));
  const taken = await takeCosts(garage, { next, previous }, lines, cars);
  // Its lines have the rates of its day then, and so have its totals.
  await takeRates(garage, next, taken, await rateDayOf(garage, next));
}

/** The sums of the locked order with the changes of some lines. VAT is rounded once per code. */
function addUp(parent: OrderRow, changes: readonly LineChange[], day: string): Sums {
  const change = (code?: number) =>
    changes.reduce((sum, { next, previous }) => sum + netOf(next, code) - netOf(previous, code), 0n);
  const net_high = cents(String(parent.net_high)) + change(HIGH);
  const net_low = cents(String(parent.net_low)) + change(LOW);
  const net = cents(String(parent.total_net)) + change();
  const vat = (amount: bigint, code: number) => vatOf(amount, percentageOn(code, day));
  return { net, net_high, net_low, vat_high: vat(net_high, HIGH), vat_low: vat(net_low, LOW) };
}

async function writeTotals(garage: Garage, parent: OrderRow, sums: Sums): Promise<OrderRow> {
  const totals = orderAmounts(sums);
  const amounts = { ...totals, ...openOf(parent, cents(totals.total_gross)) };
  refuseLarge(amounts);
  const next = { ...parent, ...amounts };
  // One line may gain what another line loses.
  if (isSame(amounts, parent)) await claimRecord(garage, Order.resource, parent.id);
  else await changeRow(garage, Order.resource, { previous: parent, next, among: Object.keys(amounts) });
  return next;
}

function refuseLarge(amounts: object): void {
  for (const amount of Object.values<string>({ ...amounts })) {
    const found = largeAmount('total_gross', amount);
    if (found) refuse([found]);
  }
}

/** An invoice gets no more lines, except old lines during an import. Its open amount then grows with its total. */
const openOf = (order: OrderRow, gross: bigint) =>
  order.is_invoiced === 1 ? { amount_open: euros(openAfter(order) + gross - grossOf(order)) } : {};

const isSameAmount = (next?: Amount, previous?: Amount) =>
  next?.line_net === previous?.line_net &&
  next?.line_gross === previous?.line_gross &&
  next?.vat_code === previous?.vat_code;

/** The net in cents; 0 if there is no line or the line has another VAT code. */
const netOf = (line: Amount | undefined, code = line?.vat_code): bigint =>
  line?.vat_code === code ? cents(line?.line_net ?? '0') : 0n;
