// Conditions as SQL: the text of each, and the values that are bound to its marks.
import type { Field, Stored } from './field.ts';

export interface Clause {
  readonly sql: string;
  readonly values: readonly Stored[];
}

export const valuesOf = (clauses: readonly Clause[]): Stored[] => clauses.flatMap(({ values }) => values);

/** Conditions that must all hold; empty ones are left out. */
export const where = (conditions: readonly string[]): string =>
  conditions.filter((condition) => condition !== '').join(' AND ');

/** The mark of a value of a field. A decimal bound as text would be compared as a binary float. */
export const markOf = (field: Field | undefined): string =>
  field?.datatype === 'float8' ? 'CAST(? AS DECIMAL(40, 10))' : '?';

/** Lists of values are padded to powers of two, so that few forms of a statement are ever prepared. */
export const marks = (count: number): string => Array(roundedUp(count)).fill('?').join(',');

export function padded(values: readonly Stored[]): Stored[] {
  return [...values, ...Array(roundedUp(values.length) - values.length).fill(values.at(-1) ?? null)];
}

const roundedUp = (count: number) => 2 ** Math.ceil(Math.log2(Math.max(1, count)));
