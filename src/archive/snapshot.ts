// Reads all rows of one owner from one snapshot of the database. The server streams each table, no further ahead
// than the reader allows. DDL on a table that was read waits for the end; on any other table it fails the backup.
import type { Readable } from 'node:stream';
import type { Connection, RowDataPacket } from 'mysql2';
import type { QueryBuilder } from 'objection';
import type { Stored } from '../model/field.ts';
import { now, onIndex } from '../model/fragment.ts';
import { Table as AnyTable } from '../model/prepared.ts';
import type { Table } from '../model/table.ts';
import { formatTimestamp } from '../trade/timestamp.ts';
import { failure } from './failure.ts';

/** Rows that wait in a stream. One read of the socket holds fewer, so a pause seldom falls within one read. */
const WAITING_ROWS = 1_000;

export interface Snapshot {
  readonly owner: { readonly id: number; readonly name: string };
  /** ISO 8601, UTC. */
  readonly takenAt: string;
  /** The lowest and the highest ID of the owner's rows; undefined where it has none. */
  span(table: Table): Promise<{ first: number; last: number } | undefined>;
  /** The owner's rows by ID, each an array of the table's columns. Read one table at a time. */
  rows(table: Table): Readable;
  /** The distinct digests of the owner's documents, ascending, each in an array of its own. */
  digests(): Readable;
}

type Query = QueryBuilder<AnyTable>;

/** Throws an ArchiveFailure where there is no such owner. `connection` comes from connectSnapshot. */
export async function openSnapshot(connection: Connection, owner: number): Promise<Snapshot> {
  const self = from('owners').where('id', owner).select('name', now());
  const [found] = await all(connection, self);
  if (!found) throw failure('owner_unknown', { owner });
  const [name, takenAt] = found;
  return {
    owner: { id: owner, name: String(name) },
    takenAt: formatTimestamp(String(takenAt)),
    span: async (table) => {
      const ids = from(table.name).where(table.ownedBy, owner).min('id').max('id as last');
      const [first = null, last] = (await all(connection, ids))[0] ?? [];
      return first === null ? undefined : { first: Number(first), last: Number(last) };
    },
    rows: ({ name: table, ownedBy, columns }) => {
      const names = columns.map((column) => column.name);
      // The primary key keeps the rows of one owner together, by ID; the server would sometimes sort another index.
      const rows = from(table).from(onIndex(table, table, 'PRIMARY'));
      return stream(connection, rows.where(ownedBy, owner).orderBy('id').select(names));
    },
    digests: () => {
      const documents = from('documents').where('owner_id', owner).whereNotNull('sha256');
      return stream(connection, documents.distinct('sha256').orderBy('sha256'));
    },
  };
}

/** A thread that only copies rows loads no resources, so it knows tables by name only. */
const from = (table: string): Query =>
  class extends AnyTable {
    static override tableName = table;
  }.query();

// Queries are not prepared: the binary protocol sends instants in parts, and mysql2 puts them together slowly.
function queryOf(query: Query) {
  const { sql, bindings } = query.toKnexQuery().toSQL().toNative();
  return { sql, values: [...bindings], rowsAsArray: true };
}

function all(connection: Connection, query: Query): Promise<Stored[][]> {
  return new Promise((resolve, reject) => {
    connection.query<RowDataPacket[][]>(queryOf(query), (error, rows) =>
      error ? reject(error) : resolve(rows as unknown as Stored[][]),
    );
  });
}

function stream(connection: Connection, query: Query): Readable {
  // mysql2 reports the loss of a connection to the connection alone, perhaps before `query` returns.
  const onLost = (error: Error) => queueMicrotask(() => rows.destroy(error));
  connection.once('error', onLost);
  const rows = connection.query(queryOf(query)).stream({ highWaterMark: WAITING_ROWS });
  return rows.once('close', () => connection.off('error', onLost));
}
