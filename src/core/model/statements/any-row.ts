// Asks by one statement which of several queries find a row. The answer has a 1 under the name of each query that
// finds one, and a 0 under the others.
import type { AnyQueryBuilder } from 'objection';
import { BaseModel } from './base-model.ts';
import { exists, oneRow } from './fragment.ts';

export type AnyRow<Name extends string> = Readonly<Record<Name, number>>;

export const anyRow = (queries: Readonly<Record<string, AnyQueryBuilder>>): AnyQueryBuilder =>
  BaseModel.query()
    .from(oneRow())
    .select(Object.entries(queries).map(([name, query]) => exists(query, name)));
