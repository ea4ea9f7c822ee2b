// A connection of its own that sees every table as it was at one instant, however long the reader takes.
import { promisify } from 'node:util';
import { type Connection, createConnection } from 'mysql2';
import { type ConnectionSettings, mysqlOptions } from './settings.ts';

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
  const connection = createConnection(mysqlOptions(settings));
  // An 'error' that nobody hears would end the process. Every query reports the loss of the connection itself.
  connection.on('error', () => {});
  const run = promisify<string, unknown>(connection.query.bind(connection));
  try {
    for (const sql of BEGIN) await run(sql);
  } catch (error) {
    connection.destroy();
    throw error;
  }
  return connection;
}
