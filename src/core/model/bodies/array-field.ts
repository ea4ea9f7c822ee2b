// Fields that hold several values. The stored form is the JSON of the array. Several integers stand in forms only: no
// table has such a column.
import { inside, type Violation, violation } from '../../errors.ts';
import { type Field, type Fields, int4, type Row, type Schema } from '../fields/field.ts';
import { PARSERS, refused } from '../fields/value.ts';
import type { Shape } from '../records/record.ts';
import { isBody, missingFields, readInside } from './check.ts';
import { formShape } from './form.ts';

interface ArrayOptions {
  /** The most elements. The least is 1. */
  readonly most: number;
  readonly description?: string;
}

const element = int4();

/** An array of int4, required, of 1 to `most` elements. */
export function int4Array({ most, description }: ArrayOptions): Field<string> {
  const items: Schema = { type: 'integer', format: 'int32' };
  return {
    datatype: 'int4',
    required: true,
    description,
    fallback: '[]',
    schema: { type: 'array', items, minItems: 1, maxItems: most },
    check: (field, value) => {
      const [found, ...more] = wrongIntegers(field, value, most);
      return found ? refused(found, more) : { stored: JSON.stringify(value) };
    },
    parse: () => undefined,
    kind: 'json',
  };
}

function wrongIntegers(field: string, value: unknown, most: number): Violation[] {
  if (!Array.isArray(value)) return [violation('value_wrong_type', { field, value, datatype: 'int4[]' })];
  if (value.length === 0) return [violation('array_empty', { field })];
  if (value.length > most)
    return [violation('value_invalid', { field, value: value.length, validation: `1..${most}` })];
  return value.flatMap((item) => wrongElement(field, item) ?? []);
}

/** Null is allowed as the value of a field, but not as an element. */
const wrongElement = (field: string, value: unknown): Violation | undefined =>
  value === null
    ? violation('value_wrong_type', { field, value, datatype: 'int4' })
    : element.check(field, value, {}).violation;

/** An array of 1 to `most` objects with these fields. Stands in forms only, like an array of integers. */
export function objectArray(
  name: string,
  fields: Fields,
  { most, description }: ArrayOptions,
): Field<string | null> {
  const shape = formShape(name, fields);
  const entries = Object.entries(fields);
  const items: Schema = {
    type: 'object',
    properties: Object.fromEntries(entries.map(([field, { schema }]) => [field, schema])),
    required: entries.flatMap(([field, { required }]) => (required ? [field] : [])),
  };
  return {
    // No datatype fits. With this one, the description shows how `check` refuses a text.
    datatype: 'int4',
    description,
    fallback: null,
    schema: { type: 'array', items, minItems: 1, maxItems: most },
    check: (field, value) => {
      if (value === null) return { stored: null };
      if (!Array.isArray(value))
        return refused(violation('value_wrong_type', { field, value, datatype: `${field}[]` }));
      if (value.length === 0) return refused(violation('array_empty', { field }));
      if (value.length > most) return refused(tooMany(field, value.length, most));
      const all: Violation[] = [];
      const read = value.map((element: unknown, index) => {
        const one = readElement(shape, { path: `${field}[${index}]`, before: all.length }, element);
        all.push(...one.found);
        return one;
      });
      const [found, ...more] = all;
      if (found) return refused(found, more);
      const missing = read.flatMap((element) => element.missing());
      return { stored: JSON.stringify(read.map(({ next }) => next)), missing };
    },
    parse: () => undefined,
    kind: 'json',
  };
}

const tooMany = (field: string, count: number, most: number): Violation =>
  violation('value_invalid', { field, value: count, validation: `at most ${most}` });

interface Element {
  readonly next: Row;
  readonly found: readonly Violation[];
  readonly missing: () => readonly Violation[];
}

function readElement(shape: Shape, place: { path: string; before: number }, element: unknown): Element {
  const { path } = place;
  if (!isBody(element)) {
    const found = [violation('value_wrong_type', { field: path, value: element, datatype: shape.name })];
    return { next: {}, found, missing: () => [] };
  }
  const { next, found } = readInside(shape, element, place);
  const missing = () => missingFields(shape, element, next, true).map((one) => inside(one, path));
  return { next, found, missing };
}

interface NameArrayOptions {
  /** The names that an element may be. A function, because the resources are not known when fields are declared. */
  readonly elements: () => readonly string[];
  /** The validation, as messages name it. */
  readonly named: string;
  /** The value if none is given, or if null empties it. */
  readonly fallback: readonly string[];
  readonly description?: string;
}

/** Most characters of the stored JSON: enough for all names. */
const LONGEST = 2_000;
/** More than there are. The schema has no limit, because version 1.0.0 named none. */
const MOST_NAMES = 1_000;

/** An array of at least one of the given names. The same name counts once. */
export function nameArray({ elements, named, fallback, description }: NameArrayOptions): Field<string> {
  const items: Schema = {
    type: 'string',
    get enum() {
      return elements();
    },
  };
  const wrongName = (known: ReadonlySet<string>, field: string, value: unknown): Violation | undefined => {
    if (typeof value !== 'string')
      return violation('value_wrong_type', { field, value, datatype: 'varchar' });
    return known.has(value) ? undefined : violation('value_invalid', { field, value, validation: named });
  };
  return {
    datatype: 'varchar[]',
    length: LONGEST,
    description,
    fallback: JSON.stringify(fallback),
    schema: { type: 'array', items, minItems: 1 },
    elements,
    check: (field, value) => {
      if (value === null) return { stored: JSON.stringify(fallback) };
      if (!Array.isArray(value))
        return refused(violation('value_wrong_type', { field, value, datatype: 'varchar[]' }));
      if (value.length === 0) return refused(violation('array_empty', { field }));
      if (value.length > MOST_NAMES) return refused(tooMany(field, value.length, MOST_NAMES));
      const known = new Set(elements());
      const [found, ...more] = value.flatMap((name) => wrongName(known, field, name) ?? []);
      return found ? refused(found, more) : { stored: JSON.stringify([...new Set(value)]) };
    },
    parse: PARSERS['varchar[]'],
    kind: 'json',
  };
}
