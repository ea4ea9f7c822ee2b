// A private database server of the kind that the tests run on. A server takes seconds to make its data folder and our
// tables, so a run makes them once, and each server of a test begins with a copy.
import { existsSync } from 'node:fs';
import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfig } from '../../../src/platform/config.ts';
import { connectDatabase } from '../../../src/platform/database/connect.ts';
import { migrate } from '../../../src/platform/database/migrate.ts';
import { joinPrivateServer, type PrivateServer } from '../../../src/platform/database/private-server.ts';
import { NO_FILES } from './no-files.ts';

/** Nobody misses what a test database loses in a power cut. */
export const QUICK_SERVER = [
  '--innodb-flush-log-at-trx-commit=0',
  '--innodb-buffer-pool-size=64M',
  // The name of MariaDB, and the name of MySQL.
  '--loose-innodb-log-file-size=24M',
  '--loose-innodb-redo-log-capacity=24M',
];

/** Makes the data folder of the run, and returns the environment that names it. */
export async function prepareDatabase(folder: string): Promise<Record<string, string>> {
  const directory = join(folder, 'database');
  const server = await joinServer(directory);
  const database = connectDatabase(server.connection, NO_FILES);
  await migrate(database.knex);
  await database.close();
  await server.leave();
  const data = join(directory, 'data');
  // MySQL's name for this server: each copy makes a name of its own.
  await rm(join(data, 'auto.cnf'), { force: true });
  return { FORECOURT_TEST_DATABASE: data };
}

/** Gives the private server of this folder a copy of the run's data folder, unless the server has one already. */
export async function copyDatabase(directory: string): Promise<void> {
  const prepared = process.env.FORECOURT_TEST_DATABASE;
  const data = join(directory, 'data');
  if (!prepared || existsSync(data)) return;
  await mkdir(directory, { recursive: true });
  await cp(prepared, data, { recursive: true });
}

/** Joins the server of the folder, with a copy of the run's data folder. */
export async function joinServer(
  directory: string,
  settings: readonly string[] = QUICK_SERVER,
): Promise<PrivateServer> {
  await copyDatabase(directory);
  return joinPrivateServer({ directory, settings, kind: readConfig().databaseServer });
}
