// The whole list, for an export: all rows in one stream, without pages.
import { keyOf } from '../records/record.ts';
import type { Marker } from '../statements/prepared.ts';
import { filtered, type Query, valuesOf } from './condition.ts';
import { from } from './hint.ts';
import { allOf, ordered } from './list-page.ts';
import type { ListQuery } from './list-query.ts';

/** The owner's rows of a list without pages, in its order and with its columns in their order. */
export function wholeList(owner: number, query: ListQuery): Query {
  const { resource, sort, columns } = query;
  const mark = valueMark(owner, query);
  const conditions = allOf(query);
  // Without this hint the server would sometimes read a smaller index first, and sort.
  const isPlain = conditions.length === 0 && sort[0]?.column === keyOf(resource);
  const rows = from(resource, mark, isPlain ? { force: 'PRIMARY' } : {});
  return ordered(filtered(rows.select(columns.map((name) => `t.${name}`)), conditions, mark), query);
}

/** How many rows the list has, as `total`. */
export function wholeCount(owner: number, query: ListQuery): Query {
  const mark = valueMark(owner, query);
  return filtered(from(query.resource, mark).count({ total: '*' }), allOf(query), mark);
}

/** Gives the values themselves, in place of the marks of a prepared statement. */
function valueMark(owner: number, query: ListQuery): Marker {
  const values = valuesOf(allOf(query));
  return (name, index = 0) => (name === 'owner' ? owner : values[name]?.[index]) as never;
}
