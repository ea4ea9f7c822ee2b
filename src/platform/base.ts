// Storage and database, opened and migrated: what the service and most commands of the command line need. This file
// imports nothing of the HTTP side, and loads the models while the private server starts: a command answers soon.
import type { Logger } from 'pino';
import { loadResources } from '../core/model/records/registry.ts';
import type { Database } from '../core/model/statements/session.ts';
import type { Config } from './config.ts';
import { joinPrivateServer } from './database/private-server.ts';
import type { ConnectionSettings } from './database/settings.ts';
import { openStorage, type Storage } from './storage/open.ts';
import { installationId, signingSecret } from './storage/secret.ts';

/** The database and the way to it. Open, not migrated. */
export interface OpenDatabase {
  readonly connection: ConnectionSettings;
  readonly database: Database;
  close(): Promise<void>;
}

/** Storage and database, opened and migrated. The service and every command need them. */
export interface Base extends OpenDatabase {
  readonly config: Config;
  readonly log: Logger;
  readonly storage: Storage;
  readonly signingSecret: string;
  /** The installation ID of the storage. */
  readonly installation: string;
}

export async function openBase(
  config: Config,
  log: Logger,
  options: { migrate?: boolean; serverSettings?: string[] } = {},
): Promise<Base> {
  const storage = await openStorage(config);
  const opened = await openDatabase(config, storage, log, options.serverSettings);
  const { connection, database } = opened;
  const close = async () => {
    await opened.close();
    storage.close();
  };
  try {
    const installation = await installationId(storage);
    if (options.migrate !== false) {
      const { prepareDatabase } = await import('./database/prepare.ts');
      await prepareDatabase(database, installation, (line) => log.warn(line));
    }
    return {
      config,
      log,
      storage,
      connection,
      database,
      signingSecret: await signingSecret(storage, config.signingSecret),
      installation: installation.id,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Starts the private server if DATABASE_URL is not set. Throws an error of one line if no server answers. */
export async function openDatabase(
  config: Config,
  storage: Storage,
  log: Logger,
  serverSettings?: string[],
): Promise<OpenDatabase> {
  const loading = Promise.all([import('./database/connect.ts'), loadResources()]);
  // Its error is thrown below, when there is a server to leave.
  loading.catch(() => {});
  const { connection, leave } = await findServer(config, storage, log, serverSettings);
  let database: Database | undefined;
  const close = async () => {
    await database?.close();
    await leave();
  };
  try {
    const [{ connectDatabase }] = await loading;
    database = connectDatabase(connection, storage.files, {
      ...config,
      onMove: (server) => log.warn({ server }, 'the database server has failed, another one is used'),
    });
    await reach(database, config);
    return { connection, database, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The server of DATABASE_URL, or the private one. Call `leave` after every connection is closed. */
async function findServer(
  { database, databaseServer }: Config,
  storage: Storage,
  log: Logger,
  settings?: string[],
): Promise<{ connection: ConnectionSettings; leave: () => Promise<void> }> {
  if (database) return { connection: database, leave: async () => {} };
  const { connection, leave } = await joinPrivateServer({
    directory: storage.database,
    log: (line) => log.info(line),
    warn: (line) => log.warn(line),
    settings,
    kind: databaseServer,
  });
  return { connection, leave };
}

async function reach(database: Database, config: Config): Promise<void> {
  try {
    await database.knex.select(1);
  } catch (error) {
    const where = config.database ? 'DATABASE_URL' : 'The private database';
    throw new Error(
      `${where} can't be used: ${(error as Error).message || (error as { code?: string }).code}`,
    );
  }
}
