// The margin of used goods in a period. The garage chooses the method: for each vehicle, or all sales less all
// purchases.
import { about, violation } from '../errors.ts';
import { refuse } from '../model/bodies/check.ts';
import { instant, sumOf } from '../model/statements/fragment.ts';
import {
  columns,
  decimal,
  filled,
  orNull,
  type Selected,
  selected,
  text,
  whole,
} from '../model/statements/selected.ts';
import { Order } from '../resources/order.ts';
import { OrderLine } from '../resources/order-line.ts';
import { grouped } from '../trade/grouped.ts';
import { NO_PRICE } from '../trade/kinds/line-kind.ts';
import { isPurchase } from '../trade/kinds/purchase.ts';
import { LISTS } from '../trade/lists.ts';
import { globalMargin, type MarginOfPeriods, periodsFrom, type VatPeriod } from '../trade/margin-period.ts';
import { dayOf, endOf, startOf } from '../trade/time/day.ts';
import { cents, grossOfVat, TO_CENTS, vatWithin } from '../trade/totals.ts';
import { PLACES, quotient, wholeOf } from '../trade/whole.ts';
import { countedStarts, hasValue } from './fragment.ts';
import { type LineQuery, linesByCode, ofSales, TYPES } from './invoice-lines.ts';
import { boughtVehicle, readMovedCars } from './moved-car.ts';
import type { Books } from './period.ts';

const { TRADE_IN } = LISTS.linekinds;
const { VEHICLE_SALES } = LISTS.ordertypes;
const { HIGH, MARGIN } = LISTS.vatcodes;
const { GLOBAL } = LISTS.marginmethods;

const NOTHING: MarginOfPeriods = {
  sales: 0n,
  purchases: 0n,
  carried_in: 0n,
  margin: 0n,
  taxed: 0n,
  vat: 0n,
  carried_out: 0n,
};

/** Throws Problem if the garage has margins but has not chosen a method. Without used cars nobody needs to choose. */
export async function readMargin(books: Books): Promise<MarginOfPeriods> {
  const { company, garage } = books;
  if (company.margin_method === GLOBAL) return overPeriods(books);
  const line = await linesByCode(books, [MARGIN], true).select('l.id').limit(1);
  if (line.length === 0) return NOTHING;
  if (company.margin_method === null)
    refuse(about('owner', garage.owner, [violation('field_empty', { field: 'margin_method' })]));
  return overVehicles(books);
}

/** No invoice is as old. */
const BEFORE_ALL = '0999-12-31 00:00:00.000';

/**
 * The first days of the periods of all years that have an invoice, up to the last day of the books. The years between
 * them are left out: they only carry a loss on, and an imported invoice may be of the year 1000 or 9999.
 */
async function readPeriods({ garage, company, period }: Books): Promise<string[]> {
  const { timezone, to, last } = period;
  const days: string[] = [];
  const after = (behind: string) =>
    selected(
      Order.of(garage)
        .where('orders.book_date', '>', behind)
        .where('orders.book_date', '<=', last)
        .orderBy('orders.book_date')
        .limit(1),
      { at: text(instant('orders.book_date')) },
    );
  let [invoice] = await after(BEFORE_ALL);
  while (invoice) {
    const day = dayOf(invoice.at, timezone);
    const newYearsEve = `${day.slice(0, 'YYYY'.length)}-12-31`;
    days.push(...periodsFrom(day, to < newYearsEve ? to : newYearsEve, company.vat_period as VatPeriod));
    [invoice] = await after(endOf(newYearsEve, timezone));
  }
  return days;
}

/**
 * Sales less purchases of each period since the first invoice. A loss is carried on to the next period. A deposit
 * counts when it is invoiced, like VAT at the normal rates, and lowers the final invoice.
 */
async function overPeriods(books: Books): Promise<MarginOfPeriods> {
  const { timezone, from } = books.period;
  const days = await readPeriods(books);
  if (days.length === 0) return NOTHING;
  const starts = days.map((day) => startOf(day, timezone));
  const sums = days.map(() => ({ sales: 0n, purchases: 0n }));
  const at = (instant: string) => starts.findLastIndex((start) => start <= instant);
  const lines = linesByCode(books, [MARGIN], true);
  const rows = await selected(
    lines.groupBy('period_index', 'o.order_type', 'c.order_type', 'is_trade_in', 'vehicle'),
    {
      ...TYPES,
      is_trade_in: whole(hasValue('l.line_kind', TRADE_IN)),
      period_index: whole(countedStarts('o.book_date', starts)),
      vehicle: orNull(whole(boughtVehicle())),
      net: decimal(sumOf('l.line_net')),
    },
  );
  const vehicles = new Set<number>();
  for (const { period_index, is_trade_in, vehicle, net, order_type, credited_type } of rows) {
    if (vehicle !== null) vehicles.add(vehicle);
    const sum = sums[period_index - 1];
    if (!sum) continue;
    if (isPurchase(order_type, credited_type)) sum.purchases += cents(net);
    else if (is_trade_in === 1) sum.purchases -= cents(net);
    else sum.sales += cents(net);
  }
  for (const { instant: time, price } of await readMovedCars(books, vehicles)) {
    const sum = sums[at(time)];
    if (sum) sum.purchases -= price;
  }
  const begins = days.findIndex((day) => day >= from);
  return globalMargin(sums, begins < 0 ? days.length : begins);
}

/** The columns that decide the margin of a line and its vehicle. */
const MARGIN_ROW = {
  ...columns(OrderLine, 'l', 'id', 'order_id', 'vehicle_id', 'quantity', 'purchase_price', 'margin_vat'),
  ...filled(OrderLine, 'l', 'line_net'),
  ...TYPES,
  order_vehicle: orNull(whole('o.vehicle_id')),
  credited_vehicle: orNull(whole('c.vehicle_id')),
};
type MarginRow = Selected<typeof MARGIN_ROW>;

/** One vehicle on one invoice, or one line that belongs to no vehicle. In cents. */
interface MarginGroup {
  /** The ID of the line that shows the VAT. */
  readonly shown: number;
  readonly sales: bigint;
  readonly purchases: bigint;
  readonly vat: bigint;
}

/**
 * The margins of the vehicles of the period, each by its final invoice. A loss on one vehicle does not lower the margin
 * of another. `sales` and `purchases` add up all vehicles that were sold.
 */
async function overVehicles(books: Books): Promise<MarginOfPeriods> {
  const groups = await readMarginGroups(linesByCode(books, [MARGIN]));
  const sum = (of: (group: MarginGroup) => bigint) => groups.reduce((total, group) => total + of(group), 0n);
  const taxed = sum(taxedMargin);
  return {
    ...NOTHING,
    sales: sum(({ sales }) => sales),
    purchases: sum(({ purchases }) => purchases),
    margin: taxed,
    taxed,
    vat: sum(({ vat }) => vat),
  };
}

/** In cents: rounding changes the VAT of an invoice that is credited in parts by no more than this. */
const MOST_ROUNDED = 5n;

/**
 * The margin that bears VAT, VAT included. It is 0 if the vehicle was sold for less than it cost. Imported lines, and
 * credit notes made by hand, may lack the purchase price. Their margin follows from the VAT.
 */
export function taxedMargin({ sales, purchases, vat }: MarginGroup): bigint {
  if (vat === 0n) return 0n;
  const gap = vatWithin(sales, HIGH) - vat;
  const isPriceUnknown = purchases === 0n && (gap < -MOST_ROUNDED || gap > MOST_ROUNDED);
  return isPriceUnknown ? grossOfVat(vat, HIGH) : sales - purchases;
}

/** The margins of lines of sales, one for each vehicle on each invoice. */
export async function readMarginGroups(lines: LineQuery): Promise<MarginGroup[]> {
  const sold = lines
    .modify(ofSales)
    .where('l.vat_code', MARGIN)
    .whereNotIn('l.line_kind', [...NO_PRICE])
    .orderBy('l.id');
  const rows = await selected(sold, MARGIN_ROW);
  const groups = grouped(rows, (row) => `${row.order_id} ${vehicleOf(row) ?? `line ${row.id}`}`);
  return [...groups.values()].map(groupOf);
}

/** The vehicle of a line; without one, the vehicle of its sale. On a credit note, the vehicle of the credited sale. */
function vehicleOf(row: MarginRow): number | null {
  if (row.vehicle_id !== null) return row.vehicle_id;
  if (row.order_type === VEHICLE_SALES) return row.order_vehicle;
  return row.credited_type === VEHICLE_SALES ? row.credited_vehicle : null;
}

function groupOf(rows: readonly MarginRow[]): MarginGroup {
  const sum = (of: (row: MarginRow) => bigint) => rows.reduce((total, row) => total + of(row), 0n);
  const cost = sum(
    ({ quantity, purchase_price }) => wholeOf(quantity, PLACES) * wholeOf(purchase_price ?? '0', PLACES),
  );
  const shown = rows.find(({ margin_vat }) => cents(margin_vat ?? '0') !== 0n) ?? rows[0];
  return {
    shown: shown?.id ?? 0,
    sales: sum(({ line_net }) => cents(line_net)),
    purchases: quotient(cost, TO_CENTS),
    vat: sum(({ margin_vat }) => cents(margin_vat ?? '0')),
  };
}
