// The margin scheme over periods (article 28d of the Dutch VAT act, "globalisatie"): the margin of a period is what was
// sold less what was bought, and a negative margin is carried to the next period.
import { DateTime } from 'luxon';
import { LISTS } from './lists.ts';
import { vatWithin } from './totals.ts';

const { HIGH } = LISTS.vatcodes;
const { MONTH, QUARTER, YEAR } = LISTS.vatperiods;
const UNITS = { [MONTH]: 'month', [QUARTER]: 'quarter', [YEAR]: 'year' } as const;

export type VatPeriod = keyof typeof UNITS;

/** Amounts in cents, VAT included. */
interface PeriodOfMargin {
  readonly sales: bigint;
  readonly purchases: bigint;
}

export interface MarginOfPeriods extends PeriodOfMargin {
  /** The loss carried in from earlier periods, and the loss carried on to the next one: 0 or more. */
  readonly carried_in: bigint;
  readonly carried_out: bigint;
  /** Sales less purchases, before carrying. */
  readonly margin: bigint;
  /** The part of the margins that bears VAT, VAT included. */
  readonly taxed: bigint;
  readonly vat: bigint;
}

/**
 * The periods from `from` on together. `periods` begin with the first one of the garage. Periods without an amount may
 * be missing.
 */
export function globalMargin(periods: readonly PeriodOfMargin[], from: number): MarginOfPeriods {
  let left = 0n;
  const sum = { sales: 0n, purchases: 0n, carried_in: 0n, margin: 0n, taxed: 0n, vat: 0n };
  periods.forEach(({ sales, purchases }, index) => {
    const result = sales - purchases - left;
    const taxed = result > 0n ? result : 0n;
    if (index === from) sum.carried_in = left;
    left = result < 0n ? -result : 0n;
    if (index < from) return;
    sum.sales += sales;
    sum.purchases += purchases;
    sum.margin += sales - purchases;
    sum.taxed += taxed;
    sum.vat += vatWithin(taxed, HIGH);
  });
  return { ...sum, carried_in: from < periods.length ? sum.carried_in : left, carried_out: left };
}

/** Whether a day, `YYYY-MM-DD`, is the first of a period. */
export const beginsPeriod = (day: string, period: VatPeriod): boolean => firstDay(day, period) === day;

/** Whether a day is the last of a period. */
export const endsPeriod = (day: string, period: VatPeriod): boolean =>
  dateOf(day).endOf(UNITS[period]).toISODate() === day;

/** The first day of the period that holds a day. */
const firstDay = (day: string, period: VatPeriod): string =>
  dateOf(day).startOf(UNITS[period]).toFormat('yyyy-MM-dd');

/** In UTC, where each day has 24 hours. */
const dateOf = (day: string): DateTime => DateTime.fromISO(day, { zone: 'utc' });

/** The first days of the periods from the one that holds `first` up to the one that holds `last`. */
export function periodsFrom(first: string, last: string, period: VatPeriod): string[] {
  const days: string[] = [];
  const unit = UNITS[period];
  let day = dateOf(first).startOf(unit);
  for (; day <= dateOf(last); day = day.plus({ [unit]: 1 })) days.push(day.toFormat('yyyy-MM-dd'));
  return days;
}
