// Days of a garage's calendar, as `YYYY-MM-DD`. A day begins at another instant in each time zone.
import { DateTime } from 'luxon';
import { databaseTime, formatTimestamp } from './timestamp.ts';

/** The last instant that the database can store. */
const LAST = '9999-12-31 23:59:59.999';

/** The first instant of a day, in the form of the database. */
export const startOf = (day: string, timezone: string): string =>
  databaseTime(DateTime.fromISO(day, { zone: timezone }).startOf('day').toJSDate());

/** The last instant of a day, in the form of the database. */
export function endOf(day: string, timezone: string): string {
  const end = DateTime.fromISO(day, { zone: timezone }).endOf('day').toUTC();
  return end.year > 9999 ? LAST : databaseTime(end.toJSDate());
}

/** The day of an instant in the form of the database. */
export const dayOf = (instant: string, timezone: string): string =>
  DateTime.fromISO(formatTimestamp(instant), { zone: timezone }).toFormat('yyyy-MM-dd');
