// Reads lists: a page as a prepared statement, and the whole list for an export. A statement's text is made of a
// resource's own columns and of operators, never of anything that a request holds; values are always bound, and so is
// the owner.
import type { QueryBuilder, Raw } from 'objection';
import { type Field, isNullable, type Row, type Stored } from '../fields/field.ts';
import { indexOf } from '../records/index-plan.ts';
import { keyOf, ownerColumn, type Resource } from '../records/record.ts';
import type { Relation } from '../records/relation.ts';
import { serializer } from '../records/serialize.ts';
import type { BaseModel } from '../statements/base-model.ts';
import {
  beginning,
  decimalValue,
  joinByKey,
  matches,
  onIndex,
  withoutIndex,
} from '../statements/fragment.ts';
import type { Garage } from '../statements/garage.ts';
import { JSON_PIECE, Pieces } from '../statements/piece.ts';
import { LIMIT, type Marker, marks, OFFSET, padded, prepared } from '../statements/prepared.ts';
import { encodeCursor, SORTED_CHARACTERS, type SortKey } from './cursor.ts';
import { expandRow, expansionOf, type Family, neededColumns, shownChildren } from './expand.ts';
import type { Condition } from './filter.ts';
import { selection } from './find.ts';
import { JsonBytes } from './json-bytes.ts';
import type { ListQuery } from './list-query.ts';
import { indexOfKey, inPortionsByKey } from './portion.ts';

/** The server does not know an index that a hint names. */
const INDEX_MISSING = 1176;

/** Most records take less, as JSON. */
const ROW_BYTES = 1024;
const CHUNK_BYTES = 2 ** 18;
/** A larger page is read by its keys first, and then in portions: its rows may be large. */
const MOST_AT_ONCE = 100;

type Query = QueryBuilder<BaseModel & Row>;
type Found = readonly (Row | undefined)[];

/** One record as JSON, with its relations. */
export async function recordJson(
  garage: Garage,
  resource: Resource,
  row: Row,
  columns: readonly string[],
  expand: readonly Relation[],
): Promise<string> {
  const json = serializer(resource, columns)(row);
  if (expand.length === 0) return json;
  const texts: string[] = [];
  for await (const text of withMore(json, await expandRow(garage, row, expand))) texts.push(text);
  return texts.join('');
}

/** A new record as JSON, with its children. */
export const familyJson = (resource: Resource, family: Family): string =>
  `${serializer(resource)(family.row).slice(0, -1)}${shownChildren(family)}}`;

/** The JSON of a row with its relations, in pieces. */
async function* withMore(json: string, more: AsyncIterable<string>): AsyncGenerator<string> {
  yield json.slice(0, -1);
  yield* more;
  yield '}';
}

/** Whether a page is read by more than one statement, which should see the same records. */
export const needsSnapshot = ({ expand, pageSize }: ListQuery): boolean =>
  expand.length > 0 || pageSize > MOST_AT_ONCE;

/**
 * One page of a list as the JSON of the answer, in chunks: a page with long texts or many children is sent while it is
 * made, and others have their round in between. Throws Problem before the first chunk if too many records are expanded.
 */
export async function* listJson(garage: Garage, query: ListQuery): AsyncGenerator<Buffer> {
  const { resource, columns, pageSize, expand } = query;
  const total = query.count ? await countAll(garage, query) : undefined;
  const isLarge = pageSize > MOST_AT_ONCE;
  const key = keyOf(resource);
  const found = await readPage(garage, query, isLarge ? neededColumns([key], expand) : columnsOf(query));
  const page = found.slice(0, pageSize);
  const expanded = await expansionOf(garage, page, expand);
  const keys = page.map((row) => row[key] ?? null);
  const portions: AsyncIterable<Found> | Found[] = isLarge
    ? inPortionsByKey(garage, resource, keys, columnsOf(query))
    : [page];
  const toJson = serializer(resource, columns);
  const pieces = new Pieces(JSON_PIECE);
  let json = new JsonBytes(Math.min(CHUNK_BYTES, ROW_BYTES * (page.length + 1)));
  let last: Row | undefined;
  json.add('{"successCode":200,"data":[');
  for await (const some of portions) {
    const rows = some.filter((row) => row !== undefined);
    for await (const { batch, more } of expanded(rows))
      for (const row of batch) {
        if (last) json.add(',');
        last = row;
        for await (const text of more ? withMore(toJson(row), more(row)) : [toJson(row)]) {
          json.add(text);
          const pause = pieces.add(text.length);
          if (pause) await pause;
          if (json.length < CHUNK_BYTES) continue;
          yield json.take();
          json = new JsonBytes(CHUNK_BYTES);
        }
      }
  }
  const hasMore = found.length > pageSize;
  const next = hasMore && last ? encodeCursor(query, last) : null;
  json.add(
    `],"page":${query.page ?? null},"page_size":${pageSize},"has_more":${hasMore},` +
      `"next":${JSON.stringify(next)}${total === undefined ? '' : `,"total":${total}`}}`,
  );
  yield json.take();
}

/** All conditions: the filter of the request, then the limits of the caller's rights. */
const allOf = ({ conditions, within }: ListQuery): Condition[] => [...conditions, ...within];

async function countAll(garage: Garage, query: ListQuery): Promise<number> {
  const { resource } = query;
  const conditions = allOf(query);
  const statement = prepared(`count ${resource.name} ${shapeOf(conditions)}`, (mark) =>
    filtered(from(resource, mark).count({ total: '*' }), conditions, mark),
  );
  const [row] = await statement.rows<{ total: number }>(garage, valuesOf(conditions));
  return row?.total ?? 0;
}

/**
 * Reads columns of the page, and one row more, on its index. Without that index in the database, the page takes longer.
 */
async function readPage(garage: Garage, query: ListQuery, columns: readonly string[]): Promise<Row[]> {
  try {
    return await selectPage(garage, query, columns, true);
  } catch (error) {
    if ((error as { errno?: number }).errno !== INDEX_MISSING) throw error;
    return selectPage(garage, query, columns, false);
  }
}

function selectPage(
  garage: Garage,
  query: ListQuery,
  columns: readonly string[],
  hinted: boolean,
): Promise<Row[]> {
  const { pageSize, page, after } = query;
  const offset = after || page === undefined ? 0 : (page - 1) * pageSize;
  const values = {
    ...valuesOf(allOf(query)),
    after: after ?? [],
    limit: String(pageSize + 1),
    offset: String(offset),
  };
  const build = offset > 0 ? deepPage : firstPage;
  return prepared(`${build.name} ${hinted} ${shapeOfList(query, columns)}`, (mark) =>
    build(query, columns, mark, hinted ? hintOf(query, offset > 0) : {}),
  ).rows(garage, values);
}

function shapeOfList(query: ListQuery, columns: readonly string[]): string {
  const { resource, sort, after } = query;
  const shown = columns === resource.columns ? '*' : columns.join();
  const order = sort.map(({ column, descending }) => (descending ? `-${column}` : column)).join();
  const from = after?.map((value) => (value === null ? 0 : 1)).join('') ?? '';
  // Only the conditions of the request choose an index, so the two kinds stay apart.
  const filter = `${shapeOf(query.conditions)} ${shapeOf(query.within)}`;
  return `${resource.name} ${shown} ${order} ${from} ${filter}`;
}

function firstPage(query: ListQuery, columns: readonly string[], mark: Marker, hint: Hint): Query {
  const { resource, after } = query;
  const found = from(resource, mark, hint).select(...selection(resource, columns));
  filtered(found, allOf(query), mark);
  if (after) beyond(found, query, after, mark);
  return ordered(found, query).limit(LIMIT);
}

/** Finds the page on an index and then reads only its own rows, by their key. */
function deepPage(query: ListQuery, columns: readonly string[], mark: Marker, hint: Hint): Query {
  const { resource } = query;
  const key = keyOf(resource);
  const keys = ordered(filtered(from(resource, mark, hint).select(`t.${key}`), allOf(query), mark), query);
  const column = ownerColumn(resource);
  const owner = column && { column, value: mark('owner') };
  const rows = resource.model
    .ofAllOwners('engine')
    .from(keys.limit(LIMIT).offset(OFFSET).as('k'))
    .joinRaw(...joinByKey(resource.table, { key, index: indexOfKey(resource) }, owner))
    .select(...selection(resource, columns));
  return ordered(rows, query);
}

/** The columns that are shown, and those that the relations and the cursor need. */
const columnsOf = ({ columns, expand, sort }: ListQuery) =>
  neededColumns(
    columns,
    expand,
    sort.map(({ column }) => column),
  );

/** The index that a statement must use, or must not use. */
interface Hint {
  readonly force?: string;
  readonly ignore?: string;
}

/** The owner's rows. */
function from({ model, table }: Resource, mark: Marker, { force, ignore }: Hint = {}): Query {
  const query = model.ofMarked(mark, 't');
  if (force !== undefined) query.from(onIndex(table, 't', force));
  else if (ignore !== undefined) query.from(withoutIndex(table, 't', ignore));
  return query;
}

const ordered = (query: Query, { resource, sort }: ListQuery): Query => {
  // MariaDB sorts rows by `code, id`, though the unique index on `code` has them in this order already.
  const keys = isKey(resource, sort[0]) ? sort.slice(0, 1) : sort;
  return keys.reduce(
    (sorted, key) => sorted.orderBy(sortKey(resource, key), key.descending ? 'desc' : 'asc'),
    query,
  );
};

/** Whether all rows of an owner have different values, and no value is empty. */
function isKey({ fields }: Resource, key: SortKey | undefined): boolean {
  const field = fields.get(key?.column ?? '');
  return field?.unique === 'owner' && field.uniqueColumn === undefined && !isNullable(field);
}

const sortKey = ({ fields }: Resource, { column }: SortKey) =>
  fields.get(column)?.datatype === 'text' ? beginning(`t.${column}`, SORTED_CHARACTERS) : `t.${column}`;

/**
 * With this hint the server seeks straight to the page. Without it MySQL may choose an index that holds all columns of
 * the answer, and sort. Or the server expects open orders everywhere in the table and reads it from the start, though
 * they are at the end.
 */
function hintOf(query: ListQuery, isDeep: boolean): Hint {
  const force = forcedIndex(query, isDeep);
  if (force !== undefined) return { force };
  // The order of IDs over all owners: MariaDB would read other owners' rows until the page is full.
  return query.resource.clustered ? { ignore: `${query.resource.table}__id` } : {};
}

function forcedIndex({ resource, sort, conditions }: ListQuery, isDeep: boolean): string | undefined {
  const [first, tie] = sort;
  const [condition, ...more] = conditions.filter(({ isScope }) => !isScope);
  const isOneOrder = sort.length <= 2 && (tie === undefined || tie.descending === first?.descending);
  if (!first || !isOneOrder || more.length > 0) return undefined;
  const isById = first.column === keyOf(resource);
  if (!condition)
    return isById && resource.clustered && !isDeep ? 'PRIMARY' : indexOf(resource, first.column);
  if (condition.operator !== 'eq') return undefined;
  return indexOf(resource, condition.column, ...(isById ? [] : [first.column]));
}

/**
 * Names the columns, the operators and the number of values; for `null` also the value, which is in the text. A scope
 * has a shape of its own, because it chooses no index.
 */
const shapeOf = (conditions: readonly Condition[]): string =>
  conditions
    .map(({ column, operator, values, isScope }) =>
      operator === 'null'
        ? `${column}[null]${values[0]}`
        : `${column}[${operator}]${padded(values).length}${isScope ? ' scope' : ''}`,
    )
    .join();

const valuesOf = (conditions: readonly Condition[]): Record<string, readonly Stored[]> =>
  Object.fromEntries(
    conditions.map(({ operator, values }, index) => [
      `condition${index}`,
      operator === 'like' ? [likePattern(String(values[0]))] : padded(values),
    ]),
  );

const likePattern = (text: string) => text.replace(/[!%_]/g, '!$&').replace(/\*+/g, '%');

const COMPARISONS = { eq: '=', gt: '>', ge: '>=', lt: '<', le: '<=' } as const;

/** The rows that meet all conditions. */
function filtered(query: Query, conditions: readonly Condition[], mark: Marker): Query {
  conditions.forEach(({ column: name, field, operator, values }, index) => {
    const column = `t.${name}`;
    const all = marks(mark, `condition${index}`, padded(values).length).map((value) => bound(field, value));
    const first = mark(`condition${index}`, 0);
    const value = bound(field, first);
    switch (operator) {
      case 'null':
        if (values[0] === 1) query.whereNull(column);
        else query.whereNotNull(column);
        break;
      case 'like':
        query.where(matches(column, first));
        break;
      case 'in':
        query.whereIn(column, all);
        break;
      // Empty values are not equal: a record is in the list of a condition or in the list of its opposite.
      case 'ni':
        query.where((either) => either.whereNotIn(column, all).orWhereNull(column));
        break;
      case 'ne':
        query.where((either) => either.where(column, '<>', value).orWhereNull(column));
        break;
      default:
        query.where(column, COMPARISONS[operator], value);
    }
  });
  return query;
}

const bound = (field: Field | undefined, value: never): Raw =>
  field?.datatype === 'float8' ? decimalValue(value) : value;

/** The rows behind the given values of the sort keys. Empty values sort before all others. */
function beyond(query: Query, { sort, resource }: ListQuery, after: readonly Stored[], mark: Marker): void {
  query.where((ways) => {
    sort.forEach((last, index) => {
      const field = resource.fields.get(last.column);
      const isNull = after[index] === null;
      // Nothing sorts behind an empty value in falling order.
      if (isNull && last.descending) return;
      ways.orWhere((way) => {
        sort.slice(0, index).forEach((key, at) => {
          if (after[at] === null) way.whereNull(`t.${key.column}`);
          else way.where(sortKey(resource, key), bound(resource.fields.get(key.column), mark('after', at)));
        });
        const key = sortKey(resource, last);
        const value = bound(field, mark('after', index));
        if (isNull) way.whereNotNull(`t.${last.column}`);
        else if (!last.descending) way.where(key, '>', value);
        else if (!isNullable(field)) way.where(key, '<', value);
        else way.where((either) => either.where(key, '<', value).orWhereNull(`t.${last.column}`));
      });
    });
  });
}

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
