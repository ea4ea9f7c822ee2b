// Reads records by their IDs, by prepared statements that are written once: a text that is put together anew has to
// be hashed anew to find its prepared statement.
import { marks, padded, where } from './clause.ts';
import type { Row, Stored } from './field.ts';
import { ownerCondition, ownerValues, type Resource } from './record.ts';
import { selection } from './select.ts';
import type { Session } from './session.ts';

/** One record, or undefined where the owner has none of that ID. Shows `columns`, and `version`. */
export async function findRecord(
  session: Session,
  resource: Resource,
  owner: number,
  id: number,
  columns?: readonly string[],
): Promise<Row | undefined> {
  const [row] = await findRecords(session, resource, owner, [id], columns);
  return row;
}

/** Those of the records that the owner has, in no order. Shows `columns`, and `version`. */
export function findRecords(
  session: Session,
  resource: Resource,
  owner: number,
  ids: readonly Stored[],
  columns: readonly string[] = resource.columns,
): Promise<Row[]> {
  const values = padded(ids);
  return session.rows(select(resource, columns, values.length), [...ownerValues(resource, owner), ...values]);
}

/** The whole row, hidden columns included, locked until the transaction ends. */
export async function lockRecord(
  session: Session,
  resource: Resource,
  owner: number,
  id: number,
): Promise<Row | undefined> {
  const [row] = await session.rows(selectLocked(resource), [...ownerValues(resource, owner), id]);
  return row;
}

const locking = new WeakMap<Resource, string>();

function selectLocked(resource: Resource): string {
  const columns = () => [...resource.columns, ...(resource.traits.hidden ?? [])];
  const sql = locking.get(resource) ?? `${selectBy(resource, columns(), 1)} FOR UPDATE`;
  locking.set(resource, sql);
  return sql;
}

/** By the list of columns, and by the number of IDs. */
const reading = new WeakMap<readonly string[], string[]>();

function select(resource: Resource, columns: readonly string[], count: number): string {
  const texts = reading.get(columns) ?? [];
  const sql = texts[count] ?? selectBy(resource, columns, count);
  texts[count] = sql;
  reading.set(columns, texts);
  return sql;
}

const selectBy = (resource: Resource, columns: readonly string[], count: number): string =>
  `SELECT ${selection(resource, columns)}, t.version FROM ${resource.table} AS t FORCE INDEX (PRIMARY) ` +
  `WHERE ${where([ownerCondition(resource, 't'), `t.id IN (${marks(count)})`])}`;
