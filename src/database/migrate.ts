// Brings a database to the tables of this version. Migrations are files named NNNN-what.js, run in order,
// each once; a lock held by the server lets only one process migrate at a time.
import { readdir } from 'node:fs/promises';
import type { Knex } from 'knex';

const FOLDER = new URL('../../migrations/', import.meta.url);
const LOCK = 'forecourt:migrate';

/** Runs what has not run yet and answers the names of the migrations that did. */
export async function migrate(knex: Knex): Promise<string[]> {
  // A named lock goes with its connection, so that a process that dies halfway leaves nothing to unlock.
  return knex.transaction(async (lock) => {
    await lock.raw('SELECT GET_LOCK(?, 600)', [LOCK]);
    try {
      await knex.migrate.forceFreeMigrationsLock(SETTINGS);
      const [, names] = (await knex.migrate.latest(SETTINGS)) as [number, string[]];
      return names;
    } finally {
      await lock.raw('SELECT RELEASE_LOCK(?)', [LOCK]);
    }
  });
}

/** The names of the migrations that this version has and the database has not. */
export async function pendingMigrations(knex: Knex): Promise<string[]> {
  const [, pending] = (await knex.migrate.list(SETTINGS)) as [unknown, string[]];
  return pending;
}

const SOURCE: Knex.MigrationSource<string> = {
  getMigrations: async () => (await readdir(FOLDER)).filter((file) => /^\d{4}-.*\.js$/.test(file)).sort(),
  getMigrationName: (file) => file.replace(/\.js$/, ''),
  getMigration: (file) => import(new URL(file, FOLDER).href),
};

const SETTINGS: Knex.MigratorConfig = {
  migrationSource: SOURCE,
  tableName: 'migrations',
  disableMigrationsListValidation: true,
};
