// Relations of a resource, and how they are read for a page of rows: one query a name, never one a row.
import { marks, padded, where } from './clause.ts';
import type { Row, Stored } from './field.ts';
import { findRecords } from './find.ts';
import { ownerCondition, ownerValues, type Resource } from './record.ts';
import { isOwnName, linksTo, resourceNamed } from './registry.ts';
import { selection } from './select.ts';
import { serializer } from './serialize.ts';
import type { Session } from './session.ts';

const MOST_CHILDREN = 1000;

/** A name that `expand` takes. */
export interface Link {
  readonly name: string;
  readonly kind: 'reference' | 'children';
  /** reference: this resource's field; children: the field of the other one. */
  readonly field: string;
  readonly other: Resource;
}

/** All relations of a resource: references by their field without `_id`, children by their resource. */
export function relationsOf(resource: Resource): Map<string, Link> {
  const relations = new Map<string, Link>();
  for (const { from, field } of linksTo(resource)) {
    if (isOwnName(resource, field))
      relations.set(from.name, { name: from.name, kind: 'children', field, other: from });
  }
  for (const [field, { reference }] of resource.fields) {
    if (reference === undefined) continue;
    const name = field.replace(/_id$/, '');
    relations.set(name, { name, kind: 'reference', field, other: resourceNamed(reference) });
  }
  return relations;
}

/** The columns that are shown, and those that the relations and whatever else hang on. */
export function neededColumns(
  columns: readonly string[],
  links: readonly Link[],
  more: readonly string[] = [],
): readonly string[] {
  const all = [...links.flatMap(({ kind, field }) => (kind === 'reference' ? [field] : [])), ...more];
  const missing = all.filter((column) => !columns.includes(column));
  return missing.length === 0 ? columns : [...columns, ...new Set(missing)];
}

/** Reads relations of rows and answers, row by row, what they add to the JSON: `,"contact":{…}`. */
export async function expandRows(
  session: Session,
  owner: number,
  rows: readonly Row[],
  links: readonly Link[],
): Promise<(row: Row) => string> {
  const readers = await Promise.all(
    links.map(async (link) => {
      const found =
        link.kind === 'reference'
          ? await readReferences(session, owner, rows, link)
          : await readChildren(session, owner, rows, link);
      return (row: Row) => `,${JSON.stringify(link.name)}:${found(row)}`;
    }),
  );
  return (row) => readers.map((read) => read(row)).join('');
}

async function readReferences(session: Session, owner: number, rows: readonly Row[], { field, other }: Link) {
  const ids = distinct(rows.map((row) => row[field] ?? null));
  const found = ids.length === 0 ? [] : await findRecords(session, other, owner, ids);
  const toJson = serializer(other);
  const byId = new Map(found.map((row) => [row.id ?? null, toJson(row)]));
  return (row: Row) => byId.get(row[field] ?? null) ?? 'null';
}

async function readChildren(session: Session, owner: number, rows: readonly Row[], { field, other }: Link) {
  const ids = distinct(rows.map((row) => row.id ?? null));
  const found =
    ids.length === 0
      ? []
      : await session.rows(selectChildren(other, field, ids.length), [
          ...ownerValues(other, owner),
          ...padded(ids),
        ]);
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

function selectChildren(other: Resource, field: string, count: number): string {
  const order = other.fields.has('sort_order') ? 't.sort_order IS NULL, t.sort_order, t.id' : 't.id';
  const columns = other.columns.join(', ');
  return (
    `SELECT ${columns} FROM (SELECT ${selection(other)}, ROW_NUMBER() OVER (PARTITION BY t.${field} ORDER BY ${order}) AS place ` +
    `FROM ${other.table} AS t WHERE ${where([ownerCondition(other), `${field} IN (${marks(count)})`])}) AS numbered ` +
    `WHERE place <= ${MOST_CHILDREN} ORDER BY ${field}, place`
  );
}
