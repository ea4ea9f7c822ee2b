// Number, year and due date of an invoice. Both dates are taken on the owner's calendar, not in UTC: an
// invoice of 1 January 00:30 in Amsterdam belongs to the new year.

import { DateTime } from 'luxon';

/** Prefix, year and a number of 5 digits at least: `('F', 2026, 7)` → `F202600007`. */
export function invoiceNumber(prefix: string, year: number, count: number): string {
  return `${prefix}${year}${String(count).padStart(5, '0')}`;
}

/** The calendar year of an instant in a time zone (IANA name). */
export function invoiceYear(instant: Date, timezone: string): number {
  return onCalendar(instant, timezone).year;
}

/** The instant so many calendar days later, at the same time of day in that time zone. */
export function dueDate(invoiceDate: Date, days: number, timezone = 'UTC'): Date {
  return onCalendar(invoiceDate, timezone).plus({ days }).toJSDate();
}

function onCalendar(instant: Date, timezone: string): DateTime<true> {
  const local = DateTime.fromJSDate(instant, { zone: timezone });
  // An invalid DateTime has the year NaN, which would end up in a number that can't be taken back.
  if (!local.isValid) throw new RangeError(`${local.invalidReason}: ${timezone}`);
  return local;
}
