// The outcome of a row, and its entry in the report.
import type { Violation } from '../../core/errors.ts';
import { errorEntries } from '../../core/model/bodies/error-entries.ts';

export const STATUSES = ['created', 'updated', 'unchanged', 'refused'] as const;
export type Status = (typeof STATUSES)[number];
export type Counts = Readonly<Record<Status, number>>;

export interface Outcome {
  readonly status: Status;
  /** A line of report.ndjson. */
  readonly report: string;
}

interface Ended {
  /** The physical line at which the row begins, from 1. */
  readonly line: number;
  readonly status: Status;
  /** Null: refused, or a dry run that would have added the record. */
  readonly id: number | null;
  readonly errors: readonly Violation[];
}

/** A field may have any name in a refused row. */
const SHOWN_CHARACTERS = 100;

/** Holds no more than the report shows: the errors of many large rows would not fit into memory. */
export function outcomeOf({ line, status, id, errors }: Ended): Outcome {
  const shown = errorEntries(errors).map((entry) => ({
    ...entry,
    field: entry.field?.slice(0, SHOWN_CHARACTERS),
    hint: hintFor(entry.code, entry.value),
  }));
  return { status, report: JSON.stringify({ line, status, id, errors: shown }) };
}

/** Tells people who export from a spreadsheet how to write the value. */
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

const NONE: Tally = { created: 0, updated: 0, unchanged: 0, refused: 0, refused_length: 0 };

/** The results of a batch, or of all batches of an import. */
export interface Tally extends Counts {
  /** The length of the report about refused rows. */
  readonly refused_length: number;
}

export function tallyOf(outcomes: readonly Outcome[]): Tally {
  const tally = { ...NONE };
  for (const { status, report } of outcomes) {
    tally[status] += 1;
    if (status === 'refused') tally.refused_length += report.length;
  }
  return tally;
}

export function sumOf(all: readonly Tally[]): Tally {
  const sum = { ...NONE };
  for (const tally of all) for (const key of [...STATUSES, 'refused_length'] as const) sum[key] += tally[key];
  return sum;
}
