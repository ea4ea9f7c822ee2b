// Connects to the database with two pools of knex: one for single statements (such as Objection's queries), one for
// transactions. Two pools, because connections for transactions run with autocommit off.
import { setTimeout } from 'node:timers/promises';
import knexModule, { type Knex } from 'knex';
import type { Connection } from 'mysql2';
import type { Row, Stored } from '../model/field.ts';
import type { Connections, Database, Files, Session, Written } from '../model/session.ts';
import { type ConnectionSettings, mysqlOptions } from './settings.ts';

/** Connections in each of the two pools. */
export const LARGEST_POOL = 10;
const TRIES = 10;
const LONGEST_PAUSE_MS = 20;
const SESSION_SETTINGS = [
  // The code locks the rows that matter. Gap locks of the default level would only cause more deadlocks.
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
  "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'",
  "SET SESSION time_zone = '+00:00'",
  'SET SESSION innodb_lock_wait_timeout = 10',
  // Every index ends with the primary key. Without this, the optimizer intersects the index with the primary key.
  "SET SESSION optimizer_switch = 'index_merge_intersection=off'",
];
// Without autocommit the first statement begins the transaction. BEGIN would cost one more round trip.
const TRANSACTION_SETTINGS = [...SESSION_SETTINGS, 'SET SESSION autocommit = 0'];
const BEGIN_SNAPSHOT = ['SET TRANSACTION ISOLATION LEVEL REPEATABLE READ', 'START TRANSACTION READ ONLY'];

export function connectDatabase(
  settings: ConnectionSettings,
  files: Files,
  largestPool = LARGEST_POOL,
): Database {
  const knex = openPool(settings, largestPool, SESSION_SETTINGS);
  const transactions = openPool(settings, largestPool, TRANSACTION_SETTINGS);
  return {
    knex,
    files,
    execute: (sql, values) => onConnection(knex, (connection) => execute(connection, sql, values)),
    connections: () => sumUp([knex.client.pool, transactions.client.pool]),
    transaction: (work) => retried(() => transaction(transactions, [], files, work)),
    snapshot: (work) => transaction(knex, BEGIN_SNAPSHOT, files, work),
    close: async () => {
      await Promise.all([knex.destroy(), transactions.destroy()]);
    },
  };
}

const KNEX: Knex.Config = {
  client: 'mysql2',
  // Database errors go to the log, and values of statements must not.
  compileSqlOnError: false,
  // Everything that knex prints also reaches the caller as an error.
  log: { debug: () => {}, warn: () => {}, error: () => {}, deprecate: () => {} },
};

const openPool = (settings: ConnectionSettings, max: number, setUp: readonly string[]): Knex =>
  knexModule({
    ...KNEX,
    connection: mysqlOptions(settings),
    pool: { min: 0, max, afterCreate: prepareConnection(setUp) },
    acquireConnectionTimeout: 10_000,
  });

/** The counts that knex's pool offers. */
interface Pool {
  numUsed(): number;
  numFree(): number;
  numPendingAcquires(): number;
}

function sumUp(pools: readonly Pool[]): Connections {
  const sum = (of: (pool: Pool) => number) => pools.reduce((total, pool) => total + of(pool), 0);
  return {
    used: sum((pool) => pool.numUsed()),
    free: sum((pool) => pool.numFree()),
    waiting: sum((pool) => pool.numPendingAcquires()),
  };
}

function transaction<T>(
  pool: Knex,
  begin: readonly string[],
  files: Files,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  return onConnection(pool, async (connection) => {
    try {
      for (const sql of begin) await command(connection, sql);
      const result = await work(sessionOn(connection, files));
      await command(connection, 'COMMIT');
      return result;
    } catch (error) {
      // A connection that can't roll back must not be used again. The server rolls back when it closes.
      await command(connection, 'ROLLBACK').catch(() => connection.destroy());
      throw error;
    }
  });
}

async function onConnection<T>(pool: Knex, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection: Connection = await pool.client.acquireConnection();
  try {
    return await work(connection);
  } finally {
    pool.client.releaseConnection(connection);
  }
}

const sessionOn = (connection: Connection, files: Files): Session => ({
  files,
  get knex() {
    return knexOn(connection);
  },
  execute: (sql, values) => execute(connection, sql, values),
});

const knexes = new WeakMap<Connection, Knex>();

/**
 * A knex that runs every query on one connection. Each connection keeps its knex. knex.transaction makes a new one
 * for every transaction, and that takes twice as long as a GET.
 */
function knexOn(connection: Connection): Knex {
  let knex = knexes.get(connection);
  if (!knex) {
    knex = knexModule({ ...KNEX, connectionPool: poolOf(connection) });
    knexes.set(connection, knex);
  }
  return knex;
}

/** A pool for knex with this one connection. The connection still belongs to the real pool. */
const poolOf = (connection: Connection): Knex.ConnectionPool => ({
  getConnection: (done: (error: null, connection: Connection) => void) => done(null, connection),
  end: () => {},
});

const execute = (connection: Connection, sql: string, values: readonly Stored[]): Promise<Row[] | Written> =>
  new Promise((resolve, reject) => {
    connection.execute(sql, values as Stored[], (error, result) =>
      error ? reject(error) : resolve(result as Row[] | Written),
    );
  });

/** Runs a statement without values. All such statements are constants of this file. */
const command = (connection: Connection, sql: string): Promise<void> =>
  new Promise((resolve, reject) => {
    connection.query(sql, (error) => (error ? reject(error) : resolve()));
  });

/**
 * Runs a transaction again after a deadlock. The database has rolled the transaction back. In each deadlock at least
 * one transaction succeeds, so there are as many tries as connections. Random pauses avoid the same deadlock again.
 */
async function retried<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if ((error as { code?: string }).code !== 'ER_LOCK_DEADLOCK' || tries === TRIES) throw error;
      await setTimeout(Math.random() * tries * LONGEST_PAUSE_MS);
    }
  }
}

const prepareConnection =
  (statements: readonly string[]) =>
  (connection: Connection, done: (error: Error | null, connection: Connection) => void): void => {
    const next = ([sql, ...left]: readonly string[]) => {
      if (sql === undefined) return done(null, connection);
      connection.query(sql, (error) => (error ? done(error, connection) : next(left)));
    };
    next(statements);
  };
