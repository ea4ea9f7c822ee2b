// The periods for which the VAT return is made: months, quarters or years of the calendar.
import { DateTime } from 'luxon';
import { LISTS, type ListValue } from './lists.ts';

export type VatPeriod = ListValue<'vatperiods'>;

const { MONTH, QUARTER, YEAR } = LISTS.vatperiods;
const UNITS: Readonly<Record<VatPeriod, 'month' | 'quarter' | 'year'>> = {
  [MONTH]: 'month',
  [QUARTER]: 'quarter',
  [YEAR]: 'year',
};

/**
 * While a garage has not said its period, a year: each year begins a period of any length, so no row of the settings
 * lies wrong when the garage says its period later.
 */
export const periodOr = (period: number | null): VatPeriod => (period ?? YEAR) as VatPeriod;

/** The first day of the period that holds a day. All days are `YYYY-MM-DD`. */
export const firstDay = (day: string, period: VatPeriod): string =>
  dateOf(day).startOf(UNITS[period]).toFormat(DAY);

/** The last day of the period that holds a day. */
export const lastDay = (day: string, period: VatPeriod): string =>
  dateOf(day).endOf(UNITS[period]).toFormat(DAY);

export const beginsPeriod = (day: string, period: VatPeriod): boolean => firstDay(day, period) === day;

export const dayAfter = (day: string): string => dateOf(day).plus({ days: 1 }).toFormat(DAY);

export const dayBefore = (day: string): string => dateOf(day).minus({ days: 1 }).toFormat(DAY);

export const yearOf = (day: string): string => day.slice(0, 'YYYY'.length);

const DAY = 'yyyy-MM-dd';

/** In UTC, where each day has 24 hours. */
const dateOf = (day: string): DateTime => DateTime.fromISO(day, { zone: 'utc' });
