// Reads all rows of one owner as they were at one instant, however long that takes and whoever writes
// meanwhile: one connection, one read-only transaction. The server streams each table in one go, no further
// ahead than the reader allows. DDL waits for the end, on tables that were looked at; on others it is an error.
import type { Connection, RowDataPacket } from 'mysql2';
import type { Stored } from '../model/field.ts';
import type { Table } from '../model/table.ts';
import { formatTimestamp } from '../trade/timestamp.ts';
import { failure } from './failure.ts';
import type { RowBytes } from './row-bytes.ts';
import type { RowConnection } from './row-connection.ts';

const MOST_WAITING = 2;
const DIGESTS_A_PORTION = 5_000;
// The server gives up a reader that takes nothing for a minute; a slow disk, or a suspended machine, may.
const PATIENCE_SECONDS = 3_600;

export interface Snapshot {
  readonly owner: { readonly id: number; readonly name: string };
  /** ISO 8601, UTC. */
  readonly takenAt: string;
  /** The lowest and the highest ID of the owner's rows; undefined where it has none. */
  span(table: Table): Promise<{ first: number; last: number } | undefined>;
  /**
   * Hands the owner's rows to `write`, in the order of their IDs, and yields the chunks that it returns now and
   * then. Only one table is read at a time.
   */
  read<Chunk>(table: Table, write: (row: RowBytes) => Chunk | undefined): AsyncGenerator<Chunk>;
  /** The distinct digests of the owner's documents, in ascending order. */
  digests(): AsyncGenerator<string>;
}

/** Begins the transaction on a connection that is used for nothing else; closing the connection ends it. */
export async function openSnapshot(by: RowConnection, owner: number): Promise<Snapshot> {
  const { connection } = by;
  const rows = (sql: string, values: (number | string)[]) => query(connection, sql, values);
  await rows(`SET SESSION net_write_timeout = ${PATIENCE_SECONDS}`, []);
  await rows('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ', []);
  await rows('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY', []);
  const [found] = await rows('SELECT name, UTC_TIMESTAMP(3) FROM owners WHERE id = ?', [owner]);
  if (!found) throw failure('owner_unknown', { owner });
  const [name, now] = found;
  return {
    owner: { id: owner, name: String(name) },
    takenAt: formatTimestamp(String(now)),
    span: async (table) => {
      const sql = `SELECT MIN(id), MAX(id) FROM ${table.name} WHERE ${table.ownedBy} = ?`;
      const [first = null, last] = (await rows(sql, [owner]))[0] ?? [];
      return first === null ? undefined : { first: Number(first), last: Number(last) };
    },
    read: (table, write) => {
      // The primary key holds an owner's rows together, in this order.
      const sql =
        `SELECT ${table.columns.map(({ name: column }) => column).join(', ')} FROM ${table.name} ` +
        `FORCE INDEX (PRIMARY) WHERE ${table.ownedBy} = ? ORDER BY id`;
      return stream(by, sql, [owner], write);
    },
    digests: async function* () {
      const sql =
        'SELECT DISTINCT sha256 FROM documents WHERE owner_id = ? AND sha256 > ? ' +
        `ORDER BY sha256 LIMIT ${DIGESTS_A_PORTION}`;
      let portion: Stored[][];
      let last = '';
      do {
        portion = await rows(sql, [owner, last]);
        for (const [digest] of portion) yield String(digest);
        last = String(portion.at(-1)?.[0]);
      } while (portion.length === DIGESTS_A_PORTION);
    },
  };
}

/** Runs a query whose result is held back while nobody takes what was made of it. */
async function* stream<Chunk>(
  { connection, socket }: RowConnection,
  sql: string,
  values: number[],
  write: (row: RowBytes) => Chunk | undefined,
): AsyncGenerator<Chunk> {
  const waiting: Chunk[] = [];
  let over = false;
  let error: unknown;
  let wake = () => {};
  const end = (reason?: unknown) => {
    over = true;
    error ??= reason;
    wake();
  };
  const goOn = () => {
    if (waiting.length < MOST_WAITING) socket.resume();
  };
  const take = (row: RowBytes) => {
    if (over) return;
    try {
      const chunk = write(row);
      if (chunk === undefined) return;
      waiting.push(chunk);
      wake();
      // The event loop turns before the next one, so that the threads that deflate get theirs.
      socket.pause();
      setImmediate(goOn);
    } catch (reason) {
      end(reason);
    }
  };
  // Of a connection that is lost only the connection tells.
  connection.once('error', end);
  const reading = connection.query({ sql, values });
  reading.on('error', end).on('end', () => end());
  takeRows(reading, take);
  try {
    for (;;) {
      const chunk = waiting.shift();
      if (chunk !== undefined) {
        goOn();
        yield chunk;
      } else if (error) throw error;
      else if (over) return;
      else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    over = true;
    connection.off('error', end);
  }
}

/** What mysql2 calls with each packet of a result, and which says what the next one is for. */
type OnPacket = (packet: RowBytes & { isEOF(): boolean }) => unknown;

/** Takes the rows of a query before mysql2 makes values of them, which it knows no way to ask for. */
function takeRows(query: object, take: (row: RowBytes) => void): void {
  const command = query as { row: OnPacket };
  const { row: byDefault } = command;
  command.row = (packet) => {
    if (packet.isEOF()) return byDefault.call(command, packet);
    take(packet);
    return command.row;
  };
}

/**
 * Not as a prepared statement: in the binary protocol instants come in parts that must be put together, which
 * takes half as long again. The values are numbers of ours, and digests.
 */
function query(connection: Connection, sql: string, values: (number | string)[]): Promise<Stored[][]> {
  return new Promise((resolve, reject) => {
    connection.query<RowDataPacket[][]>({ sql, values, rowsAsArray: true }, (error, rows) =>
      error ? reject(error) : resolve(rows as unknown as Stored[][]),
    );
  });
}
