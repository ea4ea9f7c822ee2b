// What became of a row, and how the report tells it.
import type { Violation } from '../errors.ts';
import { errorEntries } from '../model/error-entries.ts';

export const STATUSES = ['created', 'updated', 'unchanged', 'refused'] as const;
export type Status = (typeof STATUSES)[number];
export type Counts = Readonly<Record<Status, number>>;

export interface Outcome {
  /** The physical line at which the row begins, from 1. */
  readonly line: number;
  readonly status: Status;
  /** Null: refused, or a dry run that would have added the record. */
  readonly id: number | null;
  readonly errors: readonly Violation[];
}

/** A line of report.ndjson. */
export function reportLine({ line, status, id, errors }: Outcome): string {
  const shown = errorEntries(errors).map((entry) => ({ ...entry, hint: hintFor(entry.code, entry.value) }));
  return JSON.stringify({ line, status, id, errors: shown });
}

/** What people who export from a spreadsheet have to change. */
function hintFor(code: Violation['code'], value: unknown): string | undefined {
  if (code !== 'value_wrong_type' || typeof value !== 'string') return undefined;
  if (/^-?\d{1,3}(\.\d{3})*,\d+$|^-?\d+,\d+$/.test(value)) {
    const written = value.replaceAll('.', '').replace(',', '.');
    return `This is a decimal comma. Write a decimal point and no other points: ${written}`;
  }
  const [, day, month, year] = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})$/.exec(value) ?? [];
  if (year === undefined) return undefined;
  return `Write year, month and day: ${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

const NONE: Counts = { created: 0, updated: 0, unchanged: 0, refused: 0 };

export function countOutcomes(outcomes: readonly Outcome[]): Counts {
  const counts = { ...NONE };
  for (const { status } of outcomes) counts[status] += 1;
  return counts;
}

export function sumOf(all: readonly Counts[]): Counts {
  const sum = { ...NONE };
  for (const counts of all) for (const status of STATUSES) sum[status] += counts[status];
  return sum;
}
