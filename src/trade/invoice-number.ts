// Number, year and due date of an invoice. Both dates are taken on the owner's calendar, not in UTC: an
// invoice of 1 January 00:30 in Amsterdam belongs to the new year.

import { DateTime } from 'luxon';

/** Prefix, year and a number of 5 digits at least: `('F', 2026, 7)` → `F202600007`. */
export function invoiceNumber(prefix: string, year: number, count: number): string {
  return `${prefix}${year}${String(count).padStart(5, '0')}`;
}

/** The name of the counter that a year's invoices are numbered from. */
export const invoiceCounter = (year: number): string => `invoice:${year}`;

const LARGEST_OFFSET_MS = 14 * 3600 * 1000;

/**
 * The year and the count of a number that invoiceNumber made, whatever the prefix was then. The year is that of
 * the invoice's date on some calendar. Undefined where the number is of another form.
 */
export function readInvoiceNumber(
  number: string,
  invoiceDate: Date,
): { year: number; count: number } | undefined {
  const years = [-LARGEST_OFFSET_MS, LARGEST_OFFSET_MS].map((offset) =>
    new Date(invoiceDate.getTime() + offset).getUTCFullYear(),
  );
  const found = years.flatMap((year) => {
    // A prefix may hold the year too: the last one that leaves a whole count is it.
    const [, count] = new RegExp(`^.*${year}(\\d{5}|[1-9]\\d{5,8})$`, 's').exec(number) ?? [];
    return count === undefined ? [] : [{ year, count: Number(count) }];
  });
  return found.sort((one, other) => one.count - other.count)[0];
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
