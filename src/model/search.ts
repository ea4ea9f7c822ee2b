// Reads records by prepared statements. Their text is made of a resource's own columns and of operators,
// never of anything that a request holds; values are always bound, and the owner is always one of them.
import { type Clause, markOf, marks, padded, valuesOf, where } from './clause.ts';
import { afterClause, encodeCursor, orderBy } from './cursor.ts';
import { expandRows, type Link, neededColumns } from './expand.ts';
import { isNullable, type Row } from './field.ts';
import type { Condition } from './filter.ts';
import { indexOf } from './indexes.ts';
import { JsonBytes } from './json-bytes.ts';
import type { ListQuery } from './list-query.ts';
import { ownerCondition, ownerValues, type Resource } from './record.ts';
import { selection } from './select.ts';
import { serializer } from './serialize.ts';
import type { Session } from './session.ts';

/** What a record mostly takes at most, as JSON. */
const ROW_BYTES = 1024;

export async function recordJson(
  session: Session,
  resource: Resource,
  owner: number,
  row: Row,
  columns: readonly string[],
  expand: readonly Link[],
): Promise<string> {
  const json = serializer(resource, columns)(row);
  if (expand.length === 0) return json;
  const more = await expandRows(session, owner, [row], expand);
  return `${json.slice(0, -1)}${more(row)}}`;
}

/** One page of a list, as the JSON of the answer. */
export async function searchJson(session: Session, owner: number, query: ListQuery): Promise<Buffer> {
  const [found, total] = await Promise.all([
    readPage(session, owner, query),
    query.count ? countAll(session, owner, query) : undefined,
  ]);
  const rows = found.slice(0, query.pageSize);
  const hasMore = found.length > query.pageSize;
  const last = rows.at(-1);
  const next = hasMore && last ? encodeCursor(query, last) : null;
  const toJson = serializer(query.resource, query.columns);
  const more = query.expand.length > 0 ? await expandRows(session, owner, rows, query.expand) : undefined;
  const json = new JsonBytes(ROW_BYTES * (rows.length + 1));
  json.add('{"successCode":200,"data":[');
  rows.forEach((row, index) => {
    const one = more ? `${toJson(row).slice(0, -1)}${more(row)}}` : toJson(row);
    json.add(index === 0 ? one : `,${one}`);
  });
  json.add(
    `],"page":${query.page ?? null},"page_size":${query.pageSize},"has_more":${hasMore},` +
      `"next":${JSON.stringify(next)}${total === undefined ? '' : `,"total":${total}`}}`,
  );
  return json.take();
}

async function countAll(session: Session, owner: number, query: ListQuery): Promise<number> {
  const filter = conditionClauses(query, owner);
  const [row] = await session.rows(
    `SELECT COUNT(*) AS total FROM ${query.resource.table} AS t${whereClause(filter)}`,
    valuesOf(filter),
  );
  return Number(row?.total ?? 0);
}

function readPage(session: Session, owner: number, query: ListQuery): Promise<Row[]> {
  const { resource, sort, pageSize, page, after } = query;
  const shown = neededColumns(
    query.columns,
    query.expand,
    sort.map(({ column }) => column),
  );
  const columns = selection(resource, shown);
  const table = `${resource.table} AS t`;
  const clauses = conditionClauses(query, owner);
  if (after) clauses.push(afterClause(query, after));
  const limit = String(pageSize + 1);
  const offset = after || page === undefined ? 0 : (page - 1) * pageSize;
  const order = `ORDER BY ${orderBy(resource, sort)}`;
  if (offset === 0) {
    const sql = `SELECT ${columns} FROM ${table}${kindIndex(query)}${whereClause(clauses)} ${order} LIMIT ?`;
    return session.rows(sql, [...valuesOf(clauses), limit]);
  }
  // Deep in a list the page is found on an index, and only its own rows are read: in that order, and by their key.
  const index =
    query.conditions.length === 0 ? orderIndex(resource, sort[0]?.column ?? 'id') : kindIndex(query);
  const keys = `SELECT t.id FROM ${table}${index}${whereClause(clauses)} ${order} LIMIT ? OFFSET ?`;
  const sql =
    `SELECT STRAIGHT_JOIN ${columns} FROM (${keys}) AS k JOIN ${table} FORCE INDEX (PRIMARY) ` +
    `ON ${where([ownerCondition(resource, 't'), 't.id = k.id'])} ${order}`;
  return session.rows(sql, [...valuesOf(clauses), limit, String(offset), ...ownerValues(resource, owner)]);
}

/** Indexes made for an order, which the server, left to itself, passes over for one that it has to sort. */
function orderIndex(resource: Resource, column: string): string {
  const { table, ownership, fields } = resource;
  if (ownership !== 'column') return '';
  if (column === 'id') return ` FORCE INDEX (${table}__list)`;
  const field = fields.get(column);
  const hasOwn = field?.unique === 'owner' && field.uniqueColumn === undefined && isNullable(field);
  return hasOwn ? ` FORCE INDEX (${table}__${column}__order)` : '';
}

/**
 * Of the records of one kind: told of the index, the server finds a page where that begins, however deep. Left to
 * itself it takes a kind to lie evenly among the others, and looks through all of them where it is frequent: the
 * open orders are the last.
 */
function kindIndex({ resource, sort, conditions }: ListQuery): string {
  const [condition, ...more] = conditions;
  const [first, tie] = sort;
  if (!first || condition?.operator !== 'eq' || more.length > 0) return '';
  const isById = first.column === 'id';
  const isOneOrder = sort.length === 2 && tie?.descending === first.descending;
  if (!isById && !isOneOrder) return '';
  const index = indexOf(resource.table, condition.column, ...(isById ? [] : [first.column]));
  return index === undefined ? '' : ` FORCE INDEX (${index})`;
}

function whereClause(clauses: readonly Clause[]): string {
  const conditions = where(clauses.map(({ sql }) => sql));
  return conditions === '' ? '' : ` WHERE ${conditions}`;
}

function conditionClauses({ resource, conditions }: ListQuery, owner: number): Clause[] {
  return [
    { sql: ownerCondition(resource), values: ownerValues(resource, owner) },
    ...conditions.map(clauseOf),
  ];
}

const COMPARISONS = { eq: '=', gt: '>', ge: '>=', lt: '<', le: '<=' } as const;

function clauseOf({ column, field, operator, values }: Condition): Clause {
  const mark = markOf(field);
  const list = marks(values.length).replaceAll('?', mark);
  switch (operator) {
    case 'null':
      return { sql: `${column} IS ${values[0] === 1 ? '' : 'NOT '}NULL`, values: [] };
    case 'like':
      return { sql: `${column} LIKE ? ESCAPE '!'`, values: [likePattern(String(values[0]))] };
    case 'in':
      return { sql: `${column} IN (${list})`, values: padded(values) };
    // What is not equal includes what is empty: a condition and its opposite share out the whole list.
    case 'ni':
      return { sql: `(${column} NOT IN (${list}) OR ${column} IS NULL)`, values: padded(values) };
    case 'ne':
      return { sql: `(${column} <> ${mark} OR ${column} IS NULL)`, values: [...values] };
    default:
      return { sql: `${column} ${COMPARISONS[operator]} ${mark}`, values: [...values] };
  }
}

const likePattern = (text: string) => text.replace(/[!%_]/g, '!$&').replace(/\*+/g, '%');
