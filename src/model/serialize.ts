// Turns rows into JSON text. One function is made for each resource and selection of fields, once: keys are
// written out beforehand, so that a row costs one pass and no object in between.
import type { Row } from './field.ts';
import type { Resource } from './record.ts';

export type Serializer = (row: Row) => string;

/** `extra` may add text after the last field, such as expanded relations: `,"contact":{…}`. */
export function serializer(resource: Resource, columns: readonly string[] = resource.columns): Serializer {
  const parts = columns.map((name, index) => ({
    name,
    key: `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`,
    encode: resource.fields.get(name)?.encode ?? (() => 'null'),
  }));
  return (row) => {
    let json = '';
    for (const part of parts) json += part.key + part.encode(row[part.name] ?? null);
    return `${json}}`;
  };
}
