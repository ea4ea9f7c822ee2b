// A connection of its own that sees every table as it was at one instant, however long the reader takes.
import type { Knex } from 'knex';
import type { Connection } from 'mysql2';
import { BEGIN_SNAPSHOT, connectTo, knexOn, SESSION } from './pool.ts';
import { command } from './run.ts';
import { ServerChoice } from './server-choice.ts';
import type { ConnectionSettings } from './settings.ts';

const SET_UP = [
  ...SESSION,
  // The server ends a connection that takes nothing for this long; a slow disk or a suspended machine may.
  'SET SESSION net_write_timeout = 3600',
];
const BEGIN = ['ROLLBACK', ...BEGIN_SNAPSHOT];
// Keeps all stored files until the end (platform/storage/unused-file.ts), and sees no snapshot yet.
const KEEP_FILES = 'SELECT id FROM file_locks LOCK IN SHARE MODE';
const TAKE_SNAPSHOT = 'SELECT id FROM file_locks';

/** A connection that reads one snapshot after another. */
export interface SnapshotReader {
  readonly connection: Connection;
  /** Queries of Objection on this connection. */
  readonly knex: Knex;
  /** Ends the snapshot before, and takes one. */
  begin(): Promise<void>;
  /** Stops the statement that runs: it rejects. Without one it does nothing. */
  stop(): Promise<void>;
  /** Ends the connection and its snapshot. */
  close(): void;
}

/** Connects without a snapshot. */
export async function connectReader(settings: ConnectionSettings): Promise<SnapshotReader> {
  const servers = new ServerChoice(settings);
  const options = await servers.options().finally(() => servers.close());
  const connection = await connectTo(options, SET_UP);
  return {
    connection,
    knex: knexOn(connection),
    begin: async () => {
      for (const sql of [...BEGIN, TAKE_SNAPSHOT]) await command(connection, sql);
    },
    stop: async () => {
      // To the same server: on another one this number is another connection.
      const other = await connectTo(options, []);
      try {
        await knexOn(other).raw('KILL QUERY ?', [connection.threadId ?? 0]);
      } finally {
        other.destroy();
      }
    },
    close: () => connection.destroy(),
  };
}

/** Connects and takes a snapshot that keeps all stored files. `destroy()` of the connection ends both. */
export async function connectSnapshot(settings: ConnectionSettings): Promise<Connection> {
  const { connection, close } = await connectReader(settings);
  try {
    for (const sql of [...BEGIN, KEEP_FILES, TAKE_SNAPSHOT]) await command(connection, sql);
  } catch (error) {
    close();
    throw error;
  }
  return connection;
}
