// The days of a garage whose books are closed. A bookkeeper has filed them, so their amounts stay. docs/bookkeeping.md
// tells more in "A month's end".
import { dayOf, endOf, timezoneOf } from './time/day.ts';
import { justAfter } from './time/timestamp.ts';

interface Company {
  readonly timezone: string | null;
  /** An instant of the last closed day. Null: no day is closed. */
  readonly books_closed_until: string | null;
}

export interface ClosedPeriod {
  /** The first open instant. Undefined: no day is closed. */
  readonly opens: string | undefined;
  /** Whether an instant lies on a closed day. */
  has(at: string): boolean;
  /** The instant, or the first open one if the instant lies on a closed day. */
  outside(at: string): string;
}

/** All instants are in the form of the database, in which texts sort like instants. */
export function closedPeriodOf(company: Company | undefined): ClosedPeriod {
  const { books_closed_until: until = null } = company ?? {};
  const zone = timezoneOf(company);
  const opens = until === null ? undefined : justAfter(endOf(dayOf(until, zone), zone));
  return {
    opens,
    has: (at) => opens !== undefined && at < opens,
    outside: (at) => (opens !== undefined && at < opens ? opens : at),
  };
}

/** Whether the day of an instant is over, on the calendar of the garage. */
export function isOver(at: string, now: string, timezone: string | null): boolean {
  const zone = timezoneOf({ timezone });
  return dayOf(at, zone) < dayOf(now, zone);
}
