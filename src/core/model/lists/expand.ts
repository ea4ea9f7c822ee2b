// Reads what `expand` shows beside records, in portions: the keys of all children first, never a query for each row.

import { problem } from '../../errors.ts';
import { portionsOf } from '../../trade/grouped.ts';
import type { Row, Stored } from '../fields/field.ts';
import type { Resource } from '../records/record.ts';
import type { Relation } from '../records/relation.ts';
import { serializer } from '../records/serialize.ts';
import { positionById, positionBySortOrder } from '../statements/fragment.ts';
import type { Garage } from '../statements/garage.ts';
import { LIMIT, marks, padded, prepared } from '../statements/prepared.ts';
import { selection } from './find.ts';
import { inPortionsByKey, rowsOfPortion } from './portion.ts';

/** Children shown beside a record. */
export const MOST_CHILDREN = 1000;
const MOST_EXPANDED = 20_000;
/** Rows whose relations are read at a time. */
const BATCH_ROWS = 100;

/** The columns that are shown, and the columns that the relations and `more` need. */
export function neededColumns(
  columns: readonly string[],
  relations: readonly Relation[],
  more: readonly string[] = [],
): readonly string[] {
  const all = [...relations.flatMap(({ kind, field }) => (kind === 'reference' ? [field] : [])), ...more];
  const missing = all.filter((column) => !columns.includes(column));
  return missing.length === 0 ? columns : [...columns, ...new Set(missing)];
}

/** The relations of a row as a part of its JSON, in pieces: `,"contact":{…}`. To be read row by row, in their order. */
type More = (row: Row) => AsyncIterable<string>;

/** A new record, and its new children by kind. */
export interface Family {
  readonly row: Row;
  readonly children: ReadonlyMap<Relation, readonly Row[]>;
}

/** The relations of one new row as a part of its JSON, if all its children are known. */
export const shownChildren = ({ children }: Family): string =>
  [...children]
    .map(([{ name, other }, rows]) => {
      const shown = rows.toSorted(bySortOrder).map(serializer(other));
      return `,${JSON.stringify(name)}:[${shown.join(',')}]`;
    })
    .join('');

type Sortable = Partial<Pick<Row, 'id' | 'sort_order'>>;

/** The order of `positionBySortOrder`, and of `positionById` if no row has a `sort_order`. */
export const bySortOrder = (one: Sortable, other: Sortable): number =>
  Number(one.sort_order == null) - Number(other.sort_order == null) ||
  Number(one.sort_order) - Number(other.sort_order) ||
  Number(one.id) - Number(other.id);

interface Batch {
  readonly batch: readonly Row[];
  /** Undefined if nothing is expanded. */
  readonly more?: More;
}

/** What stands beside rows under one name. */
interface Expanded {
  /** How many records stand beside the row. */
  size(row: Row): number;
  read(rows: readonly Row[]): Promise<More>;
}

/** The relations of rows. `rows`: all rows, each with its ID and its references. */
async function openExpansion(
  garage: Garage,
  rows: readonly Row[],
  relations: readonly Relation[],
): Promise<Expanded> {
  const all: (Expanded & { readonly name: string })[] = [];
  for (const relation of relations) {
    const open = relation.kind === 'reference' ? openReference : openChildren;
    all.push({ ...(await open(garage, rows, relation)), name: JSON.stringify(relation.name) });
  }
  return {
    size: (row) => all.reduce((sum, one) => sum + one.size(row), 0),
    read: async (some) => {
      const shown: { name: string; more: More }[] = [];
      for (const { name, read } of all) shown.push({ name, more: await read(some) });
      return async function* (row) {
        for (const { name, more } of shown) {
          yield `,${name}:`;
          yield* more(row);
        }
      };
    },
  };
}

/** The relations of one row. */
export async function expandRow(
  garage: Garage,
  row: Row,
  relations: readonly Relation[],
): Promise<AsyncIterable<string>> {
  const { read } = await openExpansion(garage, [row], relations);
  return (await read([row]))(row);
}

/**
 * Reads relations of the rows of a page, some rows at a time, so that few records are in memory at once. `page`: all
 * rows of the page, each with its ID and its references. Throws Problem if the page would show too many records.
 */
export async function expansionOf(
  garage: Garage,
  page: readonly Row[],
  relations: readonly Relation[],
): Promise<(rows: readonly Row[]) => AsyncGenerator<Batch>> {
  const { size, read } = await openExpansion(garage, page, relations);
  if (page.reduce((sum, row) => sum + size(row), 0) > MOST_EXPANDED)
    throw problem('parameter_invalid', {
      field: 'expand',
      reason: `more than [${MOST_EXPANDED}] records, ask for a smaller page`,
    });
  return async function* (rows) {
    if (relations.length === 0) return yield { batch: rows };
    for (const batch of portionsOf(rows, BATCH_ROWS)) yield { batch, more: await read(batch) };
  };
}

async function openReference(
  garage: Garage,
  _rows: readonly Row[],
  { field, other }: Relation,
): Promise<Expanded> {
  return {
    size: (row) => (row[field] === null ? 0 : 1),
    read: async (rows) => {
      const ids = distinct(rows.map((row) => row[field] ?? null));
      const byId = new Map<Stored, string>();
      let index = 0;
      for await (const json of jsonByKey(garage, other, ids)) byId.set(ids[index++] ?? null, json);
      return async function* (row) {
        yield byId.get(row[field] ?? null) ?? 'null';
      };
    },
  };
}

async function openChildren(garage: Garage, parents: readonly Row[], relation: Relation): Promise<Expanded> {
  const few = await readFewChildren(garage, parents, relation);
  if (few) return shownFew(few, relation);
  const byParent = await readChildIds(garage, parents, relation);
  const idsOf = (row: Row) => byParent.get(row.id ?? null) ?? [];
  return {
    size: (row) => idsOf(row).length,
    read: async (rows) => {
      const children = jsonByKey(garage, relation.other, rows.flatMap(idsOf));
      return async function* (row) {
        yield '[';
        for (const index of idsOf(row).keys()) {
          if (index > 0) yield ',';
          yield (await children.next()).value ?? 'null';
        }
        yield ']';
      };
    },
  };
}

/** All children of a few rows, in their order. Undefined if there may be many. */
async function readFewChildren(
  garage: Garage,
  parents: readonly Row[],
  relation: Relation,
): Promise<readonly Row[] | undefined> {
  const few = rowsOfPortion(relation.other);
  // Two children each: more parents seldom have few.
  if (parents.length === 0 || 2 * parents.length > few) return undefined;
  const ids = keysOf(parents);
  const found = await selectFew(relation, ids.length).rows(garage, { ids, limit: few + 1 });
  return found.length > few ? undefined : found.toSorted(bySortOrder);
}

function shownFew(children: readonly Row[], { field, other }: Relation): Expanded {
  const toJson = serializer(other);
  const byParent = new Map<Stored, Row[]>();
  for (const child of children) {
    const siblings = byParent.get(child[field] ?? null);
    if (siblings) siblings.push(child);
    else byParent.set(child[field] ?? null, [child]);
  }
  const childrenOf = (row: Row) => byParent.get(row.id ?? null) ?? [];
  return {
    size: (row) => childrenOf(row).length,
    read: async () =>
      async function* (row) {
        yield `[${childrenOf(row).map(toJson).join(',')}]`;
      },
  };
}

/** The JSON of the record of each key, in their order. */
async function* jsonByKey(
  garage: Garage,
  resource: Resource,
  keys: readonly Stored[],
): AsyncGenerator<string> {
  const toJson = serializer(resource);
  for await (const rows of inPortionsByKey(garage, resource, keys))
    for (const row of rows) yield row ? toJson(row) : 'null';
}

/** The IDs of the first children of each parent, in their order; no more of all parents together than are shown. */
async function readChildIds(
  garage: Garage,
  parents: readonly Row[],
  relation: Relation,
): Promise<Map<Stored, Stored[]>> {
  const byParent = new Map<Stored, Stored[]>();
  if (parents.length === 0) return byParent;
  const ids = keysOf(parents);
  const limit = String(MOST_EXPANDED + 1);
  for (const row of await selectChildIds(relation, ids.length).rows(garage, { ids, limit })) {
    const parent = row[relation.field] ?? null;
    const siblings = byParent.get(parent);
    if (siblings) siblings.push(row.id ?? null);
    else byParent.set(parent, [row.id ?? null]);
  }
  return byParent;
}

const distinct = (values: readonly Stored[]) => [...new Set(values)].filter((value) => value !== null);

const keysOf = (rows: readonly Row[]) => padded(distinct(rows.map((row) => row.id ?? null)));

/** Children of all parents, in no order. */
const selectFew = ({ field, other }: Relation, parents: number) =>
  prepared(`few ${other.name} ${field} ${parents}`, (mark) =>
    other.model
      .ofMarked(mark, 't')
      .select(...selection(other, other.columns))
      .whereIn(`t.${field}`, marks(mark, 'ids', parents))
      .limit(LIMIT),
  );

/** A LIMIT for each parent needs a number for each child. */
const selectChildIds = ({ field, other }: Relation, parents: number) =>
  prepared(`children of ${parents} ${other.name} ${field}`, (mark) => {
    const position = other.fields.has('sort_order') ? positionBySortOrder : positionById;
    const numbered = other.model
      .ofMarked(mark, 't')
      .select('t.id', `t.${field}`, position(`t.${field}`))
      .whereIn(`t.${field}`, marks(mark, 'ids', parents));
    return other.model
      .ofAllOwners('part')
      .from(numbered.as('numbered'))
      .select('id', field)
      .where('child__position', '<=', MOST_CHILDREN)
      .orderBy([field, 'child__position'])
      .limit(LIMIT);
  });
