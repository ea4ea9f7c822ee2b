// Reads the parameters of a list into a plan: columns, conditions, order and page.
import { createHash } from 'node:crypto';
import { problem, violation } from '../../errors.ts';
import { collected, refuse } from '../bodies/check.ts';
import type { Stored } from '../fields/field.ts';
import { keyOf, type Resource, VERSION } from '../records/record.ts';
import { type Relation, relationsOf } from '../records/relation.ts';
import { type Condition, looksIntoFolded } from './condition.ts';
import { decodeCursor, type SortKey } from './cursor.ts';
import { parseFilter, visibleField } from './filter.ts';
import { readWords, sourcesOf, type WordSearch } from './word-search.ts';

export const LIST_PARAMETERS = ['page', 'page_size', 'cursor', 'fields', 'filter', 'sort', 'count', 'expand'];

/** The parameters of a resource's list. */
export const listParameters = ({ traits }: Resource): readonly string[] =>
  traits.search ? [...LIST_PARAMETERS, 'search'] : LIST_PARAMETERS;

export const PAGE_SIZE = 100;
export const LARGEST_PAGE_SIZE = 1000;
const MOST_RELATIONS = 3;

export interface ListQuery {
  readonly resource: Resource;
  /** The columns of the answer, always with the key (`id`). */
  readonly columns: readonly string[];
  readonly conditions: readonly Condition[];
  /** Further conditions, which limit the rows that the caller may see. They choose no index. */
  readonly within: readonly Condition[];
  readonly search?: WordSearch;
  /** Ends with the key (`id`). */
  readonly sort: readonly SortKey[];
  readonly pageSize: number;
  /** From 1; undefined with a cursor. */
  readonly page?: number;
  /** The sort keys' values of the last row seen. */
  readonly after?: readonly Stored[];
  readonly count: boolean;
  readonly expand: readonly Relation[];
  /** Ties a cursor to this list: owner, resource, filter, order and search. */
  readonly fingerprint: string;
}

/** The resources in whose folded texts the list looks. */
export const foldedIn = ({ search, conditions, resource }: ListQuery): readonly Resource[] => [
  ...(search?.sources.map((source) => source.resource) ?? []),
  ...(looksIntoFolded(conditions) ? [resource] : []),
];

type Parameters = ReadonlyMap<string, string>;

/** Reads and checks the parameters of an owner's list. Throws Problem. */
export function parseListQuery(resource: Resource, owner: number, parameters: Parameters): ListQuery {
  const filter = parameters.get('filter');
  const searched = parameters.get('search');
  const { paging, count, columns, conditions, words, sort, expand } = collected({
    paging: () => readPaging(parameters),
    count: () => readCount(parameters.get('count')),
    columns: () => readColumns(resource, parameters.get('fields')),
    conditions: () => (filter === undefined ? [] : parseFilter(resource, filter)),
    words: () => (searched === undefined ? undefined : readWords('search', searched)),
    sort: () => readSort(resource, parameters.get('sort') ?? resource.sort),
    expand: () => readExpand(resource, parameters.get('expand')),
  });
  const { page, pageSize, cursor } = paging;
  const order = sort.map(({ column, descending }) => (descending ? `-${column}` : column)).join(',');
  const fingerprint = createHash('sha1')
    .update(`${owner}\n${resource.name}\n${filter ?? ''}\n${order}${words ? `\n${words.join(' ')}` : ''}`)
    .digest('base64url')
    .slice(0, 8);
  const after = cursor === undefined ? undefined : decodeCursor({ resource, sort, fingerprint }, cursor);
  return {
    resource,
    columns,
    conditions,
    within: [],
    ...(words && { search: { words, sources: sourcesOf(resource) } }),
    sort,
    pageSize,
    page: after ? undefined : (page ?? 1),
    after,
    count,
    expand,
    fingerprint,
  };
}

/** The names in `fields`, with the key (`id`) first if it is not among them. Throws Problem on an unknown one. */
export function readColumns(resource: Resource, text: string | undefined): readonly string[] {
  if (text === undefined) return resource.columns;
  const names = [...new Set(text.split(','))];
  refuseFields(names.filter((name) => !visibleField(resource, name) && !isVersion(resource, name)));
  const key = keyOf(resource);
  return names.includes(key) ? names : [key, ...names];
}

/** A list of changes or jobs has no versions. */
const isVersion = ({ unshown }: Resource, name: string): boolean =>
  name === VERSION && unshown.includes(VERSION);

export function readExpand(resource: Resource, text: string | undefined): readonly Relation[] {
  if (text === undefined) return [];
  const given = text.split(',');
  if (given.length > MOST_RELATIONS) {
    throw problem('parameter_invalid', { field: 'expand', reason: `at most ${MOST_RELATIONS} names` });
  }
  const names = [...new Set(given)];
  const relations = relationsOf(resource);
  refuseFields(names.filter((name) => !relations.has(name)));
  return names.flatMap((name) => relations.get(name) ?? []);
}

function readSort(resource: Resource, text: string | undefined): SortKey[] {
  const keys: SortKey[] = (text === undefined ? [] : text.split(',')).map((word) => ({
    column: word.replace(/^-/, ''),
    descending: word.startsWith('-'),
  }));
  refuseFields(keys.map(({ column }) => column).filter((name) => !visibleField(resource, name)));
  const seen = new Set<string>();
  const sort = keys.filter(({ column }) => !seen.has(column) && seen.add(column));
  const id = keyOf(resource);
  const idAt = sort.findIndex(({ column }) => column === id);
  // No key behind `id` changes the order. As tie-breaker, `id` has the direction of the key before it, so that one
  // index serves both.
  if (idAt >= 0) return sort.slice(0, idAt + 1);
  return [...sort, { column: id, descending: sort.at(-1)?.descending ?? false }];
}

function refuseFields(names: readonly string[]): void {
  refuse(names.map((name) => violation('field_unknown', { field: name })));
}

/** The page, its size, and the cursor. Throws Problem. */
export function readPaging(parameters: Parameters): { page?: number; pageSize: number; cursor?: string } {
  const { page, pageSize } = collected({
    page: () => readPage(parameters.get('page')),
    pageSize: () => readPageSize(parameters.get('page_size')),
  });
  const cursor = parameters.get('cursor');
  if (cursor !== undefined && page !== undefined) {
    throw problem('parameter_invalid', { field: 'cursor', reason: 'cannot be combined with [page]' });
  }
  return { page, pageSize, cursor };
}

function readPage(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const page = Number(text);
  if (/^\d{1,15}$/.test(text) && page > 0) return page;
  throw problem('parameter_invalid', { field: 'page', reason: 'value must be greater than 0' });
}

function readPageSize(text: string | undefined): number {
  if (text === undefined) return PAGE_SIZE;
  const size = Number(text);
  if (/^\d{1,4}$/.test(text) && size >= 1 && size <= LARGEST_PAGE_SIZE) return size;
  throw problem('parameter_invalid', {
    field: 'page_size',
    reason: `value must be between 1 and ${LARGEST_PAGE_SIZE}`,
  });
}

/** Whether the request asks for `total`. Throws Problem. */
export function readCount(text: string | undefined): boolean {
  if (text === undefined || text === '0') return false;
  if (text === '1') return true;
  throw problem('parameter_invalid', { field: 'count', reason: 'value must be 0 or 1' });
}
