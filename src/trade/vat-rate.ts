// The rates of Dutch VAT, by the first day of each. The next change of a rate is one more row.
import { DEFAULT_TIMEZONE, dayOf } from './time/day.ts';
import { databaseTime } from './time/timestamp.ts';

interface Rate {
  /** The first day, `YYYY-MM-DD`, on the Dutch calendar. */
  readonly from: string;
  /** A decimal string. */
  readonly percentage: string;
}

/** By day, the first rate first. */
export type Rates = readonly [Rate, ...Rate[]];

export const HIGH_RATES: Rates = [
  { from: '2001-01-01', percentage: '19' },
  { from: '2012-10-01', percentage: '21' },
];
export const LOW_RATES: Rates = [
  { from: '1986-10-01', percentage: '6' },
  { from: '2019-01-01', percentage: '9' },
];

export function rateOn([first, ...later]: Rates, day?: string): string {
  return (later.findLast(({ from }) => from <= (day ?? today())) ?? first).percentage;
}

const today = (): string => dayOf(databaseTime(new Date()), DEFAULT_TIMEZONE);
