// Days of a garage's calendar, as `YYYY-MM-DD`. A day begins at another instant in each time zone.
import { DateTime } from 'luxon';
import { databaseTime, formatTimestamp } from './timestamp.ts';

/** The last instant that the database can store. */
const LAST = '9999-12-31 23:59:59.999';

/** The first instant of a day, in the form of the database. */
export const startOf = (day: string, timezone: string): string =>
  databaseTime(DateTime.fromISO(day, { zone: timezone }).startOf('day').toJSDate());

/** The last instant of a day, in the form of the database. */
export const endOf = (day: string, timezone: string): string =>
  storable(DateTime.fromISO(day, { zone: timezone }).endOf('day').toJSDate());

/** An instant in the form of the database. Of a later one than the database can store: the last one. */
export const storable = (instant: Date): string =>
  instant.getUTCFullYear() > 9999 ? LAST : databaseTime(instant);

/** The day of an instant in the form of the database. */
export const dayOf = (instant: string, timezone: string): string =>
  DateTime.fromISO(formatTimestamp(instant), { zone: timezone }).toFormat('yyyy-MM-dd');
