// The margin of used goods in a quarter, from the papers: of each car on its invoice, or of periods in which all sales
// stand beside all purchases.
import { dayOf } from '../../support/build/day.ts';
import type { Json } from '../../support/client/client.ts';
import {
  type Books,
  bookDay,
  byInvoiceDate,
  CODE,
  creditsOf,
  invoicesIn,
  invoicesOf,
  isPurchase,
  LINE,
  linesOf,
} from './books.ts';
import { carLinesOf, isCredited, type Move, movesOf } from './cars.ts';
import { cents, dayIn, share, sum } from './exact.ts';
import { marginPartsOf } from './invoices.ts';

/** In cents. */
export interface Margin {
  readonly sales: number;
  readonly purchases: number;
  readonly carried_in: number;
  readonly carried_out: number;
  readonly margin: number;
  /** The part of the margins that bears VAT, VAT included. */
  readonly taxed: number;
  readonly vat: number;
}

interface Quarter {
  /** Undefined: margins do not count over periods on all days of the quarter. */
  readonly counted: Margin | undefined;
  readonly taxed: number;
  readonly vat: number;
  /** The VAT that the last return of a year takes back. Undefined: the year has no such periods, or has not ended. */
  readonly settlement: number | undefined;
}

/** A period of the VAT return. */
interface Period {
  readonly from: string;
  readonly to: string;
  readonly isGlobal: boolean;
}

/** A paper's part in the sales and purchases of its period, in cents. */
interface Amount {
  readonly day: string;
  readonly sales: number;
  readonly purchases: number;
}

const GLOBAL = 2;
const MONTH = 1;
/** No paper with a margin is older. */
const FIRST_YEAR = 2025;

export function marginOf(books: Books, from: string, to: string): Quarter {
  const periods = periodsOf(books, to);
  const { counted, settlements } = overPeriods(
    periods.filter(({ isGlobal }) => isGlobal),
    amountsOf(books, periods),
    to,
  );
  const own = counted.filter((period) => period.from >= from);
  const apart = periods
    .filter((period) => period.from >= from && !period.isGlobal)
    .map((period) => apartIn(books, period));
  const all = [...own, ...apart];
  return {
    counted: apart.length > 0 ? undefined : together(own),
    taxed: sum(all, ({ taxed }) => taxed),
    vat: sum(all, ({ vat }) => vat),
    settlement: to.endsWith('12-31') ? settlements.get(to.slice(0, 4)) : undefined,
  };
}

const together = (periods: readonly Margin[]): Margin => {
  const all = (name: keyof Margin) => sum(periods, (period) => period[name]);
  return {
    sales: all('sales'),
    purchases: all('purchases'),
    carried_in: periods[0]?.carried_in ?? 0,
    carried_out: periods.at(-1)?.carried_out ?? 0,
    margin: all('margin'),
    taxed: all('taxed'),
    vat: all('vat'),
  };
};

/** The periods from the first year on, by the settings of their days. Settings change where a period begins. */
function periodsOf({ lists }: Books, to: string): Period[] {
  const rows = (lists.get('vatregime') ?? []).toSorted((a, b) =>
    String(a.valid_from).localeCompare(String(b.valid_from)),
  );
  const periods: Period[] = [];
  for (let month = 0; ; ) {
    const from = dayIn(FIRST_YEAR, month, 1);
    if (from > to) return periods;
    const before = rows.filter(({ valid_from }, index) => index === 0 || dayOf(String(valid_from)) <= from);
    const setting = (name: string) => before.findLast((row) => row[name] !== null)?.[name];
    month += setting('vat_period') === MONTH ? 1 : 3;
    periods.push({
      from,
      to: dayIn(FIRST_YEAR, month, 0),
      isGlobal: setting('margin_method') === GLOBAL,
    });
  }
}

/** A loss goes on to the next period. A year ends with its own loss, and takes back what it has declared too much. */
function overPeriods(
  periods: readonly Period[],
  amounts: readonly Amount[],
  last: string,
): { counted: (Margin & Period)[]; settlements: Map<string, number> } {
  const counted: (Margin & Period)[] = [];
  const settlements = new Map<string, number>();
  let carried = 0;
  for (const year of new Set(periods.map(({ from }) => from.slice(0, 4)))) {
    const brought = carried;
    const ofYear = periods
      .filter(({ from }) => from.startsWith(year))
      .map((period) => {
        const one = countOf(period, amounts, carried);
        carried = one.carried_out;
        return one;
      });
    if (last >= `${year}-12-31`) {
      const result = sum(ofYear, ({ margin }) => margin) - brought;
      const declared = sum(ofYear, ({ vat }) => vat);
      settlements.set(year, Math.max(0, declared - share(Math.max(0, result), 21, 121)));
      carried = Math.max(0, -result);
      const end = ofYear.pop();
      if (end) ofYear.push({ ...end, carried_out: carried });
    }
    counted.push(...ofYear);
  }
  return { counted, settlements };
}

function countOf(period: Period, amounts: readonly Amount[], carried_in: number): Margin & Period {
  const own = amounts.filter(({ day }) => day >= period.from && day <= period.to);
  const sales = sum(own, (amount) => amount.sales);
  const purchases = sum(own, (amount) => amount.purchases);
  const margin = sales - purchases;
  const taxed = Math.max(0, margin - carried_in);
  const carried_out = Math.max(0, carried_in - margin);
  return {
    ...period,
    sales,
    purchases,
    carried_in,
    carried_out,
    margin,
    taxed,
    vat: share(taxed, 21, 121),
  };
}

/** The lines of all papers, and the cars that leave the scheme or come back. */
const amountsOf = (books: Books, periods: readonly Period[]): Amount[] => [
  ...invoicesOf(books).flatMap((order) =>
    linesOf(books, order)
      .filter(({ vat_code }) => vat_code === CODE.MARGIN)
      .map((line) => amountOf(books, order, line)),
  ),
  ...books.vehicles.flatMap((vehicle) => leavesOf(books, vehicle, periods)),
];

function amountOf(books: Books, order: Json, { line_kind, line_net }: Json): Amount {
  const day = bookDay(order);
  const amount = cents(line_net);
  if (isPurchase(books, order)) return { day, sales: 0, purchases: amount };
  return line_kind === LINE.TRADE_IN
    ? { day, sales: 0, purchases: -amount }
    : { day, sales: amount, purchases: 0 };
}

/** A paper that moved a car, as long as no credit note takes it back. */
interface Standing {
  readonly move: Move;
  /** The price of a car that was bought under the scheme, in cents; otherwise 0. */
  readonly amount: number;
  /** Whether a sale with VAT has taken this amount out. */
  isOut: boolean;
  /** The purchase that a sale with VAT has taken out. */
  readonly taken?: Standing | undefined;
}

/** A car that was bought under the scheme and is sold with VAT leaves the purchases. The credit note brings it back. */
function leavesOf(books: Books, vehicle: Json, periods: readonly Period[]): Amount[] {
  const amounts: Amount[] = [];
  const put = (paper: Json, { move, amount }: Standing, sign: number) => {
    if (amount === 0 || !isCounted(periods, bookDay(move.order))) return;
    amounts.push({ day: bookDay(paper), sales: 0, purchases: sign * amount });
  };
  let standing: Standing[] = [];
  for (const { paper, move } of papersOf(books, movesOf(books, vehicle))) {
    if (paper === move.order) {
      const last = standing.at(-1);
      const taken =
        move.kind === 'sold' && isWithVat(move) && last?.move.kind === 'bought' ? last : undefined;
      if (taken) {
        put(paper, taken, -1);
        taken.isOut = true;
      }
      const amount = move.kind === 'bought' && move.code === CODE.MARGIN ? move.price : 0;
      standing.push({ move, amount, isOut: false, taken });
      continue;
    }
    const back = standing.find((one) => one.move === move);
    if (!back || !isBack(books, vehicle, move, paper)) continue;
    standing = standing.filter((one) => one !== back);
    // The credit note has lines of its own against the purchases. What is out does not leave twice.
    if (back.isOut) put(paper, back, 1);
    if (!back.taken) continue;
    back.taken.isOut = false;
    if (standing.includes(back.taken)) put(paper, back.taken, 1);
  }
  return amounts;
}

const isWithVat = ({ code }: Move): boolean => code !== undefined && code !== CODE.MARGIN;

const isCounted = (periods: readonly Period[], day: string): boolean =>
  periods.some(({ from, to, isGlobal }) => isGlobal && day >= from && day <= to);

/** The papers that moved a car, and the credit notes of each, the oldest first. */
const papersOf = (books: Books, moves: readonly Move[]): { paper: Json; move: Move }[] =>
  moves
    .flatMap((move) => [move.order, ...creditsOf(books, move.order)].map((paper) => ({ paper, move })))
    .sort((a, b) => byInvoiceDate(a.paper, b.paper));

/** Whether a credit note, with those before it, takes a car of an invoice back. */
function isBack(books: Books, vehicle: Json, { order, kind }: Move, note: Json): boolean {
  if (isCredited(books, order, note.invoice_date)) return true;
  if (kind === 'bought') return false;
  const cars = carLinesOf(books, order, vehicle);
  const taken = creditsOf(books, order)
    .filter(({ invoice_date }) => String(invoice_date) <= String(note.invoice_date))
    .flatMap((one) => linesOf(books, one))
    .filter(({ credited_line_id }) => cars.some(({ id }) => id === credited_line_id));
  return cars.length > 0 && sum([...cars, ...taken], ({ line_gross }) => cents(line_gross)) === 0;
}

/** The margins of all parts of the invoices of a period. A part without VAT counts as 0. */
function apartIn(books: Books, { from, to }: Period): Margin {
  const parts = invoicesIn(books, from, to)
    .filter((order) => !isPurchase(books, order))
    .flatMap((order) => marginPartsOf(books, order));
  const none = { sales: 0, purchases: 0, carried_in: 0, carried_out: 0 };
  const taxed = sum(parts, ({ margin, vat }) => (vat === 0 ? 0 : margin));
  return { ...none, margin: taxed, taxed, vat: sum(parts, ({ vat }) => vat) };
}
