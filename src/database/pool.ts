// Pools of connections, owned by knex, and the work on one connection of them. Instants and decimals come back as
// exact text.
import knexModule, { type Knex } from 'knex';
import type { Connection } from 'mysql2';
import type { Row, Stored } from '../model/fields/field.ts';
import type { Connections, Written } from '../model/statements/session.ts';
import { refusesWrites } from './away.ts';
import type { ServerChoice } from './server-choice.ts';
import { isGaleraNode, NoServer, refusalOf, type Variables, variablesOf } from './server-state.ts';

/** The server keeps too many prepared statements, of all connections together. */
const TOO_MANY_PREPARED = 1461;

export const SESSION = [
  // Rows are locked where it matters; gap locks of the default level would only add deadlocks.
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
  "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'",
  "SET SESSION time_zone = '+00:00'",
  'SET SESSION innodb_lock_wait_timeout = 10',
  // Every index ends with the primary key, which the optimizer would intersect with the index itself.
  "SET SESSION optimizer_switch = 'index_merge_intersection=off'",
];

export const BEGIN_READING = 'START TRANSACTION READ ONLY';
/** Begins a transaction that sees every table as it is at its first statement. */
export const BEGIN_SNAPSHOT = ['SET TRANSACTION ISOLATION LEVEL REPEATABLE READ', BEGIN_READING];
/** For connections that only read: each transaction is a snapshot. A statement outside one sees what is committed. */
export const SNAPSHOTS = 'SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ';

/** On a Galera node a read waits for the commits of other nodes. 7: SELECT, UPDATE and DELETE, INSERT. */
const WAIT_FOR_CLUSTER = 'SET SESSION wsrep_sync_wait = 7';
/**
 * On a new primary of a MySQL group all statements wait for the transactions that the old primary acknowledged. This is
 * the default since MySQL 8.4. A server with a stricter setting keeps it.
 */
const WAIT_FOR_GROUP = "SET SESSION group_replication_consistency = 'BEFORE_ON_PRIMARY_FAILOVER'";

/** Stops a statement after so many seconds. MariaDB reads the first comment, MySQL 8 the second. */
export const timeLimit = (seconds: number): string =>
  `SET SESSION autocommit = 1 /*M!, max_statement_time = ${seconds} */ /*!80000 , max_execution_time = ${seconds * 1000} */`;

export const KNEX: Knex.Config = {
  client: 'mysql2',
  // An error of the database goes to the log, where values of a statement must not go.
  compileSqlOnError: false,
  // Whatever knex would print also reaches the caller as an error.
  log: { debug: () => {}, warn: () => {}, error: () => {}, deprecate: () => {} },
};

/** A pool whose connections run the statements of `setUp` first. */
export function openPool(servers: ServerChoice, max: number, setUp: readonly string[]): Knex {
  const note = (error: unknown) => {
    if (refusesWrites(error)) servers.renew();
  };
  const knex = knexModule({
    ...KNEX,
    connection: () => servers.knexOptions(),
    pool: {
      min: 0,
      max,
      afterCreate: (connection: Connection, done: (error: Error | null, connection: Connection) => void) => {
        prepareConnection(connection, setUp).then(
          () => {
            servers.adopt(connection);
            done(null, connection);
          },
          (error) => {
            connection.destroy();
            note(error);
            done(error, connection);
          },
        );
      },
      validate: (connection: Connection) => servers.isCurrent(connection),
    },
    acquireConnectionTimeout: 10_000,
  });
  knex.on(FAILURE, note);
  return knex;
}

/** knex emits this event when a query of a pool fails. */
const FAILURE = 'query-error';

/** Runs the statements, after the one that a node of a cluster needs. Throws NoServer if the server only reads. */
export async function prepareConnection(connection: Connection, setUp: readonly string[]): Promise<void> {
  const variables = await variablesOf(connection);
  const refusal = refusalOf(variables);
  if (refusal !== undefined) throw new NoServer(`the database server ${refusal}`);
  for (const sql of [...waits(variables), ...setUp]) await command(connection, sql);
}

function waits(variables: Variables): string[] {
  if (isGaleraNode(variables)) return [WAIT_FOR_CLUSTER];
  return variables.get('group_replication_consistency') === 'EVENTUAL' ? [WAIT_FOR_GROUP] : [];
}

/** The figures of knex's pool. */
interface Pool {
  numUsed(): number;
  numFree(): number;
  numPendingAcquires(): number;
}

export function sumUp(pools: readonly Knex[]): Connections {
  const sum = (of: (pool: Pool) => number) => pools.reduce((total, { client }) => total + of(client.pool), 0);
  return {
    used: sum((pool) => pool.numUsed()),
    free: sum((pool) => pool.numFree()),
    waiting: sum((pool) => pool.numPendingAcquires()),
  };
}

export async function onConnection<T>(pool: Knex, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection: Connection = await pool.client.acquireConnection();
  try {
    return await work(connection);
  } catch (error) {
    // A query on a connection of its own does not pass the pool's knex.
    pool.emit(FAILURE, error);
    throw error;
  } finally {
    pool.client.releaseConnection(connection);
  }
}

const knexes = new WeakMap<Connection, Knex>();

/**
 * A knex whose every query runs on that connection: made once for each connection, because knex's own transaction
 * makes one each time, which takes twice as long as a GET.
 */
export function knexOn(connection: Connection): Knex {
  let knex = knexes.get(connection);
  if (!knex) {
    knex = knexModule({ ...KNEX, connectionPool: alwaysGives(connection) });
    knexes.set(connection, knex);
  }
  return knex;
}

/** A pool in knex's eyes; the connection stays in ours. */
const alwaysGives = (connection: Connection): Knex.ConnectionPool => ({
  getConnection: (done: (error: null, connection: Connection) => void) => done(null, connection),
  end: () => {},
});

/** Texts that a connection has prepared, the one least lately prepared first. */
const preparedTexts = new WeakMap<Connection, Set<string>>();

/** Runs a prepared statement. */
export async function execute(
  connection: Connection,
  sql: string,
  values: readonly Stored[],
): Promise<Row[] | Written> {
  const texts = preparedTexts.get(connection) ?? new Set();
  preparedTexts.set(connection, texts);
  try {
    return await executeNow(connection, sql, values);
  } catch (error) {
    if ((error as { errno?: number }).errno !== TOO_MANY_PREPARED || texts.size === 0) throw error;
    for (const text of texts) connection.unprepare(text);
    texts.clear();
    return await executeNow(connection, sql, values);
  } finally {
    texts.add(sql);
  }
}

const executeNow = (
  connection: Connection,
  sql: string,
  values: readonly Stored[],
): Promise<Row[] | Written> =>
  new Promise((resolve, reject) => {
    connection.execute(sql, values as Stored[], (error, result) =>
      error ? reject(error) : resolve(result as Row[] | Written),
    );
  });

/** Runs a constant command, without values. */
export const command = (connection: Connection, sql: string): Promise<void> =>
  new Promise((resolve, reject) => {
    connection.query(sql, (error) => (error ? reject(error) : resolve()));
  });
