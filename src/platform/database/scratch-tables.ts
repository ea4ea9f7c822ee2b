// The tables as the migrations make them, on a database server of their own that lives as long as they are looked at.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import knexModule, { type Knex } from 'knex';
import { readConfig } from '../config.ts';
import { migrate } from './migrate.ts';
import { KNEX } from './pool.ts';
import { joinPrivateServer } from './private-server.ts';
import { mysqlOptions } from './settings.ts';

/** This server may lose its data: nobody needs the data afterwards. */
const QUICK = ['--innodb-flush-log-at-trx-commit=0', '--innodb-buffer-pool-size=64M'];

export interface ScratchTables {
  readonly knex: Knex;
  /** Stops the server and removes its folder. */
  close(): Promise<void>;
}

export async function openScratchTables(): Promise<ScratchTables> {
  const directory = await mkdtemp(join(tmpdir(), 'forecourt-tables-'));
  const server = await joinPrivateServer({ directory, settings: QUICK, kind: readConfig().databaseServer });
  const knex = knexModule({ ...KNEX, connection: mysqlOptions(server.connection) });
  const close = async () => {
    await knex.destroy();
    await server.leave();
    await rm(directory, { recursive: true, force: true });
  };
  try {
    await migrate(knex);
    return { knex, close };
  } catch (error) {
    await close();
    throw error;
  }
}
