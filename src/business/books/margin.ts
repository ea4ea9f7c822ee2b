// The margin of used goods in a period. The garage chooses the method: for each vehicle, or all sales less all
// purchases. The method may change within the period.
import { about, violation } from '../../core/errors.ts';
import { refuse } from '../../core/model/bodies/check.ts';
import {
  columns,
  filled,
  orNull,
  type Selected,
  selected,
  text,
  whole,
} from '../../core/model/statements/selected.ts';
import { OrderLine } from '../../core/resources/order-line.ts';
import { grouped } from '../../core/trade/grouped.ts';
import { NO_PRICE } from '../../core/trade/kinds/line-kind.ts';
import { LISTS } from '../../core/trade/lists.ts';
import { type Margin, marginSince, type YearOfMargin } from '../../core/trade/margin/margin-period.ts';
import { dayOf, endOf } from '../../core/trade/time/day.ts';
import { databaseNow } from '../../core/trade/time/timestamp.ts';
import { cents, grossOfVat, TO_CENTS, vatWithin } from '../../core/trade/totals.ts';
import { highOn } from '../../core/trade/vat-code.ts';
import { yearOf } from '../../core/trade/vat-period.ts';
import { isGlobal, type Regime } from '../../core/trade/vat-regime.ts';
import { PLACES, quotient, wholeOf } from '../../core/trade/whole.ts';
import { suppliedAt } from './fragment.ts';
import { type LineQuery, linesByCode, ofSales, onDays, TYPES } from './invoice-lines.ts';
import { readMarginRun } from './margin-run.ts';
import { type Books, type Days, regimesIn } from './period.ts';

const { VEHICLE_SALES } = LISTS.ordertypes;
const { MARGIN } = LISTS.vatcodes;

/** The margin of the books, and of the year that they end. */
interface MarginOfBooks extends Margin {
  /** Undefined: the books do not end a year in which margins counted together. */
  readonly year: YearOfMargin | undefined;
}

/** Throws Problem if the garage has margins but has not chosen a method. Without used cars nobody needs to choose. */
export async function readMargin(books: Books): Promise<MarginOfBooks> {
  const { from, to } = books.period;
  const regimes = regimesIn(books);
  await demandMethod(books, regimes);
  const year = yearOf(to);
  const run = regimesIn(books, { from: `${yearOf(from)}-01-01`, to }).some(isGlobal)
    ? await readMarginRun(books)
    : undefined;
  const apart = await overVehicles(
    books,
    regimes.filter((regime) => !isGlobal(regime)),
  );
  const together = run && marginSince(run, from);
  return {
    ...(together ? added(together, apart) : apart),
    year: to.endsWith('-12-31') && yearOf(from) === year ? run?.years.get(year) : undefined,
  };
}

/** A margin for each vehicle carries nothing. */
const added = (together: Margin, apart: Margin): Margin => ({
  ...together,
  sales: together.sales + apart.sales,
  purchases: together.purchases + apart.purchases,
  margin: together.margin + apart.margin,
  taxed: together.taxed + apart.taxed,
  vat: together.vat + apart.vat,
});

/** Throws Problem if there is a margin, up to a day without a method. */
async function demandMethod({ garage, period, ...books }: Books, regimes: readonly Regime[]): Promise<void> {
  const unsaid = regimes.findLast(({ margin_method }) => margin_method === null);
  if (!unsaid) return;
  const until = { ...period, last: endOf(unsaid.to, period.timezone) };
  const line = await linesByCode({ ...books, garage, period: until }, [MARGIN], true)
    .select('l.id')
    .limit(1);
  if (line.length > 0)
    refuse(about('owner', garage.owner, [violation('field_empty', { field: 'margin_method' })]));
}

/** The columns that decide the margin of a line and its vehicle. */
const MARGIN_ROW = {
  ...columns(OrderLine, 'l', 'id', 'order_id', 'vehicle_id', 'quantity', 'purchase_price', 'margin_vat'),
  ...filled(OrderLine, 'l', 'line_net'),
  ...TYPES,
  order_vehicle: orNull(whole('o.vehicle_id')),
  credited_vehicle: orNull(whole('c.vehicle_id')),
  supplied: text(suppliedAt()),
};
type MarginRow = Selected<typeof MARGIN_ROW>;

/** One vehicle on one invoice, or one line that belongs to no vehicle. In cents. */
interface MarginGroup {
  /** The ID of the line that shows the VAT. */
  readonly shown: number;
  /** The high rate of its invoice. */
  readonly percentage: string;
  readonly sales: bigint;
  readonly purchases: bigint;
  readonly vat: bigint;
}

/**
 * The margins of the vehicles of these days, each by its final invoice. A loss on one vehicle does not lower the margin
 * of another. `sales` and `purchases` add up all vehicles that were sold.
 */
async function overVehicles(books: Books, days: readonly Days[]): Promise<Margin> {
  const lines = linesByCode(books, [MARGIN]).modify(onDays(books, days));
  const groups = days.length === 0 ? [] : await readMarginGroups(books, lines);
  const sum = (of: (group: MarginGroup) => bigint) => groups.reduce((total, group) => total + of(group), 0n);
  const taxed = sum(taxedMargin);
  return {
    ...{ carried_in: 0n, carried_out: 0n },
    sales: sum(({ sales }) => sales),
    purchases: sum(costIn),
    margin: taxed,
    taxed,
    vat: sum(({ vat }) => vat),
  };
}

/** In cents: rounding changes the VAT of an invoice that is credited in parts by no more than this. */
const MOST_ROUNDED = 5n;

/**
 * The margin that bears VAT, VAT included. It is 0 if the vehicle was sold for less than it cost. Imported lines, and
 * credit notes made by hand, may lack the purchase price, and a credit note for a part of the price names the whole
 * purchase price. Their margin follows from the VAT.
 */
export function taxedMargin({ sales, purchases, vat, percentage }: MarginGroup): bigint {
  if (vat === 0n) return 0n;
  const margin = sales - purchases;
  const gap = vatWithin(margin, percentage) - vat;
  const isOther = purchases <= 0n && (gap < -MOST_ROUNDED || gap > MOST_ROUNDED);
  return isOther ? grossOfVat(vat, percentage) : margin;
}

/** The cost of a vehicle. A credit note with VAT takes back the cost that belongs to its margin. */
const costIn = (group: MarginGroup): bigint =>
  group.purchases < 0n && group.vat !== 0n ? group.sales - taxedMargin(group) : group.purchases;

/** The margins of lines of sales, one for each vehicle on each invoice. */
export async function readMarginGroups({ period }: Books, lines: LineQuery): Promise<MarginGroup[]> {
  const sold = lines
    .modify(ofSales)
    .where('l.vat_code', MARGIN)
    .whereNotIn('l.line_kind', [...NO_PRICE])
    .orderBy('l.id');
  const rows = await selected(sold, MARGIN_ROW);
  const groups = grouped(rows, (row) => `${row.order_id} ${vehicleOf(row) ?? `line ${row.id}`}`);
  return [...groups.values()].map((group) => groupOf(group, period.timezone));
}

/** The vehicle of a line; without one, the vehicle of its sale. On a credit note, the vehicle of the credited sale. */
function vehicleOf(row: MarginRow): number | null {
  if (row.vehicle_id !== null) return row.vehicle_id;
  if (row.order_type === VEHICLE_SALES) return row.order_vehicle;
  return row.credited_type === VEHICLE_SALES ? row.credited_vehicle : null;
}

function groupOf(rows: readonly MarginRow[], timezone: string): MarginGroup {
  const sum = (of: (row: MarginRow) => bigint) => rows.reduce((total, row) => total + of(row), 0n);
  const cost = sum(
    ({ quantity, purchase_price }) => wholeOf(quantity, PLACES) * wholeOf(purchase_price ?? '0', PLACES),
  );
  const shown = rows.find(({ margin_vat }) => cents(margin_vat ?? '0') !== 0n) ?? rows[0];
  return {
    shown: shown?.id ?? 0,
    percentage: highOn(dayOf(shown?.supplied ?? databaseNow(), timezone)),
    sales: sum(({ line_net }) => cents(line_net)),
    purchases: quotient(cost, TO_CENTS),
    vat: sum(({ margin_vat }) => cents(margin_vat ?? '0')),
  };
}
