// The margin scheme over periods (article 28d of the Dutch VAT act, "globalisatie"): the margin of a period is what was
// sold less what was bought, and a loss is carried to the next period. At the year's end what the periods declared
// beyond the VAT of the year is taken back, and the next year starts with the year's own loss ("jaarsaldering").
import { grouped } from '../grouped.ts';
import { vatWithin } from '../totals.ts';
import { highOn } from '../vat-code.ts';
import { yearOf } from '../vat-period.ts';

/** A period in which margins count together. Amounts in cents, VAT included. */
interface PeriodOfMargin {
  /** The first and the last day. */
  readonly from: string;
  readonly to: string;
  readonly sales: bigint;
  readonly purchases: bigint;
}

/** The negative margin that a garage brings along from its books before. Earlier periods have no margin. */
export interface Brought {
  readonly carried_in: bigint;
  /** The first day of the first period. Null: the first period is that of the first invoice. */
  readonly from: string | null;
}

export interface Margin {
  readonly sales: bigint;
  readonly purchases: bigint;
  /** The loss carried in from earlier periods, and the loss carried on to the next one: 0 or more. */
  readonly carried_in: bigint;
  readonly carried_out: bigint;
  /** Sales less purchases, before carrying. */
  readonly margin: bigint;
  /** The part of the margins that bears VAT, VAT included. */
  readonly taxed: bigint;
  readonly vat: bigint;
}

/** A period with its margin. */
type CountedPeriod = Margin & Pick<PeriodOfMargin, 'from' | 'to'>;

export interface YearOfMargin {
  /** The margins of the year, less what was carried into its first period. */
  readonly year_margin: bigint;
  readonly year_vat: bigint;
  /** The VAT of its periods. */
  readonly declared_vat: bigint;
  /** What the last return of the year takes back. */
  readonly settlement: bigint;
}

/** The margins of a garage from its first period on. */
export interface MarginRun {
  readonly periods: readonly CountedPeriod[];
  /** The years that are over, by their number. */
  readonly years: ReadonlyMap<string, YearOfMargin>;
}

/**
 * `periods`: those in which margins count together, in order. Periods and years without an amount may be missing. A
 * year is over if `last`, the last day that the periods reach, is its last one or later.
 */
export function runMargin(periods: readonly PeriodOfMargin[], last: string, brought: Brought): MarginRun {
  const begun = periods.filter(({ from }) => brought.from === null || from >= brought.from);
  const counted: CountedPeriod[] = [];
  const years = new Map<string, YearOfMargin>();
  let left = brought.carried_in;
  for (const [year, own] of grouped(begun, ({ from }) => yearOf(from))) {
    const carried = left;
    const ofYear = own.map((period) => {
      const found = countPeriod(period, left);
      left = found.carried_out;
      return found;
    });
    if (last >= `${year}-12-31`) {
      const settled = settle(ofYear, carried, `${year}-12-31`);
      left = settled.year_margin < 0n ? -settled.year_margin : 0n;
      years.set(year, settled);
      const end = ofYear.pop();
      if (end) ofYear.push({ ...end, carried_out: left });
    }
    counted.push(...ofYear);
  }
  return { periods: counted, years };
}

function countPeriod({ from, to, sales, purchases }: PeriodOfMargin, carried_in: bigint): CountedPeriod {
  const margin = sales - purchases;
  const result = margin - carried_in;
  const taxed = result > 0n ? result : 0n;
  const carried_out = result < 0n ? -result : 0n;
  return {
    from,
    to,
    sales,
    purchases,
    carried_in,
    margin,
    taxed,
    vat: vatWithin(taxed, highOn(to)),
    carried_out,
  };
}

function settle(periods: readonly CountedPeriod[], carried: bigint, last: string): YearOfMargin {
  const year_margin = sumOf(periods, 'margin') - carried;
  const year_vat = year_margin > 0n ? vatWithin(year_margin, highOn(last)) : 0n;
  const declared_vat = sumOf(periods, 'vat');
  const settlement = declared_vat > year_vat ? declared_vat - year_vat : 0n;
  return { year_margin, year_vat, declared_vat, settlement };
}

type Amount = 'sales' | 'purchases' | 'margin' | 'taxed' | 'vat';
const sumOf = (periods: readonly Margin[], amount: Amount): bigint =>
  periods.reduce((sum, period) => sum + period[amount], 0n);

/** The periods from `from` on together, as far as `run` reaches. Without one everything is 0. */
export function marginSince({ periods }: MarginRun, from: string): Margin {
  const own = periods.filter((period) => period.from >= from);
  return {
    sales: sumOf(own, 'sales'),
    purchases: sumOf(own, 'purchases'),
    carried_in: own[0]?.carried_in ?? 0n,
    margin: sumOf(own, 'margin'),
    taxed: sumOf(own, 'taxed'),
    vat: sumOf(own, 'vat'),
    carried_out: own.at(-1)?.carried_out ?? 0n,
  };
}
