// Turns rows into JSON text, by one function for each resource and selection of fields. The function has the keys
// ready, so a row takes one pass and no object in between.
import { ENCODERS, type Kind } from '../fields/encode.ts';
import type { Row, Stored } from '../fields/field.ts';
import { type Resource, VERSION } from './record.ts';

type Serializer = (row: Row) => string;

/** By the array of columns: a resource always gives the same array. */
const made = new WeakMap<readonly string[], Serializer>();

export function serializer(resource: Resource, columns: readonly string[] = resource.columns): Serializer {
  const known = made.get(columns) ?? makeSerializer(resource, columns);
  made.set(columns, known);
  return known;
}

const makeSerializer = (resource: Resource, columns: readonly string[]): Serializer =>
  rowSerializer(shownColumns(resource, columns), ({ name }) => name);

/** A column that is shown, and how its values become JSON. */
export interface ShownColumn {
  readonly name: string;
  readonly kind: Kind;
}

export const shownColumns = ({ fields }: Resource, columns: readonly string[]): ShownColumn[] =>
  columns.map((name) => ({ name, kind: fields.get(name)?.kind ?? (name === VERSION ? 'integer' : 'text') }));

/** Makes the function that shows rows. `at` says where a row has a column: under its name, or at its index. */
export function rowSerializer<Key extends string | number>(
  columns: readonly ShownColumn[],
  at: (column: ShownColumn, index: number) => Key,
): (row: Readonly<Record<Key, Stored>>) => string {
  const parts = columns.map((column, index) => {
    const name = `${index === 0 ? '{' : ','}${JSON.stringify(column.name)}:`;
    return { key: at(column, index), name, empty: `${name}null`, encode: ENCODERS[column.kind] };
  });
  return (row) => {
    let json = '';
    for (const { key, name, empty, encode } of parts) {
      const stored = row[key] ?? null;
      json += stored === null ? empty : name + encode(stored);
    }
    return `${json}}`;
  };
}
