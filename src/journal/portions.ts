// Reads the records of a period in portions, so that memory does not grow with the number of records.
import type { QueryBuilder } from 'objection';
import type { BaseModel } from '../model/base-model.ts';
import type { Row } from '../model/field.ts';
import { instantText, onIndex } from '../model/fragment.ts';
import type { Resource } from '../model/record.ts';
import type { Scope } from './scope.ts';

const PORTION = 500;

/** `instant`: when the record is booked, in the form of the database. */
export interface Dated {
  readonly id: number;
  readonly instant: string;
}

type Query = QueryBuilder<BaseModel & Row>;

/** Yields the records of a period in portions, sorted by the instant in `column`. */
export async function* inOrder<R extends Dated>(
  { garage, period: { first, last } }: Scope,
  [{ model, table }, column]: readonly [resource: Resource, column: string],
  selecting: (query: Query) => Query,
): AsyncGenerator<R[]> {
  const [instant, id] = [`${table}.${column}`, `${table}.id`];
  let after = { at: first, id: 0 };
  for (;;) {
    const { at, id: behind } = after;
    const rows = await selecting(model.of(garage))
      .from(onIndex(table, table, `${table}__${column}`))
      .select(id, instantText(table, column, 'instant'))
      .whereBetween(instant, [at, last])
      .where((later) => later.where(instant, '>', at).orWhere(id, '>', behind))
      .orderBy([instant, id])
      .limit(PORTION)
      .castTo<R[]>();
    const end = rows.at(-1);
    if (!end) return;
    yield rows;
    if (rows.length < PORTION) return;
    after = { at: end.instant, id: end.id };
  }
}
