// Checks the values of request bodies and reads the values of query strings. JSON Schema (compiled by ajv) does most of
// it; this file adds the checks of datatypes that JSON Schema lacks.
import { Ajv, type ValidateFunction } from 'ajv';
import { HIDDEN, type Violation, violation } from '../../errors.ts';
import { plainDecimal, roundTo } from '../../trade/decimal.ts';
import { parseTimestamp } from '../../trade/time/timestamp.ts';
import type { Checked, Datatype, Draft, Field, Schema, Stored } from './field.ts';
import { INT4_MAX, INT4_MIN } from './int4.ts';
import type { Validation } from './options.ts';

const DIGITS_BEFORE_POINT = 14;

const ajv = new Ajv({ allErrors: true, strictTypes: false });
ajv.addFormat('date-time', {
  type: 'string',
  validate: (text: string) => parseTimestamp(text) !== undefined,
});
ajv.addFormat('date', {
  type: 'string',
  validate: (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && parseTimestamp(text) !== undefined,
});
ajv.addFormat('int32', {
  type: 'number',
  validate: (value: number) => Number.isInteger(value) && value >= INT4_MIN && value <= INT4_MAX,
});
ajv.addFormat('double', { type: 'number', validate: (value: number) => Number.isFinite(value) });
// Half of a surrogate pair is not UTF-8 text: the database would store another character.
ajv.addFormat('text', { type: 'string', validate: (text: string) => text.isWellFormed() });
ajv.addFormat('base64', { type: 'string', validate: isBase64 });

/** The outcome of a check that found a violation. */
export const refused = (found: Violation, more?: readonly Violation[]): Checked => ({
  stored: null,
  violation: found,
  more,
});

/** Makes the check of a field. Messages name a broken range or list by `validationName`. */
export function checker(
  field: Draft & { fallback: Stored; validation?: Validation },
  validationName: string,
): Field['check'] {
  const { datatype, length, validation } = field;
  let valid: ValidateFunction | undefined;
  const tooLong = (name: string, characters: number) =>
    refused(violation('value_too_long', { field: name, length: characters, datatype, limit: length ?? 0 }));
  const invalid = (name: string, value: unknown, rule: string) =>
    refused(violation('value_invalid', { field: name, value, validation: rule }));
  // An empty text in a unique field is no value, so two records may have it.
  const kept = (text: Stored) => ({
    stored: text === '' && field.unique !== undefined ? field.fallback : text,
  });

  return (name, value, next) => {
    if (value === null) return { stored: field.fallback };
    const shown = field.writeOnly ? HIDDEN : value;
    // Compiled for the first value, because a command of the command line checks few fields or none.
    valid ??= validator(field.schema);
    if (!valid(value)) {
      const broken = new Set(valid.errors?.map((error) => error.keyword));
      if (broken.has('type') || broken.has('format'))
        return refused(
          violation('value_wrong_type', { field: name, value: shown, datatype: wireName(datatype) }),
        );
      if (broken.has('maxLength')) return tooLong(name, countCharacters(value as string));
      return invalid(name, shown, validationName);
    }
    if (datatype === 'timestamp') return { stored: parseTimestamp(value as string) ?? null };
    if (datatype === 'float8') {
      const stored = keptAmount(field, String(value));
      if (field.schema.not && Number(stored) === field.schema.not.const)
        return invalid(name, shown, validationName);
      const tooLarge = largeAmount(name, stored, shown);
      return tooLarge ? refused(tooLarge) : { stored };
    }
    if (datatype === 'bytea' && length !== undefined) {
      const bytes = Buffer.byteLength(value as string, 'base64');
      if (bytes > length) return tooLong(name, bytes);
    }
    if (!validation) return kept(value as Stored);
    const stored = validation.normalise(value as string, next);
    if (stored === undefined) return invalid(name, shown, validation.name);
    // The length of a bytea is in bytes, and was checked above. Counting its characters takes 25 ms.
    if (datatype === 'bytea' || length === undefined) return kept(stored);
    // Capitals can be longer than their small letters.
    return countCharacters(stored) > length ? invalid(name, shown, validation.name) : kept(stored);
  };
}

const validators = new Map<string, ValidateFunction>();

/** Compiled once for all fields of the same schema. */
function validator(schema: Schema): ValidateFunction {
  const key = JSON.stringify(schema);
  const valid = validators.get(key) ?? ajv.compile(schema);
  validators.set(key, valid);
  return valid;
}

/** The datatype as the specification's messages write it. */
export const wireName = (datatype: Datatype) => (datatype === 'timestamp' ? 'timestamp(ISO 8601)' : datatype);

/** An amount with the decimals of its column. More are rounded, half away from zero. */
export const keptAmount = ({ scale }: Pick<Field, 'scale'>, amount: string): string =>
  roundTo(amount, scale ?? 4);

/** The violation of an amount that is too large for its column; undefined if it fits. */
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

/**
 * A value that the column can be compared with. If the column has ASCII only, the last character of ASCII takes the
 * place of all others: no column has this character, and it sorts behind all that a column has.
 */
export const comparable = ({ isAscii }: Pick<Field, 'isAscii'>, value: Stored): Stored =>
  isAscii && typeof value === 'string' ? value.replace(/\P{ASCII}/gu, '\x7f') : value;

const wellFormed = (value: string) => (value.isWellFormed() ? value : undefined);

export const PARSERS: Record<Datatype, Field['parse']> = {
  varchar: wellFormed,
  text: wellFormed,
  timestamp: parseTimestamp,
  float8: plainDecimal,
  int4: (value) => {
    const number = Number(value);
    return /^-?\d{1,10}$/.test(value) && number >= INT4_MIN && number <= INT4_MAX ? number : undefined;
  },
  bytea: () => undefined,
  'varchar[]': wellFormed,
};
