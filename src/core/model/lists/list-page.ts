// Reads a page of a list as a prepared statement. A statement's text is made of a resource's own columns and of
// operators, never of anything that a request holds; values are always bound, and so is the owner.
import type { Raw } from 'objection';
import { isNullable, type Row, type Stored } from '../fields/field.ts';
import { indexOf } from '../records/index-plan.ts';
import { keyOf, type Resource } from '../records/record.ts';
import { beginning, shownNumber } from '../statements/fragment.ts';
import type { Garage } from '../statements/garage.ts';
import { LIMIT, type Marker, OFFSET, prepared, REACH } from '../statements/prepared.ts';
import { type Condition, filtered, type Query, shapeOf, typed, valuesOf, type Way } from './condition.ts';
import { isSortedByBeginning, SORTED_CHARACTERS, type SortKey } from './cursor.ts';
import { neededColumns } from './expand.ts';
import { selection } from './find.ts';
import { conditionsOf, from, type Hint, hintOf, indexedWays } from './hint.ts';
import type { ListQuery } from './list-query.ts';
import { indexOfKey } from './portion.ts';
import {
  byKey,
  foundBy,
  holding,
  needsKeysOnly,
  shapeOfSearch,
  valuesOfSearch,
  WINDOW,
  type WordSearch,
} from './word-search.ts';

/** The server does not know an index that a hint names. */
const INDEX_MISSING = 1176;

type Searching = ListQuery & { readonly search: WordSearch };
/** Builds the keys of a page. */
type Keys = (query: Searching, mark: Marker, hint: Hint) => Query;

/** All conditions: the filter of the request, then the limits of the caller's rights. */
export const allOf = ({ conditions, within }: ListQuery): Condition[] => [...conditions, ...within];

export async function countAll(garage: Garage, query: ListQuery): Promise<number> {
  const { resource, search } = query;
  const conditions = allOf(query);
  const ways = search ? undefined : indexedWays(query);
  const all = (mark: Marker): Query => {
    if (ways)
      return united(
        resource,
        ways.map((way) =>
          filtered(from(resource, mark).select(`t.${keyOf(resource)}`), conditions, mark, way),
        ),
      );
    return filtered(search ? amongFound({ ...query, search }, mark) : from(resource, mark), conditions, mark);
  };
  const statement = prepared(
    `count ${resource.name} ${ways?.[0]?.at} ${shapeOf(conditions)} ${shapeOfSearch(search)}`,
    (mark) => all(mark).count({ total: '*' }),
  );
  const values = { ...valuesOf(conditions), ...valuesOfSearch(search) };
  const [row] = await statement.rows<{ total: number }>(garage, values);
  return row?.total ?? 0;
}

/**
 * Reads columns of the page, and one row more, on its index. Without that index in the database, the page takes longer.
 */
export async function readPage(garage: Garage, query: ListQuery, columns: readonly string[]): Promise<Row[]> {
  try {
    return await readHinted(garage, query, columns, true);
  } catch (error) {
    if ((error as { errno?: number }).errno !== INDEX_MISSING) throw error;
    return readHinted(garage, query, columns, false);
  }
}

async function readHinted(
  garage: Garage,
  query: ListQuery,
  columns: readonly string[],
  hinted: boolean,
): Promise<Row[]> {
  const { pageSize, page, after, search } = query;
  const offset = after || page === undefined ? 0 : (page - 1) * pageSize;
  const values = {
    ...valuesOf(allOf(query)),
    ...valuesOfSearch(search),
    after: after ?? [],
    limit: pageSize + 1,
    offset,
    reach: offset + pageSize + 1,
  };
  const isDeep = offset > 0 || search !== undefined;
  const hint = hinted ? hintOf(query, isDeep) : {};
  const shape = `${hinted} ${shapeOfList(query, columns)}`;
  const read = (name: string, build: (mark: Marker) => Query): Promise<Row[]> =>
    prepared(`${name} ${shape}`, build).rows(garage, values);
  const ways = search ? undefined : indexedWays(query);
  if (ways)
    return read(`page of ways ${ways[0]?.at}`, (mark) =>
      rowsOf(query, columns, mark, keysOfWays(query, ways, mark, hinted)),
    );
  if (!search)
    return isDeep
      ? read('deep page', (mark) => rowsOf(query, columns, mark, deepKeys(query, mark, hint)))
      : read('first page', (mark) => firstPage(query, columns, mark, hint));
  const byKeys = (name: string, keys: Keys) =>
    read(name, (mark) => rowsOf(query, columns, mark, keys({ ...query, search }, mark, hint)));
  // Only with an index in the order of the list are its first rows cheap.
  const some = hint.force === undefined ? [] : await byKeys('window', windowKeys);
  return some.length > pageSize ? some : byKeys('found', foundKeys);
}

function shapeOfList(query: ListQuery, columns: readonly string[]): string {
  const { resource, sort, after, search } = query;
  const shown = columns === resource.columns ? '*' : columns.join();
  const order = sort.map(({ column, descending }) => (descending ? `-${column}` : column)).join();
  const from = after?.map((value) => (value === null ? 0 : 1)).join('') ?? '';
  // Only the conditions of the request choose an index, so the two kinds stay apart.
  const filter = `${shapeOf(query.conditions)} ${shapeOf(query.within)}`;
  return `${resource.name} ${shown} ${order} ${from} ${filter} ${shapeOfSearch(search)}`;
}

function firstPage(query: ListQuery, columns: readonly string[], mark: Marker, hint: Hint): Query {
  const { resource } = query;
  const found = from(resource, mark, hint).select(...selection(resource, columns));
  return ordered(listed(found, query, mark), query).limit(LIMIT);
}

/** The rows of the list behind its cursor. `way`: only those that one way of an `any` finds. */
function listed(found: Query, query: ListQuery, mark: Marker, way?: Way): Query {
  filtered(found, allOf(query), mark, way);
  if (query.after) beyond(found, query, query.after, mark);
  return found;
}

/** Finds the page on an index, so that only its own rows are read, by their key. */
const deepKeys = (query: ListQuery, mark: Marker, hint: Hint): Query =>
  ordered(listed(from(query.resource, mark, hint).select(`t.${keyOf(query.resource)}`), query, mark), query)
    .limit(LIMIT)
    .offset(OFFSET);

/** Finds the page among the first rows that each way of an `any` finds on its own index. */
function keysOfWays(query: ListQuery, ways: readonly Way[], mark: Marker, hinted: boolean): Query {
  const { resource } = query;
  const first = ways.map((way) => {
    const hint = hinted ? hintOf({ ...query, conditions: conditionsOf(query, way) }, true) : {};
    const found = from(resource, mark, hint).select(`t.${keyOf(resource)}`);
    return ordered(listed(found, query, mark, way), query).limit(REACH);
  });
  const keys = united(resource, first).select(keyOf(resource));
  const found = byKey(resource, keys, mark, indexOfKey(resource)).select(`t.${keyOf(resource)}`);
  return ordered(found, query).limit(LIMIT).offset(OFFSET);
}

/** The keys that queries find, each once. */
function united(resource: Resource, queries: readonly Query[]): Query {
  const from = (keys: Query, name: string): Query => resource.model.ofAllOwners('part').from(keys.as(name));
  const all = queries
    .map((keys) => from(keys, 'way').select(keyOf(resource)))
    .reduce((union, keys) => union.union(keys));
  return from(all, 'ways');
}

/** Looks for the words in the first rows of the list. */
function windowKeys(query: Searching, mark: Marker, hint: Hint): Query {
  const { resource, search } = query;
  const key = keyOf(resource);
  const first = ordered(listed(from(resource, mark, hint).select(`t.${key}`), query, mark), query).limit(
    WINDOW,
  );
  const found = byKey(resource, first, mark, indexOfKey(resource)).select(`t.${key}`);
  return ordered(holding(found, search, mark), query)
    .limit(LIMIT)
    .offset(OFFSET);
}

/** Looks for the words in all texts, and then for the page among the records that have them. */
function foundKeys(query: Searching, mark: Marker): Query {
  const found = amongFound(query, mark).select(`t.${keyOf(query.resource)}`);
  // Sorted by the keys alone, MySQL sorts before it compares, and stops at the end of the page.
  return ordered(listed(found, query, mark), query, 'k')
    .limit(LIMIT)
    .offset(OFFSET);
}

/** The records that have the words in their texts. */
function amongFound(query: Searching, mark: Marker): Query {
  const { resource, search, sort } = query;
  const isById = allOf(query).length === 0 && sort.every(({ column }) => column === keyOf(resource));
  // The narrow index has no other columns.
  const index = isById && needsKeysOnly(search) ? indexOf(resource, keyOf(resource)) : undefined;
  return foundBy(resource, search, mark, index ?? indexOfKey(resource));
}

function rowsOf(query: ListQuery, columns: readonly string[], mark: Marker, keys: Query): Query {
  const { resource } = query;
  const rows = byKey(resource, keys, mark, indexOfKey(resource)).select(...selection(resource, columns));
  return ordered(rows, query);
}

/** The columns that are shown, and those that the relations and the cursor need. */
export const columnsOf = ({ columns, expand, sort }: ListQuery) =>
  neededColumns(
    columns,
    expand,
    sort.map(({ column }) => column),
  );

/** Sorts rows of `t`. `keys`: the table whose key they are sorted by, if it is in the order. */
export const ordered = (query: Query, { resource, sort }: ListQuery, keys: 't' | 'k' = 't'): Query => {
  // MariaDB sorts rows by `code, id`, though the unique index on `code` has them in this order already.
  const order = isKey(resource, sort[0]) ? sort.slice(0, 1) : sort;
  return order.reduce((sorted, key) => {
    const by = key.column === keyOf(resource) ? `${keys}.${key.column}` : sortKey(resource, key);
    return sorted.orderBy(by, key.descending ? 'desc' : 'asc');
  }, query);
};

/** Whether all rows of an owner have different values, and no value is empty. */
function isKey({ fields }: Resource, key: SortKey | undefined): boolean {
  const field = fields.get(key?.column ?? '');
  return field?.unique === 'owner' && field.uniqueColumn === undefined && !isNullable(field);
}

function sortKey({ fields }: Resource, { column }: SortKey): Raw | string {
  const field = fields.get(column);
  if (field?.shownAs) return shownNumber('t', column, field.shownAs);
  return field && isSortedByBeginning(field) ? beginning(`t.${column}`, SORTED_CHARACTERS) : `t.${column}`;
}

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
          else way.where(sortKey(resource, key), typed(resource.fields.get(key.column), mark('after', at)));
        });
        const key = sortKey(resource, last);
        const value = typed(field, mark('after', index));
        if (isNull) way.whereNotNull(`t.${last.column}`);
        else if (!last.descending) way.where(key, '>', value);
        else if (!isNullable(field)) way.where(key, '<', value);
        else way.where((either) => either.where(key, '<', value).orWhereNull(`t.${last.column}`));
      });
    });
  });
}
