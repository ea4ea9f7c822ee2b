// The database as the service uses it, over three pools: reads for answers, which are short of time and shared between
// owners; transactions; and all else, such as jobs and migrations.
import type { Knex } from 'knex';
import type { Connection } from 'mysql2';
import { retried } from '../../core/model/statements/retried.ts';
import type {
  Actor,
  Connections,
  Database,
  Files,
  Reader,
  Reading,
  Session,
} from '../../core/model/statements/session.ts';
import { Changes } from '../../core/model/writes/change-log.ts';
import {
  BEGIN_READING,
  BEGIN_SNAPSHOT,
  ConnectionPool,
  knexOn,
  SESSION,
  SNAPSHOTS,
  timeLimit,
} from './pool.ts';
import { postpone } from './postponed.ts';
import { command, execute, sendPostponed, undo } from './run.ts';
import { ServerChoice } from './server-choice.ts';
import { isNode, NoServer, reportOn, variablesOf } from './server-state.ts';
import type { ConnectionSettings } from './settings.ts';
import { Shares } from './shares.ts';

/**
 * Connections of the pools, and how many of each one owner may hold: slow lists of one garage delay no other garage.
 * The lists of all owners together leave three connections to single records and tokens, whose statements are short.
 */
const READS = { pool: 15, ofAll: 12, ofOwner: 5 };
const TRANSACTIONS = { pool: 15, ofOwner: 10 };
/** Connections of the pool for all else. */
const OTHERS = 8;
const QUERY_SECONDS = 5;
// The first statement begins a transaction by itself: BEGIN would cost each transaction a round trip.
const TRANSACTION = [...SESSION, 'SET SESSION autocommit = 0'];

interface DatabaseOptions {
  /** The longest time of a statement that reads for an answer. */
  readonly querySeconds?: number;
  /** Called when connections move to another server, with its `host:port`. */
  readonly onMove?: (host: string) => void;
}

export function connectDatabase(
  settings: ConnectionSettings,
  files: Files,
  { querySeconds = QUERY_SECONDS, onMove }: DatabaseOptions = {},
): Database {
  const servers = new ServerChoice(settings, onMove);
  const others = new ConnectionPool(servers, OTHERS, SESSION);
  const readings = [...SESSION, SNAPSHOTS, timeLimit(querySeconds)];
  const reads = new ConnectionPool(servers, READS.pool, readings);
  const transactions = new ConnectionPool(servers, TRANSACTIONS.pool, TRANSACTION, {
    multipleStatements: true,
  });
  const pools = [others, reads, transactions];
  const knex = others.openKnex();
  const listeners: ((owner: number) => void)[] = [];
  const onChanges = (owner: number) => {
    for (const listener of listeners) listener(owner);
  };
  const readers = new Shares(READS);
  const writers = new Shares(TRANSACTIONS);
  return {
    knex,
    files,
    // Single records: statements on the primary key.
    execute: (sql, values) => reads.run((connection) => execute(connection, sql, values)),
    connections: () => {
      const sum = (name: keyof Connections) => pools.reduce((total, { figures }) => total + figures[name], 0);
      const waiting = sum('waiting') + readers.waitingCount + writers.waitingCount;
      return { used: sum('used'), free: sum('free'), waiting };
    },
    check: shared(() => others.run(demandWrites)),
    isCluster: () => others.run(async (connection) => isNode(await variablesOf(connection))),
    onChanges: (listener) => void listeners.push(listener),
    openReading: (reader) => openReading({ reads, shares: readers, knex, files, servers }, reader),
    transaction: async (work, actor) => {
      const run = () => retried(() => transaction(transactions, [], files, work, { actor, onChanges }));
      return actor ? writers.run(actor.owner, run) : run();
    },
    snapshot: (work) => transaction(others, BEGIN_SNAPSHOT, files, work),
    close: async () => {
      servers.close();
      await Promise.all(pools.map((pool) => pool.close()));
    },
  };
}

/** All who ask while the work runs get its result: anybody may ask for a check (/health/ready). */
function shared(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
}

async function demandWrites(connection: Connection): Promise<void> {
  const { state, text } = await reportOn(connection).catch((error) => {
    // The answer may still come.
    connection.destroy();
    throw error;
  });
  if (state === 'reading' || state === 'away') throw new NoServer(`the database server: ${text}`);
}

interface ReadPools {
  readonly reads: ConnectionPool;
  readonly shares: Shares;
  readonly knex: Knex;
  readonly files: Files;
  readonly servers: ServerChoice;
}

async function openReading(
  { reads, shares, knex, files, servers }: ReadPools,
  { owner, signal, snapshot }: Reader,
): Promise<Reading> {
  await shares.take(owner, signal);
  let connection: Connection;
  try {
    connection = await reads.acquire();
  } catch (error) {
    shares.release(owner);
    throw error;
  }
  let killing: PromiseLike<unknown> | undefined;
  const kill = () => {
    // A killed connection is not used again: the order might meet its next statement.
    const destroy = () => connection.destroy();
    // Another server may have another connection of this number.
    const killed = servers.isCurrent(connection)
      ? knex.raw('KILL QUERY ?', [connection.threadId])
      : Promise.resolve();
    killing = killed.then(destroy, destroy);
  };
  signal.addEventListener('abort', kill, { once: true });
  const release = async () => {
    signal.removeEventListener('abort', kill);
    if (killing) await killing;
    else if (snapshot) await command(connection, 'COMMIT').catch(() => connection.destroy());
    reads.release(connection);
    shares.release(owner);
  };
  try {
    if (snapshot) await command(connection, BEGIN_READING);
    signal.throwIfAborted();
  } catch (error) {
    await release();
    throw error;
  }
  return Object.assign(new ConnectionSession(connection, files), { release });
}

function transaction<T>(
  pool: ConnectionPool,
  begin: readonly string[],
  files: Files,
  work: (session: Session) => Promise<T>,
  { actor, onChanges }: { actor?: Actor; onChanges?: (owner: number) => void } = {},
): Promise<T> {
  return pool.run(async (connection) => {
    const changes = new Changes(actor);
    const session = new ConnectionSession(connection, files, changes);
    try {
      for (const sql of begin) await command(connection, sql);
      const result = await work(session);
      await changes.write(session);
      await command(connection, 'COMMIT');
      if (onChanges) for (const owner of changes.owners) onChanges(owner);
      return result;
    } catch (error) {
      // A connection that can't even roll back must not be used again; the server rolls back for it.
      await undo(connection, 'ROLLBACK').catch(() => connection.destroy());
      throw error;
    }
  });
}

/** All statements run on one connection. */
class ConnectionSession implements Session {
  readonly files: Files;
  readonly changes: Changes | undefined;
  readonly postpone: Session['postpone'];
  private readonly connection: Connection;

  constructor(connection: Connection, files: Files, changes?: Changes) {
    this.connection = connection;
    this.files = files;
    this.changes = changes;
    if (changes)
      this.postpone = async (sql, values) => {
        if (!postpone(connection, sql, values)) await this.execute(sql, values);
      };
  }

  get knex(): Knex {
    return knexOn(this.connection);
  }

  execute: Session['execute'] = (sql, values) => execute(this.connection, sql, values);

  savepoint = async <T>(work: () => Promise<T>): Promise<T> => {
    const noted = this.changes?.mark();
    await command(this.connection, 'SAVEPOINT work');
    try {
      const result = await work();
      // Their errors are errors of the work.
      await sendPostponed(this.connection);
      return result;
    } catch (error) {
      // After a conflict the server has undone the whole transaction. Then the error must reach the transaction.
      await undo(this.connection, 'ROLLBACK TO SAVEPOINT work').catch(() => {});
      if (noted) this.changes?.returnTo(noted);
      throw error;
    }
  };
}
