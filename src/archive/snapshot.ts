// Reads all rows of one owner from one snapshot of the database. The server streams each table, no further ahead
// than the reader allows. DDL on a table that was read waits for the end; on any other table it fails the backup.
import type { Readable } from 'node:stream';
import knexModule, { type Knex } from 'knex';
import type { Connection, RowDataPacket } from 'mysql2';
import type { Stored } from '../model/field.ts';
import type { Table } from '../model/table.ts';
import { formatTimestamp } from '../trade/timestamp.ts';
import { failure } from './failure.ts';

/** Rows that wait in a stream. One read of the socket holds fewer, so a pause seldom falls within one read. */
const WAITING_ROWS = 1_000;

/** Builds the statements. It has no connections. */
const builder = knexModule({ client: 'mysql2' });

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

/** Throws an ArchiveFailure where there is no such owner. `connection` comes from connectSnapshot. */
export async function openSnapshot(connection: Connection, owner: number): Promise<Snapshot> {
  const self = builder('owners').where('id', owner).select('name', builder.raw('UTC_TIMESTAMP(3)'));
  const [found] = await all(connection, self);
  if (!found) throw failure('owner_unknown', { owner });
  const [name, now] = found;
  return {
    owner: { id: owner, name: String(name) },
    takenAt: formatTimestamp(String(now)),
    span: async (table) => {
      const ids = builder(table.name).where(table.ownedBy, owner).min('id').max('id');
      const [first = null, last] = (await all(connection, ids))[0] ?? [];
      return first === null ? undefined : { first: Number(first), last: Number(last) };
    },
    rows: ({ name: table, ownedBy, columns }) => {
      const names = columns.map((column) => column.name);
      const rows = builder(inPrimaryOrder(table)).where(ownedBy, owner).orderBy('id').select(names);
      return stream(connection, rows);
    },
    digests: () => {
      const documents = builder('documents').where('owner_id', owner).whereNotNull('sha256');
      return stream(connection, documents.distinct('sha256').orderBy('sha256'));
    },
  };
}

/** The primary key keeps the rows of one owner together, by ID; the server would sometimes sort another index. */
const inPrimaryOrder = (table: string) => builder.raw('?? FORCE INDEX (PRIMARY)', [table]);

// Queries are not prepared: the binary protocol sends instants in parts, and mysql2 puts them together slowly.
function queryOf(statement: Knex.QueryBuilder) {
  const { sql, bindings } = statement.toSQL().toNative();
  return { sql, values: [...bindings], rowsAsArray: true };
}

function all(connection: Connection, statement: Knex.QueryBuilder): Promise<Stored[][]> {
  return new Promise((resolve, reject) => {
    connection.query<RowDataPacket[][]>(queryOf(statement), (error, rows) =>
      error ? reject(error) : resolve(rows as unknown as Stored[][]),
    );
  });
}

function stream(connection: Connection, statement: Knex.QueryBuilder): Readable {
  // mysql2 reports the loss of a connection to the connection alone, perhaps before `query` returns.
  const onLost = (error: Error) => queueMicrotask(() => rows.destroy(error));
  connection.once('error', onLost);
  const rows = connection.query(queryOf(statement)).stream({ highWaterMark: WAITING_ROWS });
  return rows.once('close', () => connection.off('error', onLost));
}
