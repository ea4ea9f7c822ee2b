// Number, year and due date of an invoice. Year and due date follow the owner's calendar, not UTC: an invoice of
// 1 January 00:30 in Amsterdam belongs to the new year.

import { DateTime } from 'luxon';
import { HOUR_MS } from './time/duration.ts';

/** The days to pay an invoice, unless contact or garage has others. */
export const PAYMENT_DAYS = 14;
/** A due date farther away can't be stored. */
export const MOST_PAYMENT_DAYS = 36_500;

/** Prefix, year and a number of at least 5 digits: `('F', 2026, 7)` → `F202600007`. */
export function invoiceNumber(prefix: string, year: number, count: number): string {
  return `${prefix}${year}${String(count).padStart(5, '0')}`;
}

/** The number that an invoice shows. A purchase by the seller's invoice has only the seller's. Null: it has none. */
export const printedNumber = (invoice: {
  readonly invoice_number: string | null;
  readonly supplier_invoice_number: string | null;
}): string | null => invoice.invoice_number ?? invoice.supplier_invoice_number;

/** The kind of sales. Invoices of one kind are dated in the order of their numbers, over all years. */
export const SALES = 'invoice';

/** The kind of purchases that a statement of the seller proves. */
export const STATEMENTS = 'purchase-statement';

/** Begins the numbers of these purchases. No sales number may begin so. */
export const STATEMENT_PREFIX = 'IV-';

const SELF_BILLED = 'self-billed';

/** The kind of invoices that the garage makes out for a seller. `seller`: the ID of the contact. */
export const selfBilledKind = (seller: number): string => `${SELF_BILLED}:${seller}`;

/** Begin the names of all counters of invoices. */
export const SERIES_KINDS = [SALES, STATEMENTS, SELF_BILLED] as const;

/** Begins the numbers of these invoices: `('F', 17)` → `F17-`. */
export const selfBilledPrefix = (prefix: string, contactNumber: number): string =>
  `${prefix}${contactNumber}-`;

/** The name of the counter that numbers the invoices of a kind and a year. `%`: the pattern of all years. */
export const seriesCounter = (kind: string, year: number | '%'): string => `${kind}:${year}`;

/** Local time differs from UTC by this much at most. */
export const LARGEST_OFFSET_MS = 14 * HOUR_MS;

/**
 * Reads year and count back from an invoice number. The prefix may be any text, because the owner may have changed
 * the prefix since. The year must match the invoice date in some time zone. Undefined for other forms.
 */
export function readInvoiceNumber(
  number: string,
  invoiceDate: Date,
): { year: number; count: number } | undefined {
  const years = [-LARGEST_OFFSET_MS, LARGEST_OFFSET_MS].map((offset) =>
    new Date(invoiceDate.getTime() + offset).getUTCFullYear(),
  );
  const found = years.flatMap((year) => {
    // The prefix may contain the year too, so the last year that leaves a whole count is taken.
    const [, count] = new RegExp(`^.*${year}(\\d{5}|[1-9]\\d{5,8})$`, 's').exec(number) ?? [];
    return count === undefined ? [] : [{ year, count: Number(count) }];
  });
  return found.sort((one, other) => one.count - other.count)[0];
}

/** The calendar year of an instant in a time zone (IANA name). */
export function invoiceYear(instant: Date, timezone: string): number {
  return onCalendar(instant, timezone).year;
}

/** The instant `days` calendar days later, at the same time of day in the time zone. */
export function dueDate(invoiceDate: Date, days: number, timezone: string): Date {
  return onCalendar(invoiceDate, timezone).plus({ days }).toJSDate();
}

function onCalendar(instant: Date, timezone: string): DateTime<true> {
  const local = DateTime.fromJSDate(instant, { zone: timezone });
  // An invalid DateTime has the year NaN. An invoice number with NaN could never be withdrawn.
  if (!local.isValid) throw new RangeError(`${local.invalidReason}: ${timezone}`);
  return local;
}
