// A connection of its own that sees every table as it was at one instant, however long the reader takes.
import { type Connection, createConnection } from 'mysql2';
import { prepareConnection } from './pool.ts';
import { ServerChoice } from './server-choice.ts';
import type { ConnectionSettings } from './settings.ts';

const BEGIN = [
  // The server ends a connection that takes nothing for this long; a slow disk or a suspended machine may.
  'SET SESSION net_write_timeout = 3600',
  'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ',
  'START TRANSACTION READ ONLY',
  // Keeps all stored files until the end (model/unused-file.ts), and sees no snapshot yet.
  'SELECT id FROM file_locks LOCK IN SHARE MODE',
  // Takes the snapshot.
  'SELECT id FROM file_locks',
];

/** Connects and begins the transaction. `destroy()` of the connection ends both. */
export async function connectSnapshot(settings: ConnectionSettings): Promise<Connection> {
  const servers = new ServerChoice(settings);
  const connection = createConnection(await servers.options().finally(() => servers.close()));
  // An 'error' that nobody hears would end the process. Every query reports the loss of the connection itself.
  connection.on('error', () => {});
  try {
    await prepareConnection(connection, BEGIN);
  } catch (error) {
    connection.destroy();
    throw error;
  }
  return connection;
}
