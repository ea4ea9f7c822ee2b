// Writes index.csv, the list of the generated documents: one row per file, RFC 4180, UTF-8.

import { disarmed } from '../../../core/trade/formula.ts';
import { csvLines } from '../../../platform/zip/csv-lines.ts';

export const INDEX = 'index.csv';

const COLUMNS = [
  'order_id',
  'order_number',
  'invoice_number',
  'document_id',
  'file',
  'size',
  'sha256',
  'contact_id',
  'contact',
  'license_plate',
] as const;

export type IndexRow = Readonly<Record<(typeof COLUMNS)[number], string | number | null>>;

/** The header and the rows, each with CR LF at its end. An apostrophe before the text disarms a formula. */
export const indexCsv = (rows: readonly IndexRow[]): string =>
  csvLines([[...COLUMNS], ...rows.map((row) => COLUMNS.map((column) => cell(row[column])))]);

const cell = (value: string | number | null): string =>
  typeof value === 'string' ? disarmed(value) : String(value ?? '');
