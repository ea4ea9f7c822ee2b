// The four years of seeded work: Monday to Saturday, in opening hours. The dates are fixed, so that a seed gives
// the same dates on any day.
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/trade/time/duration.ts';
import { databaseTime, utcDay } from '../../core/trade/time/timestamp.ts';

const QUARTER = 15 * MINUTE_MS;
const FIRST_MONDAY = Date.UTC(2022, 4, 2);
const WEEKS = 208;
const OPENING = 7 * HOUR_MS;
const OPEN_FOR = 9.5 * HOUR_MS;
/** Closed in each of the years, as month and day. */
export const CLOSED = ['12-25', '12-26'];
export const YEARS = [2022, 2023, 2024, 2025];

/** When that share of all work, 0 to 1, is done; a larger share gives a later instant. */
export function instantAt(share: number): Date {
  const days = share * WEEKS * 6;
  const day = Math.floor(days / 6) * 7 + (Math.floor(days) % 6);
  return new Date(FIRST_MONDAY + day * DAY_MS + OPENING + (days % 1) * OPEN_FOR);
}

/** Midnight that many days after `from`, which is the first day of work unless given; in the database's form. */
export const midnight = (days: number, from = new Date(FIRST_MONDAY)): string =>
  databaseTime(new Date(Math.floor(from.getTime() / DAY_MS + days) * DAY_MS));

/** A full quarter of an hour, that many quarters after opening, on the day of `at`; in the database's form. */
export const quarterAfterOpening = (at: Date, quarters: number): string =>
  databaseTime(new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS + OPENING + quarters * QUARTER));

export const END = instantAt(1);

export const dayOf = (at: Date): string => utcDay(at.toISOString());

/** All seeded work has the VAT rates of this day. */
export const RATE_DAY = dayOf(END);

/** The share of all work, 0 to 1, that is done at that instant. */
export const shareOf = (at: Date): number => (at.getTime() - FIRST_MONDAY) / (END.getTime() - FIRST_MONDAY);
