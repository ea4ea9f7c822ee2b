// Reads the records of a period in portions, so that memory does not grow with the number of records.
import type { QueryBuilder } from 'objection';
import type { Row } from '../../core/model/fields/field.ts';
import type { Resource } from '../../core/model/records/record.ts';
import type { BaseModel } from '../../core/model/statements/base-model.ts';
import { instant, onIndex } from '../../core/model/statements/fragment.ts';
import {
  type Columns,
  type Graph,
  type Selected,
  selected,
  text,
  type Values,
  whole,
} from '../../core/model/statements/selected.ts';
import type { Scope } from './scope.ts';

const PORTION = 500;

/** `instant`: when the record is booked, in the form of the database. */
const dated = (table: string, column: string) => ({
  id: whole(`${table}.id`),
  instant: text(instant(`${table}.${column}`)),
});
type DatedColumns = ReturnType<typeof dated>;
export type Dated = Values<DatedColumns>;

type Query = QueryBuilder<BaseModel & Row>;

/** Yields the records of a period in portions, sorted by the instant in `column`. */
export async function* inOrder<C extends Columns, G extends Graph>(
  { garage, period: { first, last } }: Scope,
  [{ model, table }, column]: readonly [resource: Resource, column: string],
  [declared, graph]: readonly [C, G],
  narrowed: (query: Query) => Query,
): AsyncGenerator<Selected<C & DatedColumns, G>[]> {
  const [time, id] = [`${table}.${column}`, `${table}.id`];
  let after = { at: first, id: 0 };
  for (;;) {
    const { at, id: behind } = after;
    const next = narrowed(model.of(garage))
      .from(onIndex(table, table, `${table}__${column}`))
      .whereBetween(time, [at, last])
      .where((later) => later.where(time, '>', at).orWhere(id, '>', behind))
      .orderBy([time, id])
      .limit(PORTION);
    const rows = await selected(next, { ...declared, ...dated(table, column) }, graph);
    const end: Dated | undefined = rows.at(-1);
    if (!end) return;
    yield rows;
    if (rows.length < PORTION) return;
    after = { at: end.instant, id: end.id };
  }
}
