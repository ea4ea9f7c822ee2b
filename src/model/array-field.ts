// A field of a form that holds several integers. No table has such a column: the stored form is the JSON of the array.
import { type Violation, violation } from '../errors.ts';
import { type Field, int4, type Row, type Schema } from './field.ts';

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
      const [found, ...more] = refused(field, value, most);
      return found ? { stored: null, violation: found, more } : { stored: JSON.stringify(value) };
    },
    parse: () => undefined,
    kind: 'json',
  };
}

function refused(field: string, value: unknown, most: number): Violation[] {
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
    : element.check(field, value, NOTHING).violation;

const NOTHING: Row = {};
