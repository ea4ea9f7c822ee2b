// Reads records by their IDs. Requests for single records that arrive in the same moment share one statement, since
// a statement of its own would be the largest part of such a request.
import DataLoader from 'dataloader';
import type { Raw } from 'objection';
import type { Row, Stored } from './field.ts';
import { instantText, onIndex, plusOne } from './fragment.ts';
import { marks, padded, prepared } from './prepared.ts';
import { LOCK_COUNT, type Resource } from './record.ts';
import type { Session } from './session.ts';

const MOST_TOGETHER = 32;

/** One record, or undefined where the owner has none of that ID. Has `columns`, and `version`. */
export async function findRecord<R extends Row>(
  session: Session,
  resource: Resource<R>,
  owner: number,
  id: number,
  columns?: readonly string[],
): Promise<R | undefined> {
  const [row] = await findRecords(session, resource, owner, [id], columns);
  return row;
}

/** The records of these IDs that the owner has, in no order. They have `columns`, and `version`. */
export function findRecords<R extends Row>(
  session: Session,
  resource: Resource<R>,
  owner: number,
  ids: readonly Stored[],
  columns: readonly string[] = resource.columns,
): Promise<R[]> {
  const { model, table, name } = resource;
  const id = padded(ids);
  const shape = columns === resource.columns ? '*' : columns.join();
  return prepared(`find ${name} ${id.length} ${shape}`, (mark) =>
    model
      .query()
      .from(onIndex(table, 't', 'PRIMARY'))
      .alias('t')
      .select(...selection(resource, columns), 't.version')
      .modify('owned', mark('owner'))
      .whereIn('t.id', marks(mark, 'id', id.length)),
  ).rows<R>(session, owner, { id });
}

/** The whole row, hidden columns included, locked until the transaction ends. */
export async function lockRecord<R extends Row>(
  session: Session,
  resource: Resource<R>,
  owner: number,
  id: number,
): Promise<R | undefined> {
  const statement = prepared(`lock ${resource.name}`, (mark) =>
    resource.model
      .query()
      .alias('t')
      .select(...selection(resource, [...resource.columns, ...resource.unshown]))
      .modify('owned', mark('owner'))
      .where('t.id', mark('id'))
      .modify('locked'),
  );
  const [row] = await statement.rows<R>(session, owner, { id });
  return row;
}

/** The whole rows whose `column` has one of the values, locked until the transaction ends; in no order. */
export function lockRecords<R extends Row>(
  session: Session,
  resource: Resource<R>,
  owner: number,
  column: 'id' | 'external_id',
  values: readonly Stored[],
): Promise<R[]> {
  const key = padded(values);
  return prepared(`lock ${resource.name} ${key.length} by ${column}`, (mark) =>
    resource.model
      .query()
      .alias('t')
      .select(...selection(resource, [...resource.columns, ...resource.unshown]))
      .modify('owned', mark('owner'))
      .whereIn(`t.${column}`, marks(mark, 'key', key.length))
      .modify('locked'),
  ).rows<R>(session, owner, { key });
}

/** The ID of the record with that external_id, which is locked until the transaction ends; undefined: there is none. */
export async function lockByExternalId(
  session: Session,
  { name, model }: Resource,
  owner: number,
  key: string,
): Promise<number | undefined> {
  const statement = prepared(`lock ${name} by external_id`, (mark) =>
    model
      .query()
      .select('id')
      .modify('owned', mark('owner'))
      .where('external_id', mark('key'))
      .modify('locked'),
  );
  const [row] = await statement.rows(session, owner, { key });
  return row && Number(row.id);
}

/**
 * Locks the record by writing it. A rule that decides by what it reads under a lock calls this: a Galera cluster compares
 * written rows only, so a transaction on another node does not notice a row that is only locked.
 */
export async function claimRecord(
  session: Session,
  { name, model }: Resource,
  owner: number,
  id: number,
): Promise<void> {
  await prepared(`claim ${name}`, (mark) =>
    model
      .query()
      .patch({ [LOCK_COUNT]: plusOne(LOCK_COUNT) })
      .modify('owned', mark('owner'))
      .where('id', mark('id')),
  ).write(session, owner, { id });
}

/** The columns of the table that a prepared statement calls `t`. */
export const selection = ({ fields }: Resource, columns: readonly string[]): (Raw | string)[] =>
  columns.map((name) => (fields.get(name)?.datatype === 'timestamp' ? instantText('t', name) : `t.${name}`));

/**
 * One whole record and its `version`, or undefined where the owner has none of that ID. Requests for the same record
 * in the same moment get the same row.
 */
export type Finder = (resource: Resource, owner: number, id: number) => Promise<Readonly<Row> | undefined>;

interface Wanted {
  readonly resource: Resource;
  readonly owner: number;
  readonly id: number;
}

type Found = Row | Error | undefined;

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

/** What was found for each request, in their order. */
async function readTogether(session: Session, wanted: readonly Wanted[]): Promise<Found[]> {
  const found = new Map<Wanted, Found>();
  await Promise.all(
    [...byOwner(wanted)].map(async (group) => {
      const rows = await readGroup(session, group).catch((error: Error) => error);
      for (const one of group) found.set(one, rows instanceof Error ? rows : rows.get(one.id));
    }),
  );
  return wanted.map((one) => found.get(one));
}

/** Groups by resource and owner, since a statement reads records of one owner only. */
function byOwner(wanted: readonly Wanted[]): Iterable<[Wanted, ...Wanted[]]> {
  const groups = new Map<string, [Wanted, ...Wanted[]]>();
  for (const one of wanted) {
    const key = `${one.resource.name} ${one.owner}`;
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups.values();
}

async function readGroup(session: Session, group: [Wanted, ...Wanted[]]): Promise<Map<unknown, Row>> {
  const [{ resource, owner }] = group;
  const ids = group.map(({ id }) => id);
  const rows = await findRecords(session, resource, owner, ids);
  return new Map(rows.map((row) => [row.id, row]));
}
