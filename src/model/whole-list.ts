// A list without pages, as queries of their own: an export streams it. The values stand in the queries.
import type { QueryBuilder } from 'objection';
import type { BaseModel } from './base-model.ts';
import type { Row } from './field.ts';
import type { ListQuery } from './list-query.ts';
import type { Marker } from './prepared.ts';
import { keyOf } from './record.ts';
import { filtered, from, ordered, valuesOf } from './search.ts';

type Query = QueryBuilder<BaseModel & Row>;

/** The owner's rows of the list in its order, with its columns in their order. */
export function wholeList(owner: number, query: ListQuery): Query {
  const { resource, conditions, sort, columns } = query;
  // Without this hint the server would sometimes read a smaller index first, and sort.
  const isPlain = conditions.length === 0 && sort[0]?.column === keyOf(resource);
  const rows = from(resource, isPlain ? { force: 'PRIMARY' } : {}).select(columns.map((name) => `t.${name}`));
  return ordered(filtered(rows, conditions, valueMark(owner, query)), query);
}

/** How many rows the list has, as `total`. */
export const wholeCount = (owner: number, query: ListQuery): Query =>
  filtered(from(query.resource, {}).count({ total: '*' }), query.conditions, valueMark(owner, query));

/** Gives the values themselves, where a prepared statement has marks. */
function valueMark(owner: number, { conditions }: ListQuery): Marker {
  const values = valuesOf(conditions);
  return ((name: string, index = 0) => (name === 'owner' ? owner : values[name]?.[index])) as Marker;
}
