// The rates of Dutch VAT, by the first day of each. The next change of a rate is one more row.
import { DEFAULT_TIMEZONE, todayIn } from './time/day.ts';
import { daysBefore, utcDay } from './time/timestamp.ts';

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

/** The percentage on a day, `YYYY-MM-DD`. A day before the first rate has the first rate. */
export const rateOn = ([first, ...later]: Rates, day: string): string =>
  (later.findLast(({ from }) => from <= day) ?? first).percentage;

/** Whether all rates are the same on two days. */
export const hasSameRates = (one: string, other: string): boolean =>
  [HIGH_RATES, LOW_RATES].every((rates) => rateOn(rates, one) === rateOn(rates, other));

/** The UTC days on which the rates change in some time zone. No time zone is a whole day away from UTC. */
const CHANGING: ReadonlySet<string> = new Set(
  [HIGH_RATES, LOW_RATES].flatMap(([, ...later]) =>
    later.flatMap(({ from }) => [utcDay(daysBefore(new Date(from), 1)), from]),
  ),
);

/**
 * A day with the rates of an instant, which has the form of the database. Undefined: the rates change on that day in
 * one of the time zones, so the time zone decides. All other days spare the statement that reads the time zone.
 */
export function steadyDay(at: string): string | undefined {
  const day = utcDay(at);
  return CHANGING.has(day) ? undefined : day;
}

/** Today on the Dutch calendar. */
export const today = (): string => todayIn(DEFAULT_TIMEZONE);
