// Reads records by their IDs. Requests for single records that arrive in the same moment share one statement, since
// a statement of its own would be the largest part of such a request.
import DataLoader from 'dataloader';
import type { Raw } from 'objection';
import type { Row, Stored } from '../fields/field.ts';
import { LOCK_COUNT, type Resource, wholeColumns } from '../records/record.ts';
import { keepsFolded } from '../records/search-text.ts';
import { instantText, onIndex, plusOne, plusOneWithFlags, shownNumber } from '../statements/fragment.ts';
import { type Garage, garageOf } from '../statements/garage.ts';
import { marks, padded, prepared } from '../statements/prepared.ts';
import { remembered } from '../statements/remembered.ts';
import type { Session } from '../statements/session.ts';

const MOST_TOGETHER = 32;
/** Begins the names of a parent's columns beside those of its child. */
const OF_PARENT = 'parent__';

/** The columns that a row of every resource has. */
export type Identified = { readonly id: number; readonly version: number };

/** One record, or undefined if the owner has none of that ID. Has `columns`, and `version`. */
export async function findRecord<R extends Row>(
  garage: Garage,
  resource: Resource<R>,
  id: number,
  columns?: readonly string[],
): Promise<(R & Identified) | undefined> {
  const [row] = await findRecords(garage, resource, [id], columns);
  return row;
}

/** The records of these IDs that the owner has, in no order. They have `columns`, and `version`. */
export function findRecords<R extends Row>(
  garage: Garage,
  resource: Resource<R>,
  ids: readonly Stored[],
  columns: readonly string[] = resource.columns,
): Promise<(R & Identified)[]> {
  const { model, table, name } = resource;
  const id = padded(ids);
  const shape = columns === resource.columns ? '*' : columns.join();
  return prepared(`find ${name} ${id.length} ${shape}`, (mark) =>
    model
      .ofMarked(mark, 't')
      .from(onIndex(table, 't', 'PRIMARY'))
      .select(...selection(resource, columns), 't.version')
      .whereIn('t.id', marks(mark, 'id', id.length)),
  ).rows<R & Identified>(garage, { id });
}

/** The whole row, hidden columns included, locked until the transaction ends. */
export async function lockRecord<R extends Row>(
  garage: Garage,
  resource: Resource<R>,
  id: number,
): Promise<(R & Identified) | undefined> {
  const [row] = await lockRecords(garage, resource, 'id', [id]);
  return row;
}

/** A locked row, and the locked row of its parent if the record has one. */
interface ChildWithParent<R extends Row> {
  readonly row: R & Identified;
  readonly parent?: Row | undefined;
}

/** Locks a record and then its parent, both by one statement. */
export async function lockWithParent<R extends Row>(
  garage: Garage,
  child: Resource<R>,
  parent: Resource,
  id: number,
): Promise<ChildWithParent<R> | undefined> {
  const [found] = await prepared(`lock ${child.name} with its ${parent.name}`, (mark) =>
    child.model
      .ofMarked(mark, 't')
      .leftJoin(`${parent.table} as p`, (join) =>
        join.on('p.owner_id', 't.owner_id').on('p.id', `t.${child.traits.parent}`),
      )
      .select(
        ...selection(child, wholeColumns(child)),
        ...selection(parent, wholeColumns(parent), 'p', OF_PARENT),
      )
      .where('t.id', mark('id'))
      .forUpdate(),
  ).rows(garage, { id });
  if (!found) return undefined;
  const hasParent = found[`${OF_PARENT}id`] !== null;
  return {
    row: taken(found, child, '') as R & Identified,
    parent: hasParent ? taken(found, parent, OF_PARENT) : undefined,
  };
}

/** The part of a joined row that belongs to the resource. */
function taken(found: Row, resource: Resource, prefix: string): Row {
  const row: Record<string, Stored> = {};
  for (const { column, ofParent } of lockedColumns(resource))
    row[column] = found[prefix === '' ? column : ofParent] as Stored;
  return row;
}

/**
 * The columns of a locked row, and their names if the row is a parent's. Remembered: this runs in each PUT of a child.
 */
const lockedColumns = remembered((resource: Resource) =>
  wholeColumns(resource).map((column) => ({ column, ofParent: OF_PARENT + column })),
);

/** The whole rows whose `column` has one of the values, locked until the transaction ends; in no order. */
export function lockRecords<R extends Row>(
  garage: Garage,
  resource: Resource<R>,
  column: 'id' | 'external_id',
  values: readonly Stored[],
): Promise<(R & Identified)[]> {
  const wanted = padded(values);
  return prepared(`lock ${resource.name} ${wanted.length} by ${column}`, (mark) =>
    resource.model
      .ofMarked(mark, 't')
      .select(...selection(resource, wholeColumns(resource)))
      .whereIn(`t.${column}`, marks(mark, 'wanted', wanted.length))
      .forUpdate(),
  ).rows<R & Identified>(garage, { wanted });
}

/** The whole rows of a parent's children with these keys, locked until the transaction ends; in no order. */
export function lockChildren(
  garage: Garage,
  child: Resource,
  {
    field,
    parent,
    keys,
  }: { readonly field: string; readonly parent: number; readonly keys: readonly string[] },
): Promise<(Row & Identified)[]> {
  const wanted = padded(keys);
  return prepared(`lock ${child.name} ${wanted.length} of ${field} by key`, (mark) =>
    child.model
      .ofMarked(mark, 't')
      .select(...selection(child, wholeColumns(child)))
      .where(`t.${field}`, mark('parent'))
      .whereIn('t.external_id', marks(mark, 'wanted', wanted.length))
      .forUpdate(),
  ).rows<Row & Identified>(garage, { parent, wanted });
}

/** What a claim tells of its record. */
export interface Claimed {
  readonly isBlocked: boolean;
  readonly isArchived: boolean;
}

/**
 * Locks the record by writing it, for rules that read and decide under this lock. A Galera cluster compares written
 * rows only, so a transaction on another node does not notice a row that is only locked. Returns false and false if
 * the owner has no such record.
 */
export async function claimRecord(garage: Garage, resource: Resource, id: number): Promise<Claimed> {
  const { name, model } = resource;
  const { insertId: flags } = await prepared(`claim ${name}`, (mark) =>
    model
      .ofMarked(mark)
      .patch({
        [LOCK_COUNT]: plusOneWithFlags(LOCK_COUNT, 'is_blocked', 'is_archived'),
        ...keepsFolded(resource),
      })
      .where('id', mark('id')),
  ).write(garage, { id });
  return { isBlocked: flags % 2 === 1, isArchived: flags >= 2 };
}

/** Locks several records by writing them. */
export async function claimRecords(
  garage: Garage,
  resource: Resource,
  ids: readonly number[],
): Promise<void> {
  const { name, model } = resource;
  const id = padded(ids);
  await prepared(`claim ${name} ${id.length}`, (mark) =>
    model
      .ofMarked(mark)
      .patch({ [LOCK_COUNT]: plusOne(LOCK_COUNT), ...keepsFolded(resource) })
      .whereIn('id', marks(mark, 'id', id.length)),
  ).write(garage, { id });
}

/** The columns of a table of a prepared statement, each named as it is or with a prefix. */
export const selection = (
  { fields }: Resource,
  columns: readonly string[],
  table = 't',
  prefix = '',
): (Raw | string)[] =>
  columns.map((column) => {
    const { datatype, shownAs } = fields.get(column) ?? {};
    if (shownAs) return shownNumber(table, column, shownAs).as(prefix + column);
    return datatype === 'timestamp'
      ? instantText(table, column, prefix + column)
      : `${table}.${column} as ${prefix}${column}`;
  });

/**
 * One whole record and its `version`, or undefined if the owner has none of that ID. Requests for the same record
 * in the same moment get the same row.
 */
export type Finder = (resource: Resource, owner: number, id: number) => Promise<Readonly<Row> | undefined>;

interface Wanted {
  readonly resource: Resource;
  readonly owner: number;
  readonly id: number;
}

export function createFinder(session: Session): Finder {
  const loader = new DataLoader((wanted: readonly Wanted[]) => readTogether(session, wanted), {
    // A record that was read must never answer a later request.
    cache: false,
    maxBatchSize: MOST_TOGETHER,
    // Runs when every connection that had a request was read: no request waits for another.
    batchScheduleFn: setImmediate,
  });
  return (resource, owner, id) => loader.load({ resource, owner, id });
}

/** The answers to the requests, in their order. A statement reads records of one resource and one owner. */
function readTogether(session: Session, wanted: readonly Wanted[]): Promise<(Row | Error | undefined)[]> {
  const statements = new Map<string, Promise<Row[]>>();
  const read = async ({ resource, owner, id }: Wanted): Promise<Row | undefined> => {
    const group = `${resource.name} ${owner}`;
    if (!statements.has(group)) {
      const together = wanted.filter((one) => one.resource === resource && one.owner === owner);
      const ids = together.map((one) => one.id);
      statements.set(group, findRecords(garageOf(session, owner), resource, ids));
    }
    const rows = await statements.get(group);
    return rows?.find((row) => row.id === id);
  };
  return Promise.all(wanted.map((one) => read(one).catch((error: Error) => error)));
}
