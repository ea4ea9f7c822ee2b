// Days of a garage's calendar, as `YYYY-MM-DD`. A day begins at another instant in each time zone.
import { DateTime } from 'luxon';
import { databaseNow, databaseTime, formatTimestamp } from './timestamp.ts';
import { type Day, MINUTES_A_DAY, WallClock } from './wall-clock.ts';

/** The time zone of a garage that has not set one, and of the law. */
export const DEFAULT_TIMEZONE = 'Europe/Amsterdam';

export const timezoneOf = (garage: { readonly timezone: string | null } | undefined): string =>
  garage?.timezone ?? DEFAULT_TIMEZONE;

/** The last day, and the last instant that the database can store. East of UTC the last day goes on until then. */
const LAST_DAY = '9999-12-31';
const LAST = `${LAST_DAY} 23:59:59.999`;

/** The first instant of a day, in the form of the database. If the clock shows midnight twice, the first one counts. */
export const startOf = (day: string, timezone: string): string =>
  databaseTime(new Date(onClock(day, timezone).at(0, 'start')));

/** The last instant of a day, in the form of the database: just before the next day begins. */
export const endOf = (day: string, timezone: string): string =>
  day === LAST_DAY ? LAST : databaseTime(new Date(onClock(day, timezone).at(MINUTES_A_DAY, 'start') - 1));

const onClock = (day: string, timezone: string): Day => new WallClock(timezone).dates(day, day)[0] as Day;

/** An instant in the form of the database. An instant beyond its range becomes the last one of that range. */
export const storable = (instant: Date): string =>
  instant.getUTCFullYear() > 9999 ? LAST : databaseTime(instant);

/** The day of an instant in the form of the database. */
export function dayOf(instant: string, timezone: string): string {
  const local = DateTime.fromISO(formatTimestamp(instant), { zone: timezone });
  return local.year > 9999 ? LAST_DAY : local.toFormat('yyyy-MM-dd');
}

/** Today on the calendar of a garage. */
export const todayIn = (timezone: string): string => dayOf(databaseNow(), timezone);

/** An instant of a day, in the form of the database: midnight in UTC, unless that is another day in the time zone. */
export function instantIn(day: string, timezone: string): string {
  const midnight = `${day} 00:00:00.000`;
  return dayOf(midnight, timezone) === day ? midnight : startOf(day, timezone);
}
