// Where a list goes on: an opaque text with the sort keys of the last row seen, so that a page costs the same
// at any depth, and rows that come and go meanwhile move no other. Nothing in it is believed unread.
import { problem } from '../errors.ts';
import { formatTimestamp } from '../trade/timestamp.ts';
import { type Clause, markOf, valuesOf, where } from './clause.ts';
import { type Field, isNullable, type Row, type Stored } from './field.ts';
import type { ListQuery } from './list-query.ts';
import type { Resource } from './record.ts';

export interface SortKey {
  readonly column: string;
  readonly descending: boolean;
}

type Place = Pick<ListQuery, 'resource' | 'sort' | 'fingerprint'>;

// A text is ordered by its beginning, as long as a varchar can be: a whole one would fit neither a cursor in
// an address nor what the server compares when it sorts (1,024 bytes).
const SORTED_CHARACTERS = 255;

/** The order of the table that is called `t`. */
export const orderBy = (resource: Resource, sort: readonly SortKey[]): string =>
  sort.map((key) => `${sorted(resource, key.column)}${key.descending ? ' DESC' : ''}`).join(', ');

const sorted = ({ fields }: Resource, column: string) =>
  fields.get(column)?.datatype === 'text' ? `LEFT(t.${column}, ${SORTED_CHARACTERS})` : `t.${column}`;

/** The place after a row. */
export const encodeCursor = (place: Place, last: Row): string =>
  writeCursor(
    place.fingerprint,
    place.sort.map(({ column }) => sortedPart(place.resource.fields.get(column), last[column] ?? null)),
  );

/** A place in the list of that fingerprint. */
export const writeCursor = (list: string, values: readonly Stored[]): string =>
  Buffer.from(JSON.stringify([list, ...values])).toString('base64url');

const sortedPart = (field: Field | undefined, value: Stored): Stored =>
  field?.datatype === 'text' && typeof value === 'string'
    ? Array.from(value.slice(0, 2 * SORTED_CHARACTERS))
        .slice(0, SORTED_CHARACTERS)
        .join('')
    : value;

/** The sort keys' values. Throws Problem where the text is not what encodeCursor would give for this list. */
export const decodeCursor = ({ resource, sort, fingerprint }: Place, text: string): Stored[] =>
  readCursor(
    fingerprint,
    text,
    (values) =>
      values.length === sort.length &&
      sort.every(({ column }, index) => isOf(resource, column, values[index])),
  );

/** The values of a place. Throws Problem where it is none of that list, or its values do not fit. */
export function readCursor(list: string, text: string, suits: (values: unknown[]) => boolean): Stored[] {
  const values = valuesIn(text);
  if (values && suits(values) && writeCursor(list, values as Stored[]) === text) return values as Stored[];
  throw problem('parameter_invalid', { field: 'cursor', reason: 'value is not a cursor of this list' });
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
  if (typeof value !== 'string') return false;
  if (field.datatype === 'timestamp') return field.parse(formatTimestamp(value)) === value;
  return field.parse(value) !== undefined;
}

/** Rows that come after the given values of the sort keys. Empty values sort before all others. */
export function afterClause({ sort, resource }: ListQuery, after: readonly Stored[]): Clause {
  const ways: Clause[] = [];
  const equal: Clause[] = [];
  sort.forEach(({ column, descending }, index) => {
    const field = resource.fields.get(column);
    const [value, mark, key] = [after[index] ?? null, markOf(field), sorted(resource, column)];
    const values = value === null ? [] : [value];
    const beyond = beyondValue(key, mark, {
      isNull: value === null,
      descending,
      nullable: isNullable(field),
    });
    if (beyond !== undefined) {
      ways.push({
        sql: where([...equal.map(({ sql }) => sql), beyond]),
        values: [...valuesOf(equal), ...values],
      });
    }
    equal.push({ sql: value === null ? `t.${column} IS NULL` : `${key} = ${mark}`, values });
  });
  return { sql: `(${ways.map(({ sql }) => `(${sql})`).join(' OR ')})`, values: valuesOf(ways) };
}

/** What comes after a value; undefined where nothing can. */
function beyondValue(
  key: string,
  mark: string,
  { isNull, descending, nullable }: { isNull: boolean; descending: boolean; nullable: boolean },
): string | undefined {
  if (!descending) return isNull ? `${key} IS NOT NULL` : `${key} > ${mark}`;
  if (isNull) return undefined;
  return nullable ? `(${key} < ${mark} OR ${key} IS NULL)` : `${key} < ${mark}`;
}
