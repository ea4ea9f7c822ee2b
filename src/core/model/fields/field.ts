// The kinds of field. One call says everything about a column: what a request may hold (a JSON Schema, compiled by
// ajv), how the value is stored and how it is shown. Integers are stored as numbers. All other values are text:
// decimals and instants stay exact until they leave the service.
import type { Violation } from '../../errors.ts';
import { LISTS, type ListName, type ListValue } from '../../trade/lists.ts';
import { type Kind, NAMED_LISTS, type NamedKind } from './encode.ts';
import type { Options, Validation } from './options.ts';
import { checker, PARSERS } from './value.ts';

export type Datatype = 'varchar' | 'text' | 'timestamp' | 'float8' | 'int4' | 'bytea' | 'varchar[]';

/** The value of a column. */
export type Stored = string | number | null;
/** A record as the database has it, by column name. */
export type Row = Record<string, Stored>;

/** The result of a check. `stored` is set only without a violation. */
export interface Checked {
  readonly stored: Stored;
  readonly violation?: Violation;
  /** Further violations, of a value with several elements. */
  readonly more?: readonly Violation[];
  /** Required fields that elements of the value lack. The stage of required fields refuses them. */
  readonly missing?: readonly Violation[];
}

export interface Field<Value extends Stored = Stored> extends Options {
  /** Never set: it carries the type of the column's values. */
  readonly value?: Value;
  readonly datatype: Datatype;
  /** varchar, text: most characters; bytea: most bytes. */
  readonly length?: number;
  /** float8: decimals kept. */
  readonly scale?: number;
  readonly primary?: boolean;
  readonly reference?: string;
  readonly list?: ListName;
  /** varchar[]: the names that an element may be. A function, because they may be known only later. */
  readonly elements?: () => readonly string[];
  /** timestamp: the field whose instant must come before. */
  readonly after?: string;
  readonly validation?: Validation;
  /** The value of the column if none is given, or if null empties it. */
  readonly fallback: Stored;
  readonly schema: Schema;
  /** Checks one value of a request body. */
  readonly check: (name: string, value: unknown, next: Row) => Checked;
  /** Reads a value of the query string (filters); undefined if the value is not of the datatype. */
  readonly parse: (text: string) => Stored | undefined;
  /** How a stored value is shown. */
  readonly kind: Kind;
}

export type Fields = Readonly<Record<string, Field>>;
type ValueOf<F> = F extends Field<infer V> ? V : never;
/** The typed row of a set of fields. */
export type RowOf<F extends Fields> = { -readonly [K in keyof F]: ValueOf<F[K]> };

/** The JSON Schema of a field, as it also stands in the OpenAPI document. */
export interface Schema {
  type: 'string' | 'integer' | 'number' | 'array' | 'object';
  format?: string;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMaximum?: number;
  /** A value that is refused. */
  readonly not?: { readonly const: number };
  readonly enum?: readonly (number | string)[];
  contentEncoding?: string;
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  minItems?: number;
  maxItems?: number;
}

type Maybe<V extends Stored, O> = O extends { required: true } ? V : V | null;
/** Makes a field of one kind. A field that is not required may be null. */
type Maker<V extends Stored, More = unknown> = <const O extends Options & More>(
  options?: O,
) => Field<Maybe<V, O>>;

interface Validated {
  readonly validation?: Validation;
}

interface Range {
  readonly min?: number;
  readonly max?: number;
  /** Refuses 0, and numbers that round to 0. */
  readonly nonzero?: boolean;
}

const TEXT_LENGTH = 16_000;

export const varchar = <const O extends Options & Validated>(
  length: number,
  options?: O,
): Field<Maybe<string, O>> =>
  build(
    { datatype: 'varchar', length, schema: { type: 'string', maxLength: length, format: 'text' } },
    options,
  );

export const text: Maker<string, Validated> = (options) =>
  build(
    {
      datatype: 'text',
      length: TEXT_LENGTH,
      schema: { type: 'string', maxLength: TEXT_LENGTH, format: 'text' },
    },
    options,
  );

/** An instant, kept to the millisecond in UTC. `after` names the field that must lie before it. */
export const timestamp: Maker<string, { after?: string }> = (options) =>
  build({ datatype: 'timestamp', schema: { type: 'string', format: 'date-time' } }, options);

/** A day, `YYYY-MM-DD`. Stored as midnight in UTC; the reader knows the calendar. */
export const day: Maker<string> = (options) =>
  build({ datatype: 'timestamp', schema: { type: 'string', format: 'date' } }, options);

export const int4: Maker<number, Range> = (options) =>
  build({ datatype: 'int4', schema: { type: 'integer', format: 'int32', ...bounds(options) } }, options);

/** An exact decimal with `scale` decimals; more are rounded, half away from zero. */
const decimal =
  (scale: number): Maker<string, Range> =>
  (options) =>
    build(
      { datatype: 'float8', scale, schema: { type: 'number', format: 'double', ...bounds(options) } },
      options,
    );

/** An amount in euros, two decimals. */
export const money = decimal(2);

/** A quantity, a percentage or a price a piece: four decimals. */
export const quantity = decimal(4);

/** 0 or 1; 0 if none is given. */
export const flag = (options?: Options): Field<number> =>
  build(
    {
      datatype: 'int4',
      schema: { type: 'integer', format: 'int32', enum: [0, 1] },
      validationName: '0,1',
      fallback: 0,
    },
    options,
  );

/** One integer of a list that `/util/list` serves. */
export const choice = <const L extends ListName, const O extends Options & { fallback?: ListValue<L> }>(
  list: L,
  options?: O,
): Field<O extends { required: true } | { fallback: number } ? number : number | null> =>
  build(
    {
      datatype: 'int4',
      list,
      schema: { type: 'integer', format: 'int32', enum: Object.values(LISTS[list]) },
      validationName: list,
    },
    options,
  );

/** One of a few words. */
export const word = <const W extends string, const O extends Options>(
  words: readonly W[],
  options?: O,
): Field<Maybe<W, O>> =>
  build(
    { datatype: 'varchar', schema: { type: 'string', enum: words }, validationName: words.join(',') },
    options,
  );

/** A number of a list, shown and filtered by its name in lower case. */
const named =
  (kind: NamedKind): Maker<number> =>
  (options) => {
    const list = Object.entries(LISTS[NAMED_LISTS[kind]]);
    const numbers = new Map(list.map(([name, value]) => [name.toLowerCase(), value]));
    const schema: Schema = { type: 'string', enum: [...numbers.keys()] };
    return { ...build({ datatype: 'varchar', kind, schema }, options), parse: (name) => numbers.get(name) };
  };

/** The status of a job: a number of `jobstatuses`. */
export const jobStatus = named('jobstatus');

/** The kind of a change: a number of `changeactions`. */
export const changeAction = named('changeaction');

/** The ID of a record of another resource, of the same owner. The field's name is `<role>_id`. */
export const reference = <const O extends Options>(resource: string, options?: O): Field<Maybe<number, O>> =>
  build({ datatype: 'int4', reference: resource, schema: { type: 'integer', format: 'int32' } }, options);

/**
 * Bytes, as base64 everywhere: in requests, in answers and in the column. Large bytes are `writeOnly`, have no column,
 * and the resource's own hooks store them.
 */
export const bytea = <const O extends Options & Validated>(
  length: number,
  options?: O,
): Field<Maybe<string, O>> =>
  build(
    { datatype: 'bytea', length, schema: { type: 'string', format: 'base64', contentEncoding: 'base64' } },
    options,
  );

/** A readonly object or array that is stored as JSON text. */
export function json(schema: Schema & Record<string, unknown>, options: Options = {}): Field<string> {
  const fallback = schema.type === 'array' ? '[]' : '{}';
  return build({ datatype: 'text', kind: 'json', schema, fallback }, { ...options, readonly: true });
}

/** The same, but some rows have no object. */
export function optionalJson(schema: Schema & Record<string, unknown>, options: Options = {}): Field {
  return { ...json(schema, options), fallback: null };
}

export function primaryId(): Field<number> {
  return build(
    { datatype: 'int4', primary: true, schema: { type: 'integer', format: 'int32', minimum: 1 } },
    { readonly: true, required: false, description: 'Primary ID, given by the service' },
  );
}

function bounds({ min, max, nonzero }: Range = {}): Pick<Schema, 'minimum' | 'maximum' | 'not'> {
  return {
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
    ...(nonzero ? { not: { const: 0 } } : {}),
  };
}

export type Draft = Partial<Omit<Field, 'value'>> &
  Pick<Field, 'datatype' | 'schema'> & { validationName?: string };

function build<V extends Stored>(draft: Draft, options: Options & Range & Validated = {}): Field<V> {
  const { validationName = rangeName(draft.schema) ?? '', ...kind } = draft;
  const field = { fallback: null, kind: KINDS[draft.datatype], ...kind, ...options };
  return {
    ...field,
    check: checker(field, validationName),
    parse: PARSERS[field.datatype],
  };
}

/** The range of a number as messages and /model name it; undefined if any number will do. */
export function rangeName({ minimum, maximum, not }: Schema): string | undefined {
  if (not) return `not ${not.const}`;
  if (minimum === undefined) return undefined;
  return maximum === undefined ? `>=${minimum}` : `${minimum}..${maximum}`;
}

/** The field within whose records its values are unique. Undefined: owner or table is, or they are not unique. */
export const uniqueWithin = ({ unique }: Pick<Field, 'unique'>): string | undefined =>
  unique === 'owner' || unique === 'all' ? undefined : unique;

/** Whether its column may hold null. */
export const isNullable = (field: Field | undefined): boolean =>
  !(field?.required || field?.primary || field?.fallback !== null);

const KINDS: Record<Datatype, Kind> = {
  varchar: 'text',
  text: 'text',
  timestamp: 'timestamp',
  float8: 'decimal',
  int4: 'integer',
  bytea: 'text',
  'varchar[]': 'json',
};
