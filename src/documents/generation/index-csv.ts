// Writes index.csv, the list of the generated documents: one row per file, RFC 4180, UTF-8.

import { disarmed } from '../../trade/formula.ts';
import { csvLines } from '../../zip/csv-lines.ts';

export const INDEX = 'index.csv';

export interface IndexRow {
  readonly order_id: number;
  readonly order_number: number | null;
  readonly invoice_number: string | null;
  readonly document_id: number;
  readonly file: string;
  readonly size: number;
  readonly sha256: string;
  readonly contact_id: number;
  readonly contact: string;
  readonly license_plate: string | null;
}

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
] as const satisfies readonly (keyof IndexRow)[];

/** The header and the rows, each with CR LF at its end. An apostrophe before the text disarms a formula. */
export const indexCsv = (rows: readonly IndexRow[]): string =>
  csvLines([[...COLUMNS], ...rows.map((row) => COLUMNS.map((column) => cell(row[column])))]);

function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  return disarmed(value);
}
