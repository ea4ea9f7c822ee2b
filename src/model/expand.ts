// Reads what `expand` shows beside records: one query a relation, never one a row.
import { problem } from '../errors.ts';
import type { Row, Stored } from './field.ts';
import { findRecords, selection } from './find.ts';
import { positionById, positionBySortOrder } from './fragment.ts';
import type { Garage } from './garage.ts';
import { marks, padded, prepared } from './prepared.ts';
import type { Relation } from './relation.ts';
import { serializer } from './serialize.ts';

/** Children shown beside a record. */
export const MOST_CHILDREN = 1000;
const MOST_EXPANDED = 20_000;
/** Records that are read at a time. */
const BATCH_RECORDS = 1_000;

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

/** Writes the relations of a row as a part of its JSON: `,"contact":{…}`. */
type More = (row: Row) => string;

/** Children of some rows, in the order in which they are shown. */
type Children = ReadonlyMap<Relation, readonly Row[]>;

/** Reads relations of rows; of children those that were not read before. */
export async function expandRows(
  garage: Garage,
  rows: readonly Row[],
  relations: readonly Relation[],
  known?: Children,
): Promise<More> {
  const readers = await Promise.all(
    relations.map(async (relation) => {
      const found =
        relation.kind === 'reference'
          ? await readReferences(garage, rows, relation)
          : shownBy(relation, known?.get(relation) ?? (await readChildren(garage, rows, relation)));
      return (row: Row) => `,${JSON.stringify(relation.name)}:${found(row)}`;
    }),
  );
  return (row) => readers.map((read) => read(row)).join('');
}

/** The same for one new row, whose children are all known. */
export const shownChildren = (children: Children): string =>
  [...children]
    .map(([{ name, other }, rows]) => {
      const shown = rows.toSorted(bySortOrder).map(serializer(other));
      return `,${JSON.stringify(name)}:[${shown.join(',')}]`;
    })
    .join('');

/** The order of `positionBySortOrder`, and of `positionById` where no row has a `sort_order`. */
const bySortOrder = (one: Row, other: Row): number =>
  Number(one.sort_order == null) - Number(other.sort_order == null) ||
  Number(one.sort_order) - Number(other.sort_order) ||
  Number(one.id) - Number(other.id);

interface Batch {
  readonly batch: readonly Row[];
  /** Undefined if nothing is expanded. */
  readonly more?: More;
}

/**
 * Reads relations of a page, some rows at a time, so that few children are in memory at once. Throws Problem where
 * the page would show too many of them.
 */
export async function* expandInBatches(
  garage: Garage,
  rows: readonly Row[],
  relations: readonly Relation[],
): AsyncGenerator<Batch> {
  if (relations.length === 0) return yield { batch: rows };
  const few = await readFewChildren(garage, rows, relations);
  if (few) return yield { batch: rows, more: await expandRows(garage, rows, relations, few) };
  const sizes = await countExpanded(garage, rows, relations);
  if (sizes.reduce((sum, size) => sum + size, 0) > MOST_EXPANDED)
    throw problem('parameter_invalid', {
      field: 'expand',
      reason: `more than [${MOST_EXPANDED}] records, ask for a smaller page`,
    });
  let batch: Row[] = [];
  let size = 0;
  for (const [index, row] of rows.entries()) {
    batch.push(row);
    size += sizes[index] ?? 0;
    if (size < BATCH_RECORDS && index < rows.length - 1) continue;
    yield { batch, more: await expandRows(garage, batch, relations) };
    batch = [];
    size = 0;
  }
}

/** How many records stand beside each row. */
async function countExpanded(
  garage: Garage,
  rows: readonly Row[],
  relations: readonly Relation[],
): Promise<number[]> {
  const counts = await Promise.all(
    relations.map(async ({ kind, field, other }): Promise<(row: Row) => number> => {
      if (kind === 'reference') return (row) => (row[field] === null ? 0 : 1);
      const ids = idsOf(rows);
      if (rows.length === 0) return () => 0;
      const found = await prepared(`count ${other.name} ${field} ${ids.length}`, (mark) =>
        other.model
          .ofMarked(mark)
          .select(field)
          .count({ children: '*' })
          .whereIn(field, marks(mark, 'ids', ids.length))
          .groupBy(field),
      ).rows<Row & { children: number }>(garage, { ids });
      const byParent = new Map(found.map((row) => [row[field] ?? null, row.children]));
      return (row) => Math.min(MOST_CHILDREN, byParent.get(row.id ?? null) ?? 0);
    }),
  );
  return rows.map((row) => counts.reduce((sum, count) => sum + count(row), 0));
}

async function readReferences(garage: Garage, rows: readonly Row[], { field, other }: Relation) {
  const ids = distinct(rows.map((row) => row[field] ?? null));
  const found = ids.length === 0 ? [] : await findRecords(garage, other, ids);
  const toJson = serializer(other);
  const byId = new Map<Stored, string>(found.map((row) => [row.id, toJson(row)]));
  return (row: Row) => byId.get(row[field] ?? null) ?? 'null';
}

/** All children of the rows; undefined if there may be more of them than one batch has. */
async function readFewChildren(
  garage: Garage,
  rows: readonly Row[],
  relations: readonly Relation[],
): Promise<Children | undefined> {
  if (rows.length >= BATCH_RECORDS) return undefined;
  const few = new Map<Relation, readonly Row[]>();
  for (const relation of relations.filter(({ kind }) => kind === 'children')) {
    const ids = idsOf(rows);
    const found = rows.length === 0 ? [] : await selectFew(relation, ids.length).rows(garage, { ids });
    if (found.length > BATCH_RECORDS) return undefined;
    few.set(relation, found.toSorted(bySortOrder));
  }
  return few;
}

async function readChildren(garage: Garage, rows: readonly Row[], relation: Relation): Promise<Row[]> {
  const ids = idsOf(rows);
  return rows.length === 0 ? [] : selectChildren(relation, ids.length).rows(garage, { ids });
}

const idsOf = (rows: readonly Row[]) => padded(distinct(rows.map((row) => row.id ?? null)));

/** Shows the children of a row as JSON. */
function shownBy({ field, other }: Relation, found: readonly Row[]): More {
  const toJson = serializer(other);
  const byParent = new Map<Stored, string[]>();
  for (const row of found) {
    const parent = row[field] ?? null;
    const siblings = byParent.get(parent);
    if (siblings) siblings.push(toJson(row));
    else byParent.set(parent, [toJson(row)]);
  }
  return (row: Row) => `[${(byParent.get(row.id ?? null) ?? []).join(',')}]`;
}

const distinct = (values: readonly Stored[]) => [...new Set(values)].filter((value) => value !== null);

/** The children of all parents, in no order, and at most one more than a batch has. */
const selectFew = ({ field, other }: Relation, parents: number) =>
  prepared(`few ${other.name} ${field} ${parents}`, (mark) =>
    other.model
      .ofMarked(mark, 't')
      .select(...selection(other, other.columns))
      .whereIn(`t.${field}`, marks(mark, 'ids', parents))
      .limit(BATCH_RECORDS + 1),
  );

/** The first children of each parent; a LIMIT would count the children of all parents together. */
const selectChildren = ({ field, other }: Relation, parents: number) =>
  prepared(`children ${other.name} ${field} ${parents}`, (mark) => {
    const position = other.fields.has('sort_order') ? positionBySortOrder : positionById;
    const numbered = other.model
      .ofMarked(mark, 't')
      .select(...selection(other, other.columns), position(`t.${field}`))
      .whereIn(`t.${field}`, marks(mark, 'ids', parents));
    return other.model
      .query()
      .from(numbered.as('numbered'))
      .select(...other.columns)
      .where('child__position', '<=', MOST_CHILDREN)
      .orderBy([field, 'child__position']);
  });
