// The kinds of field. One call knows all about its column: what a request may hold (JSON Schema, compiled
// by ajv), how it is stored and how it is shown. Stored values are numbers, and text for all else:
// decimals and instants stay exact text until they leave the service.
import { Ajv, type ValidateFunction } from 'ajv';
import { type Code, type Violation, violation } from '../errors.ts';
import { plainDecimal, roundTo } from '../trade/decimal.ts';
import { LISTS, type ListName, type ListValue } from '../trade/lists.ts';
import { parseTimestamp } from '../trade/timestamp.ts';
import type { Kind } from './encode.ts';

export type Datatype = 'varchar' | 'text' | 'timestamp' | 'float8' | 'int4' | 'bytea';

/** What a column holds. */
export type Stored = string | number | null;
/** A record as the database has it, by column name. */
export type Row = Record<string, Stored>;

/** A custom check that also brings the value into its stored form; undefined is "invalid". */
export interface Validation {
  /** As messages name it: `… for validation: [<name>]`. */
  readonly name: string;
  /** The other field that the outcome hangs on, if any. */
  readonly dependsOn?: string;
  readonly normalise: (value: string, next: Row) => string | undefined;
}

interface Options {
  readonly required?: boolean;
  readonly readonly?: boolean;
  /** `owner`: unique among the owner's records; `all`: among everybody's; else the field that it is unique within. */
  readonly unique?: string;
  /** The column that holds what is compared, and how it is made of a value, where that is not the value itself. */
  readonly uniqueColumn?: { readonly name: string; readonly of: (value: string) => string };
  /** May be given once, with POST. The code is what a PUT with another value is refused with. */
  readonly fixed?: boolean | Code;
  /** Whether a fixed value is the one that the record has, where no column holds it to compare. */
  readonly same?: (stored: Stored, previous: Row) => boolean;
  /** Accepted, never shown; it has no column of its own name. */
  readonly writeOnly?: boolean;
  /** The resource of which the object is a record as it once was, with the IDs that it and its references have. */
  readonly copyOf?: string;
  readonly description?: string;
}

export interface Field<Value extends Stored = Stored> extends Options {
  readonly datatype: Datatype;
  /** varchar, text: most characters; bytea: most bytes. */
  readonly length?: number;
  /** float8: decimals kept. */
  readonly scale?: number;
  readonly primary?: boolean;
  readonly reference?: string;
  readonly list?: ListName;
  /** timestamp: the field whose instant must come before. */
  readonly after?: string;
  readonly validation?: Validation;
  /** What the column holds where nothing is given, or null empties it. */
  readonly fallback: Value;
  readonly schema: Schema;
  /** Checks one value of a request body; `stored` is set only where there is no violation. */
  readonly check: (name: string, value: unknown, next: Row) => { stored: Stored; violation?: Violation };
  /** Reads a value of the query string (filters); undefined where it is not of the datatype. */
  readonly parse: (text: string) => Stored | undefined;
  /** How a stored value is shown. */
  readonly kind: Kind;
}

export type Fields = Readonly<Record<string, Field>>;
export type ValueOf<F> = F extends Field<infer V> ? V : never;
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
  enum?: readonly number[];
  contentEncoding?: string;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
}

type Maybe<V extends Stored, O> = O extends { required: true } ? V : V | null;

const INT4_MIN = -2147483648;
const INT4_MAX = 2147483647;
const TEXT_LENGTH = 16_000;
const DIGITS_BEFORE_POINT = 14;

const ajv = new Ajv({ allErrors: true, strictTypes: false });
ajv.addFormat('date-time', {
  type: 'string',
  validate: (text: string) => parseTimestamp(text) !== undefined,
});
ajv.addFormat('int32', {
  type: 'number',
  validate: (value: number) => Number.isInteger(value) && value >= INT4_MIN && value <= INT4_MAX,
});
ajv.addFormat('double', { type: 'number', validate: (value: number) => Number.isFinite(value) });
// A lone half of a surrogate pair is no UTF-8 text: it would be stored as another character.
ajv.addFormat('text', { type: 'string', validate: (text: string) => text.isWellFormed() });
ajv.addFormat('base64', { type: 'string', validate: isBase64 });

export function varchar<const O extends Options & { validation?: Validation }>(
  length: number,
  options: O = {} as O,
): Field<Maybe<string, O>> {
  return build(
    { datatype: 'varchar', length, schema: { type: 'string', maxLength: length, format: 'text' } },
    options,
  );
}

export function text<const O extends Options & { validation?: Validation }>(
  options: O = {} as O,
): Field<Maybe<string, O>> {
  return build(
    {
      datatype: 'text',
      length: TEXT_LENGTH,
      schema: { type: 'string', maxLength: TEXT_LENGTH, format: 'text' },
    },
    options,
  );
}

/** An instant, kept to the millisecond in UTC. `after` names the field that must lie before it. */
export function timestamp<const O extends Options & { after?: string }>(
  options: O = {} as O,
): Field<Maybe<string, O>> {
  return build({ datatype: 'timestamp', schema: { type: 'string', format: 'date-time' } }, options);
}

interface Range {
  readonly min?: number;
  readonly max?: number;
}

export function int4<const O extends Options & Range>(options: O = {} as O): Field<Maybe<number, O>> {
  return build(
    { datatype: 'int4', schema: { type: 'integer', format: 'int32', ...bounds(options) } },
    options,
  );
}

/** An exact decimal with `scale` decimals; more are rounded, half away from zero. */
function decimal<const O extends Options & Range>(scale: number, options: O): Field<Maybe<string, O>> {
  return build(
    { datatype: 'float8', scale, schema: { type: 'number', format: 'double', ...bounds(options) } },
    options,
  );
}

/** An amount in euros, two decimals. */
export function money<const O extends Options & Range>(options: O = {} as O): Field<Maybe<string, O>> {
  return decimal(2, options);
}

/** A quantity, a percentage or a price a piece: four decimals. */
export function quantity<const O extends Options & Range>(options: O = {} as O): Field<Maybe<string, O>> {
  return decimal(4, options);
}

/** 0 or 1; 0 where nothing is given. */
export function flag<const O extends Options>(options: O = {} as O): Field<number> {
  return build(
    {
      datatype: 'int4',
      schema: { type: 'integer', format: 'int32', enum: [0, 1] },
      validationName: '0,1',
      fallback: 0,
    },
    options,
  );
}

/** One integer of a list that `/util/list` serves. */
export function choice<const L extends ListName, const O extends Options & { fallback?: ListValue<L> }>(
  list: L,
  options: O = {} as O,
): Field<O extends { required: true } | { fallback: number } ? number : number | null> {
  return build(
    {
      datatype: 'int4',
      list,
      schema: { type: 'integer', format: 'int32', enum: Object.values(LISTS[list]) },
      validationName: list,
    },
    options,
  );
}

/** The ID of a record of another resource, of the same owner. The field's name is `<role>_id`. */
export function reference<const O extends Options>(
  resource: string,
  options: O = {} as O,
): Field<Maybe<number, O>> {
  return build(
    { datatype: 'int4', reference: resource, schema: { type: 'integer', format: 'int32' } },
    options,
  );
}

/** Base64 in the request; what becomes of the bytes is the resource's own affair. */
export function bytea<const O extends Options>(
  length: number,
  options: O = {} as O,
): Field<Maybe<string, O>> {
  return build(
    { datatype: 'bytea', length, schema: { type: 'string', format: 'base64', contentEncoding: 'base64' } },
    options,
  );
}

/** A readonly object that is stored as JSON text. */
export function json(schema: Schema & Record<string, unknown>, options: Options = {}): Field<string> {
  return build({ datatype: 'text', kind: 'json', schema, fallback: '{}' }, { ...options, readonly: true });
}

export function primaryId(): Field<number> {
  return build(
    { datatype: 'int4', primary: true, schema: { type: 'integer', format: 'int32', minimum: 1 } },
    { readonly: true, required: false, description: 'Primary ID, given by the service' },
  );
}

function bounds({ min, max }: Range): Pick<Schema, 'minimum' | 'maximum'> {
  return { ...(min === undefined ? {} : { minimum: min }), ...(max === undefined ? {} : { maximum: max }) };
}

type Draft = Partial<Field> & Pick<Field, 'datatype' | 'schema'> & { validationName?: string };

function build<V extends Stored>(
  draft: Draft,
  options: Options & Range & { validation?: Validation },
): Field<V> {
  const { validationName = rangeName(options), ...kind } = draft;
  const field = { fallback: null, kind: KINDS[draft.datatype], ...kind, ...options };
  return {
    ...field,
    check: checker(field, validator(field.schema), validationName),
    parse: PARSERS[field.datatype],
  } as unknown as Field<V>;
}

const validators = new Map<string, ValidateFunction>();

/** Compiled once for all fields of the same schema. */
function validator(schema: Schema): ValidateFunction {
  const key = JSON.stringify(schema);
  const valid = validators.get(key) ?? ajv.compile(schema);
  validators.set(key, valid);
  return valid;
}

const rangeName = ({ min, max }: Range) => (max === undefined ? `>=${min}` : `${min}..${max}`);

function checker(
  field: Draft & { fallback: Stored; validation?: Validation },
  valid: ValidateFunction,
  validationName: string,
): Field['check'] {
  const { datatype, length, scale, validation } = field;
  const tooLong = (name: string, characters: number) =>
    violation('value_too_long', { field: name, length: characters, datatype, limit: length ?? 0 });
  const invalid = (name: string, value: unknown, rule: string) =>
    violation('value_invalid', { field: name, value, validation: rule });

  // Of texts that have to be unique the empty one would be nobody's own: it is none at all.
  const kept = (text: Stored) => ({
    stored: text === '' && field.unique !== undefined ? field.fallback : text,
  });

  return (name, value, next) => {
    if (value === null) return { stored: field.fallback };
    if (!valid(value)) {
      const broken = new Set(valid.errors?.map((error) => error.keyword));
      if (broken.has('type') || broken.has('format')) {
        return {
          stored: null,
          violation: violation('value_wrong_type', { field: name, value, datatype: wireName(datatype) }),
        };
      }
      if (broken.has('maxLength'))
        return { stored: null, violation: tooLong(name, countCharacters(String(value))) };
      return { stored: null, violation: invalid(name, value, validationName) };
    }
    if (datatype === 'timestamp') return { stored: parseTimestamp(value as string) ?? null };
    if (datatype === 'float8') {
      const stored = roundTo(String(value), scale ?? 4);
      const tooLarge = largeAmount(name, stored, value);
      return tooLarge ? { stored: null, violation: tooLarge } : { stored };
    }
    if (datatype === 'bytea' && length !== undefined) {
      const bytes = Buffer.byteLength(value as string, 'base64');
      if (bytes > length) return { stored: null, violation: tooLong(name, bytes) };
    }
    if (validation) {
      const stored = validation.normalise(value as string, next);
      // Capitals can be longer than what they were made of.
      return stored === undefined || countCharacters(stored) > (length ?? Number.POSITIVE_INFINITY)
        ? { stored: null, violation: invalid(name, value, validation.name) }
        : kept(stored);
    }
    return kept(value as Stored);
  };
}

/** Whether its column may hold null. */
export const isNullable = (field: Field | undefined): boolean =>
  !(field?.required || field?.primary || field?.fallback !== null);

/** The datatype as the specification's messages write it. */
export const wireName = (datatype: Datatype) => (datatype === 'timestamp' ? 'timestamp(ISO 8601)' : datatype);

/** The violation of an amount that no column holds; undefined where it fits. */
export function largeAmount(
  name: string,
  amount: string,
  value: unknown = Number(amount),
): Violation | undefined {
  if (digitsBeforePoint(amount) <= DIGITS_BEFORE_POINT) return undefined;
  return violation('value_invalid', { field: name, value, validation: `${DIGITS_BEFORE_POINT} digits` });
}

function digitsBeforePoint(fixed: string): number {
  const point = fixed.indexOf('.');
  return (point < 0 ? fixed.length : point) - (fixed.startsWith('-') ? 1 : 0);
}

function countCharacters(value: string): number {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
}

function isBase64(value: string): boolean {
  return value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value);
}

const wellFormed = (value: string) => (value.isWellFormed() ? value : undefined);

const PARSERS: Record<Datatype, Field['parse']> = {
  varchar: wellFormed,
  text: wellFormed,
  timestamp: parseTimestamp,
  float8: plainDecimal,
  int4: (value) => {
    const number = Number(value);
    return /^-?\d{1,10}$/.test(value) && number >= INT4_MIN && number <= INT4_MAX ? number : undefined;
  },
  bytea: () => undefined,
};

const KINDS: Record<Datatype, Kind> = {
  varchar: 'text',
  text: 'text',
  timestamp: 'timestamp',
  float8: 'decimal',
  int4: 'integer',
  bytea: 'text',
};
