// Pools of connections. They are ours, in the manner of knex, because work on one connection needs no knex. Instants
// and decimals come back as exact text.
import knexModule, { type Knex } from 'knex';
import { type Connection, type ConnectionOptions, createConnection } from 'mysql2';
import { Pool, TimeoutError } from 'tarn';
import type { Connections } from '../../core/model/statements/session.ts';
import { refusesWrites } from './away.ts';
import { ofOneStatement } from './one-statement.ts';
import { command, STATEMENTS_OF_DRIVER, sendPostponed } from './run.ts';
import type { ServerChoice } from './server-choice.ts';
import { isGaleraNode, NoServer, refusalOf, type Variables, variablesOf } from './server-state.ts';
import { PoolTimeout } from './shares.ts';

/** How long a statement waits for a row that another transaction holds. */
export const lockWait = (seconds: number): string => `SET SESSION innodb_lock_wait_timeout = ${seconds}`;
export const LOCK_WAIT_SECONDS = 10;

export const SESSION = [
  // Rows are locked where it matters; gap locks of the default level would only add deadlocks.
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
  "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'",
  "SET SESSION time_zone = '+00:00'",
  lockWait(LOCK_WAIT_SECONDS),
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

/** Connections to the server that takes writes. Each runs the statements of `setUp` first. */
export class ConnectionPool {
  private readonly servers: ServerChoice;
  private readonly setUp: readonly string[];
  private readonly options: ConnectionOptions;
  private readonly pool: Pool<Connection>;

  constructor(servers: ServerChoice, max: number, setUp: readonly string[], options: ConnectionOptions = {}) {
    this.servers = servers;
    this.setUp = setUp;
    this.options = options;
    this.pool = new Pool({
      min: 0,
      max,
      acquireTimeoutMillis: 10_000,
      create: () => this.open(),
      validate: (connection) => connection.state === 'authenticated' && servers.isCurrent(connection),
      destroy: (connection) => new Promise<void>((resolve) => connection.end(() => resolve())),
      // A caller gets the error of the connection, not a timeout.
      propagateCreateError: true,
    });
  }

  /** A knex that takes a connection for each query. */
  openKnex(): Knex {
    const knex = knexModule({ ...KNEX, connectionPool: this.pool });
    return knex.on('query-error', (error) => this.note(error));
  }

  async run<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await this.acquire();
    try {
      return await work(connection);
    } catch (error) {
      this.note(error);
      throw error;
    } finally {
      this.release(connection);
    }
  }

  async acquire(): Promise<Connection> {
    try {
      return await this.pool.acquire().promise;
    } catch (error) {
      throw error instanceof TimeoutError ? new PoolTimeout() : error;
    }
  }

  release(connection: Connection): void {
    this.pool.release(connection);
  }

  get figures(): Connections {
    const { pool } = this;
    return { used: pool.numUsed(), free: pool.numFree(), waiting: pool.numPendingAcquires() };
  }

  /** Waits for the connections in use. */
  async close(): Promise<void> {
    await this.pool.destroy();
  }

  private async open(): Promise<Connection> {
    const options = await this.servers.options();
    try {
      const connection = await connectTo({ ...options, ...this.options }, this.setUp);
      this.servers.adopt(connection);
      return connection;
    } catch (error) {
      this.note(error);
      throw error;
    }
  }

  private note(error: unknown): void {
    if (refusesWrites(error)) this.servers.renew();
  }
}

/** A connection that has run the statements of `setUp`. */
export async function connectTo(options: ConnectionOptions, setUp: readonly string[]): Promise<Connection> {
  const connection = createConnection({ ...options, maxPreparedStatements: STATEMENTS_OF_DRIVER });
  // An 'error' that nobody hears would end the process. Every query reports the loss of the connection itself.
  connection.on('error', () => {});
  try {
    await prepareConnection(connection, setUp);
    return connection;
  } catch (error) {
    connection.destroy();
    // The driver marks the loss of a connection so, but not the answer of a server that refuses a new one.
    throw Object.assign(error as Error, { fatal: true });
  }
}

/** Runs the statements, after the one that a node of a cluster needs. Throws NoServer if the server only reads. */
async function prepareConnection(connection: Connection, setUp: readonly string[]): Promise<void> {
  const variables = await variablesOf(connection);
  const refusal = refusalOf(variables);
  if (refusal !== undefined) throw new NoServer(`the database server ${refusal}`);
  for (const sql of [...waits(variables), ...setUp]) await command(connection, sql);
}

function waits(variables: Variables): string[] {
  if (isGaleraNode(variables)) return [WAIT_FOR_CLUSTER];
  return variables.get('group_replication_consistency') === 'EVENTUAL' ? [WAIT_FOR_GROUP] : [];
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
function alwaysGives(connection: Connection): Knex.ConnectionPool {
  // Elsewhere the server itself refuses a second statement.
  const given = connection.config.multipleStatements ? ofOneStatement(connection) : connection;
  return {
    getConnection: (done: (error: Error | null, connection: Connection) => void) => {
      sendPostponed(connection).then(
        () => done(null, given),
        (error) => done(error, given),
      );
    },
    end: () => {},
  };
}
