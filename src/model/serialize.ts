// Turns rows into JSON text. One function is made for each resource and selection of fields, once: keys are
// written out beforehand, so that a row costs one pass and no object in between.
import { ENCODERS } from './encode.ts';
import type { Row } from './field.ts';
import type { Resource } from './record.ts';

export type Serializer = (row: Row) => string;

/** By the list of columns: a resource's own is always the same one. */
const made = new WeakMap<readonly string[], Serializer>();

export function serializer(resource: Resource, columns: readonly string[] = resource.columns): Serializer {
  const known = made.get(columns) ?? makeSerializer(resource, columns);
  made.set(columns, known);
  return known;
}

function makeSerializer(resource: Resource, columns: readonly string[]): Serializer {
  const parts = columns.map((name, index) => {
    const key = `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`;
    return { name, key, empty: `${key}null`, encode: ENCODERS[resource.fields.get(name)?.kind ?? 'text'] };
  });
  return (row) => {
    let json = '';
    for (const { name, key, empty, encode } of parts) {
      const stored = row[name] ?? null;
      json += stored === null ? empty : key + encode(stored);
    }
    return `${json}}`;
  };
}
