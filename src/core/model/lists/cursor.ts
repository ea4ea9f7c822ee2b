// A cursor is an opaque text with the sort keys of the last row of a page. The next page begins behind them. So a page
// costs the same at any depth, and rows that come and go don't shift it. Every part of a cursor is checked.
import { problem } from '../../errors.ts';
import { nameOf } from '../../trade/lists.ts';
import { formatTimestamp } from '../../trade/time/timestamp.ts';
import { NAMED_LISTS } from '../fields/encode.ts';
import { type Field, isNullable, type Row, type Stored } from '../fields/field.ts';
import { comparable } from '../fields/value.ts';
import type { Resource } from '../records/record.ts';
import type { ListQuery } from './list-query.ts';

export interface SortKey {
  readonly column: string;
  readonly descending: boolean;
}

type SortedList = Pick<ListQuery, 'resource' | 'sort' | 'fingerprint'>;

// Longer texts are sorted by their first 255 characters. More would fit neither a cursor in an address nor the server's
// sort key (1,024 bytes).
export const SORTED_CHARACTERS = 255;

/** Whether rows are sorted by the beginning of this field alone. */
export const isSortedByBeginning = ({ datatype, length = 0 }: Field): boolean =>
  datatype === 'text' || (datatype === 'varchar' && length > SORTED_CHARACTERS);

/** The cursor behind a row. */
export const encodeCursor = ({ resource, sort, fingerprint }: SortedList, last: Row): string =>
  writeCursor(
    fingerprint,
    sort.map(({ column }) => sortedPart(resource.fields.get(column), last[column] ?? null)),
  );

/** A cursor of the list with that fingerprint. */
export const writeCursor = (list: string, values: readonly Stored[]): string =>
  Buffer.from(JSON.stringify([list, ...values])).toString('base64url');

const sortedPart = (field: Field | undefined, value: Stored): Stored =>
  field && isSortedByBeginning(field) && typeof value === 'string'
    ? Array.from(value.slice(0, 2 * SORTED_CHARACTERS))
        .slice(0, SORTED_CHARACTERS)
        .join('')
    : value;

/** The values of the sort keys. Throws Problem if encodeCursor would not make this text for this list. */
export function decodeCursor({ resource, sort, fingerprint }: SortedList, text: string): Stored[] {
  const values = findCursor(
    fingerprint,
    text,
    (parts) =>
      parts.length === sort.length && sort.every(({ column }, index) => isOf(resource, column, parts[index])),
  );
  if (values) return values;
  throw problem('parameter_invalid', { field: 'cursor', reason: 'value is not a cursor of this list' });
}

/** The values of a cursor; undefined if the cursor is of another list, or its values do not fit. */
export function findCursor(
  list: string,
  text: string,
  suits: (values: unknown[]) => boolean,
): Stored[] | undefined {
  const values = valuesIn(text);
  return values && suits(values) && writeCursor(list, values as Stored[]) === text
    ? (values as Stored[])
    : undefined;
}

function valuesIn(text: string): unknown[] | undefined {
  try {
    const [, ...values] = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[];
    return values;
  } catch {
    return undefined;
  }
}

function isOf(resource: Resource, column: string, value: unknown): boolean {
  const field = resource.fields.get(column);
  if (!field) return false;
  if (value === null) return isNullable(field);
  if (field.datatype === 'int4') return typeof value === 'number' && field.parse(String(value)) === value;
  const list = NAMED_LISTS[field.kind];
  if (list) return nameOf(list, Number(value)) !== undefined;
  if (typeof value !== 'string') return false;
  if (field.datatype === 'timestamp') return field.parse(formatTimestamp(value)) === value;
  return field.parse(value) !== undefined && comparable(field, value) === value;
}
