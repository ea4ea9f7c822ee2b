// The margin of used goods over periods: all sales less all purchases of each period, from the first invoice on. A
// deposit counts when it is invoiced, like VAT at the normal rates, and lowers the final invoice.
import { instant, sumOf } from '../../core/model/statements/fragment.ts';
import { Pieces } from '../../core/model/statements/piece.ts';
import { decimal, orNull, selected, text, whole } from '../../core/model/statements/selected.ts';
import { Order } from '../../core/resources/order.ts';
import { countWhere } from '../../core/trade/grouped.ts';
import { LISTS } from '../../core/trade/lists.ts';
import type { MovedCar } from '../../core/trade/margin/margin-car.ts';
import { type Brought, type MarginRun, runMargin } from '../../core/trade/margin/margin-period.ts';
import { dayOf, endOf, startOf } from '../../core/trade/time/day.ts';
import { cents } from '../../core/trade/totals.ts';
import { yearOf } from '../../core/trade/vat-period.ts';
import { isGlobal, regimeOn, spansOf, type VatSpan } from '../../core/trade/vat-regime.ts';
import { countedStarts, hasValue } from './fragment.ts';
import { isOfPurchase, linesByCode, TYPES } from './invoice-lines.ts';
import { readBookDates, readMovedCars } from './moved-car.ts';
import { type Books, type Days, isTogetherAt, regimesIn } from './period.ts';
import { boughtVehicle } from './sold-car.ts';

const { TRADE_IN } = LISTS.linekinds;
const { MARGIN } = LISTS.vatcodes;

/** No invoice is as old. */
const BEFORE_ALL = '0999-12-31 00:00:00.000';
/** Periods that are made in a piece. */
const PIECE = 10;

/** A period, and its first instant in the form of the database. */
interface Begun extends VatSpan {
  readonly start: string;
}

/**
 * The margins of the periods in which margins count together (GLOBAL), from the first invoice up to the last day of the
 * books. Of years without an invoice only the first and the last year of the books are there.
 */
export async function readMarginRun(books: Books): Promise<MarginRun> {
  const spans = await spansOfYears(books, await readYears(books));
  const starts = spans.map(({ start }) => start);
  const sums = spans.map(() => ({ sales: 0n, purchases: 0n }));
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
  for (const row of rows) {
    const { period_index, is_trade_in, vehicle, net } = row;
    if (vehicle !== null) vehicles.add(vehicle);
    const sum = sums[period_index - 1];
    if (!sum) continue;
    if (isOfPurchase(row)) sum.purchases += cents(net);
    else if (is_trade_in === 1) sum.purchases -= cents(net);
    else sum.sales += cents(net);
  }
  for (const { instant: time, price } of await readMoves(books, vehicles)) {
    const sum = sums[countStarts(starts, time) - 1];
    if (sum) sum.purchases -= price;
  }
  const periods = spans.flatMap(({ from, to, regime }, index) => {
    const sum = sums[index];
    return sum && isGlobal(regime) ? { from, to, ...sum } : [];
  });
  return runMargin(periods, books.period.to, broughtBy(books));
}

/**
 * What counts beside the lines: see moved-car.ts. A car that the garage bought while margins counted for each vehicle
 * has not lowered the margins over periods, so it does not leave them. BPM goes with the price of a sale: a credit note
 * takes both out of the margins of its own day, however the sale was counted.
 */
export async function readMoves(books: Books, ofScheme: ReadonlySet<number>): Promise<MovedCar[]> {
  const moves = await readMovedCars(books, ofScheme);
  if (books.regimes.every(isGlobal)) return moves;
  const dates = await readBookDates(
    books,
    moves.map(({ line }) => line),
  );
  return moves.filter(({ line, isBpm }) => {
    const at = dates.get(line);
    return at !== undefined && (isBpm || isTogetherAt(books, at));
  });
}

/** The days of the books on which margins count together. */
export function countedDays(books: Books): Days[] {
  const { from } = broughtBy(books);
  return regimesIn(books)
    .filter(isGlobal)
    .filter(({ to }) => from === null || to >= from)
    .map((days) => ({ from: from !== null && days.from < from ? from : days.from, to: days.to }));
}

function broughtBy({ company: { margin_carried_in, margin_from }, period: { timezone } }: Books): Brought {
  return {
    carried_in: cents(margin_carried_in ?? '0'),
    from: margin_from === null ? null : dayOf(margin_from, timezone),
  };
}

/** The instants that are not after `time`. They rise, and there may be many. */
const countStarts = (starts: readonly string[], time: string): number =>
  countWhere(starts, (start) => start <= time);

/**
 * The years that have an invoice, up to the last day of the books. The years between them are left out: they only carry
 * a loss on, and an imported invoice may be of the year 1000 or 9999.
 */
async function readYears({ garage, period }: Books): Promise<string[]> {
  const { timezone, from, to, last } = period;
  const years = new Set([from, to].map(yearOf));
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
    const year = yearOf(dayOf(invoice.at, timezone));
    years.add(year);
    [invoice] = await after(endOf(`${year}-12-31`, timezone));
  }
  return [...years].sort();
}

/** The periods of these years, up to the last day of the books; in pieces, because an import may bring 9,000 years. */
export async function spansOfYears(
  { regimes, period: { timezone, to } }: Pick<Books, 'regimes' | 'period'>,
  years: readonly string[],
): Promise<Begun[]> {
  const pieces = new Pieces(PIECE);
  const spans: Begun[] = [];
  for (const year of years) {
    const made = spansIn(regimes, year, to);
    for (const span of made) spans.push({ ...span, start: startOf(span.from, timezone) });
    await pieces.add(made.length);
  }
  return spans;
}

/** The periods of a year. A year in which margins never count together is one: it only ends the period before. */
function spansIn(regimes: Books['regimes'], year: string, last: string): VatSpan[] {
  const [from, to] = [`${year}-01-01`, `${year}-12-31`];
  const regime = regimeOn(regimes, from);
  return isGlobal(regime) || regime.to < to ? spansOf(regimes, year, last) : [{ from, to, regime }];
}
