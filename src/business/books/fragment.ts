// Pieces of SQL for the books, each by name. Columns and values are bound.
import type { Knex } from 'knex';
import { type RawBuilder, raw } from 'objection';

/** 1 if a column has that value, else 0. */
export const hasValue = (column: string, value: number): RawBuilder => raw('?? = ?', [column, value]);

/** The first of two columns that is not empty. `on` of a join takes a raw of Objection, which its types don't tell. */
export const firstOf = (first: string, second: string): Knex.Raw =>
  raw('COALESCE(??, ??)', [first, second]) as unknown as Knex.Raw;

/** Null if there is no row. */
export const lowestOf = (column: string): RawBuilder => raw('MIN(??)', [column]);
export const highestOf = (column: string): RawBuilder => raw('MAX(??)', [column]);

/** The instant whose day has the VAT rates of an invoice. A credit note has those of its invoice. */
export const suppliedAt = (): RawBuilder => raw('CAST(COALESCE(??, ??, ??) AS CHAR)', SUPPLIED);
const SUPPLIED = ['c.supply_date', 'o.supply_date', 'o.invoice_date'];

/** A number within a column of JSON; null if it is not there. */
export const numberIn = (column: string, name: string): RawBuilder =>
  raw('CAST(JSON_VALUE(??, ?) AS SIGNED)', [column, `$.${name}`]);

/** A text within a column of JSON, without spaces around it; null if it is not there. */
export const textIn = (column: string, name: string): RawBuilder =>
  raw('TRIM(JSON_VALUE(??, ?))', [column, `$.${name}`]);

/** Counts the instants that are not after the instant of a column. They are whole seconds and rise. */
export const countedStarts = (column: string, starts: readonly string[]): RawBuilder =>
  raw(`INTERVAL(${SECONDS('??')}, ${starts.map(() => SECONDS('?')).join()})`, [column, ...starts]);
const SECONDS = (instant: string) => `TIMESTAMPDIFF(SECOND, '1970-01-01', ${instant})`;

/**
 * The open amount of an invoice at an instant: the open amount of today, and later payments (`later`). Before its day
 * an invoice had no total, but may have been paid.
 */
export const openAt = (at: string): RawBuilder =>
  raw('o.amount_open + COALESCE(later.paid, 0) - CASE WHEN o.book_date > ? THEN o.total_gross ELSE 0 END', [
    at,
  ]);

/** The open amounts of the invoices `i` that are due at that instant or later, or at no instant. */
export const openSince = (from: string): RawBuilder =>
  raw('SUM(CASE WHEN i.due IS NULL OR i.due >= ? THEN i.open ELSE 0 END)', [from]);
/** The earliest due date of the invoices `i` with an amount to pay; null: there is none. */
export const oldestOpen = (): RawBuilder => raw('MIN(CASE WHEN i.open > 0 THEN i.due END)');

/** The first column that is not empty. If the column `where` has that value, only `column` counts. */
export const firstUnless = (
  column: string,
  [second, third]: readonly [string, string],
  where: string,
  value: number,
): RawBuilder =>
  raw('COALESCE(??, CASE WHEN ?? = ? THEN NULL ELSE COALESCE(??, ??) END)', [
    column,
    where,
    value,
    second,
    third,
  ]);

/** The value in the rows where one of the columns has one of its numbers; null in all others. */
export const whereAny = (
  numbers: Readonly<Record<string, readonly number[]>>,
  value: RawBuilder | number,
): RawBuilder => {
  const conditions = Object.values(numbers).map((some) => `?? IN (${some.map(() => '?')})`);
  return raw(`CASE WHEN ${conditions.join(' OR ')} THEN ? END`, [...Object.entries(numbers).flat(2), value]);
};
