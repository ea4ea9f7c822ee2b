// Runs statements on one connection: prepared ones, commands, and those that were postponed.
import { LRUCache } from 'lru-cache';
import type { Connection, PrepareStatementInfo, QueryError } from 'mysql2';
import type { Row, Stored } from '../../core/model/fields/field.ts';
import type { Written } from '../../core/model/statements/session.ts';
import { hasPostponed, takePostponed } from './postponed.ts';

/**
 * The driver reserves 32 bytes for each statement that it may keep, half a megabyte a connection by default. It must
 * keep all that `preparedOn` has, and the one that comes before the oldest goes.
 */
export const STATEMENTS_OF_DRIVER = 128;
/** 30 connections of eight processes stay below the 16,382 statements that a server keeps by default. */
const STATEMENTS_A_CONNECTION = 60;
/** The places of their values together: the driver keeps about 200 bytes for each, and the server keeps more. */
const PLACES_A_CONNECTION = 10_000;
/** The server keeps too many prepared statements, of all connections together. */
const TOO_MANY_PREPARED = 1461;

/** The statements that a connection has prepared, by their text. */
type Prepared = LRUCache<string, PrepareStatementInfo>;

const preparedOn = new WeakMap<Connection, Prepared>();

/** Runs a prepared statement. */
export async function execute(
  connection: Connection,
  sql: string,
  values: readonly Stored[],
): Promise<Row[] | Written> {
  if (hasPostponed(connection)) await sendPostponed(connection);
  const prepared = preparedOn.get(connection) ?? keepPrepared(connection);
  try {
    return await executeNow(connection, prepared, sql, values);
  } catch (error) {
    if ((error as { errno?: number }).errno !== TOO_MANY_PREPARED || prepared.size === 0) throw error;
    prepared.clear();
    return await executeNow(connection, prepared, sql, values);
  }
}

function keepPrepared(connection: Connection): Prepared {
  const prepared: Prepared = new LRUCache({
    max: STATEMENTS_A_CONNECTION,
    maxSize: PLACES_A_CONNECTION,
    dispose: (_statement, sql) => void connection.unprepare(sql),
  });
  preparedOn.set(connection, prepared);
  return prepared;
}

/**
 * The driver finds a prepared statement by a key that it makes of the whole text for each execution. So the statement
 * itself is kept after its first execution.
 */
const executeNow = (
  connection: Connection,
  prepared: Prepared,
  sql: string,
  values: readonly Stored[],
): Promise<Row[] | Written> =>
  new Promise((resolve, reject) => {
    const done = (error: QueryError | null, result: unknown) =>
      error ? reject(error) : resolve(result as Row[] | Written);
    const known = prepared.get(sql);
    if (known) {
      known.execute(values, done);
      return;
    }
    connection.execute(sql, values as Stored[], done);
    const size = values.length + 1;
    // Comes next on the connection, and asks the server nothing: the driver has the statement by then.
    connection.prepare(sql, (error, statement) => {
      if (error) return;
      if (size > PLACES_A_CONNECTION) connection.unprepare(sql);
      else prepared.set(sql, statement, { size });
    });
  });

/** Runs a constant command, without values, after the statements that are postponed: all in one packet. */
export const command = (connection: Connection, sql: string): Promise<void> =>
  send(connection, [...takePostponed(connection), sql]);

/** Runs the statements that are postponed. */
export async function sendPostponed(connection: Connection): Promise<void> {
  if (hasPostponed(connection)) await send(connection, takePostponed(connection));
}

/** Undoes work of the transaction. Statements that are postponed are part of it, and never run. */
export function undo(connection: Connection, rollback: string): Promise<void> {
  takePostponed(connection);
  return send(connection, [rollback]);
}

/** The server runs the statements in this order, and none after one that fails. */
const send = (connection: Connection, statements: readonly string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    // Null: the driver would search the text for places of values otherwise.
    connection.query(statements.join('; '), null, (error) => (error ? reject(error) : resolve()));
  });
