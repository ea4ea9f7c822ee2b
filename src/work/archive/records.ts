// Reads records from the lines of a backup, the reverse of ndjson.ts. Each value must fit its column. Custom
// validations and rules are not checked, because a record may be older than a rule.
import { Problem, problem } from '../../core/errors.ts';
import { bytea, type Field, type Row, type Stored, text, varchar } from '../../core/model/fields/field.ts';
import type { Resource } from '../../core/model/records/record.ts';
import { roundTo } from '../../core/trade/decimal.ts';
import type { ArchivedFile } from '../../platform/zip/write.ts';
import { type Archive, BadArchive } from './read.ts';

const MOST_RECORDS = 1_000;
/** Together with one longest line, this is less than the largest statement that a server accepts. */
const MOST_CHARACTERS = 2 ** 20;

const LONG = /[\d.]{17}/;
/** A string and, if it is a field name, its number. Matches whole strings, so no name starts inside a string. */
const NAMED = /("(?:[^"\\]|\\.)*")(?:\s*:\s*(-?\d+(?:\.\d+)?)(?=\s*[,}]))?/g;
const NONE: ReadonlyMap<string, string> = new Map();

interface Portion {
  /** In stored form, each with all columns of the resource. A JSON column holds text. */
  readonly rows: readonly Row[];
  /** The line of the first record, counted from 1. */
  readonly line: number;
}

/** The records of a file, by ascending ID. Throws a BadArchive that names the first bad line. */
export async function* readRecords(
  archive: Archive,
  file: ArchivedFile,
  resource: Resource,
): AsyncGenerator<Portion> {
  const toRow = rowReader(resource);
  let rows: Row[] = [];
  let characters = 0;
  let line = 0;
  let last = 0;
  for await (const lines of archive.lines(file)) {
    for (const text of lines) {
      line += 1;
      const row = atLine(file, line, () => toRow(text));
      const id = Number(row.id);
      if (id <= last) throw badLine(file, line, `id ${id} comes after ${last}: IDs must rise`);
      last = id;
      rows.push(row);
      characters += text.length;
      if (rows.length < MOST_RECORDS && characters < MOST_CHARACTERS) continue;
      yield { rows, line: line - rows.length + 1 };
      rows = [];
      characters = 0;
    }
  }
  if (rows.length > 0) yield { rows, line: line - rows.length + 1 };
}

/** Turns a Problem of `work` into a BadArchive that names the line. The message is the Problem's. */
export function atLine<T>(file: ArchivedFile, line: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof Problem ? badLine(file, line, error.message) : error;
  }
}

const badLine = ({ path }: ArchivedFile, line: number, what: string) =>
  new BadArchive(path, `line ${line}: ${what}`);

function rowReader({ columns, fields }: Resource): (text: string) => Row {
  const readers = columns.map((name) => [name, valueReader(name, fields.get(name) as Field)] as const);
  const known = new Set(columns);
  return (text) => {
    const record = parse(text);
    for (const name of Object.keys(record))
      if (!known.has(name)) throw problem('field_unknown', { field: name });
    const row: Row = {};
    const long = longNumbers(text);
    for (const [name, read] of readers) row[name] = read(record[name], long.get(name));
    return row;
  };
}

function parse(text: string): Record<string, unknown> {
  try {
    const record: unknown = JSON.parse(text);
    if (text.startsWith('{')) return record as Record<string, unknown>;
  } catch {}
  throw problem('body_not_json');
}

/**
 * The long numbers of a record as text, by field. A backup contains all digits of an amount, but JSON.parse keeps only
 * about 16.
 */
function longNumbers(json: string): ReadonlyMap<string, string> {
  if (!LONG.test(json)) return NONE;
  const found = new Map<string, string>();
  for (const [, name = '""', number] of json.matchAll(NAMED))
    if (number !== undefined && LONG.test(number)) found.set(JSON.parse(name), number);
  return found;
}

/** An old backup lacks newer fields. Such a field gets the default of a new record. */
function valueReader(name: string, field: Field): (value: unknown, long?: string) => Stored {
  const check = plain(field).check;
  const isNeeded = field.required || field.primary;
  const decimals = field.kind === 'decimal' ? field.scale : undefined;
  return (value, long) => {
    if (value === undefined || value === null) {
      if (isNeeded) throw problem(value === null ? 'field_empty' : 'field_required', { field: name });
      return field.fallback;
    }
    // The record may contain a copy of another record, and the long number may belong to a field of the copy.
    const isExact = decimals !== undefined && long !== undefined && Number(long) === value;
    // The number fits its column if its whole part fits.
    const { stored, violation } = check(name, isExact ? Math.trunc(Number(long.split('.')[0])) : value, {});
    if (violation) throw new Problem(violation);
    if (isExact) return roundTo(long, decimals);
    return typeof stored === 'object' ? JSON.stringify(stored) : stored;
  };
}

/** The field without its custom validation. */
function plain(field: Field): Field {
  const { validation, datatype, length = 0, unique } = field;
  if (!validation) return field;
  if (datatype === 'bytea') return bytea(length);
  return datatype === 'varchar' ? varchar(length, { unique }) : text({ unique });
}
