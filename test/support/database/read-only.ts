// Servers that take no writes, and users without the rights of an administrator.
import { createConnection } from 'mysql2/promise';
import { readConfig } from '../../../src/platform/config.ts';
import type { ConnectionSettings } from '../../../src/platform/database/settings.ts';
import type { DatabaseServer } from './database-server.ts';

const NAME = 'forecourt';

/** Lets a server only read, as a replica does, or ends that. */
export const onlyRead = (server: DatabaseServer, on: boolean): Promise<void> =>
  // MySQL's own variable binds all users, and goes on and off with read_only.
  asRoot(
    server,
    on && readConfig().databaseServer === 'mysql'
      ? 'SET GLOBAL super_read_only = ON'
      : `SET GLOBAL read_only = ${on ? 'ON' : 'OFF'}`,
  );

/** Makes a user with the rights that docs/operations.md names. */
export async function addUser(server: DatabaseServer): Promise<ConnectionSettings> {
  await asRoot(server, `CREATE USER ${NAME}@'127.0.0.1'`);
  await asRoot(
    server,
    `GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, DROP, INDEX, REFERENCES ON ${NAME}.* TO ${NAME}@'127.0.0.1'`,
  );
  return { hosts: [{ host: '127.0.0.1', port: server.port }], user: NAME, database: NAME };
}

/** Runs a statement on a connection of its own. */
export async function asRoot({ port }: DatabaseServer, sql: string): Promise<void> {
  const connection = await createConnection({ host: '127.0.0.1', port, user: 'root' });
  try {
    await connection.query(sql);
  } finally {
    connection.destroy();
  }
}
