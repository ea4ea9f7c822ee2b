// Brings a database to the tables of this version. Migrations are files named NNNN-what.js, run in order, each once;
// the start lock lets only one process migrate at a time. A digest of each file is kept, so that a
// migration that was edited after it ran is noticed.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { Knex } from 'knex';
import { retried } from '../../core/model/statements/retried.ts';
import { LOCK_WAIT_SECONDS, lockWait } from './pool.ts';
import { withStartLock } from './start-lock.ts';

const FOLDER = new URL('../../../migrations/', import.meta.url);
const TABLE = 'migrations';
const DIGESTS = 'migration_digests';
/** All migrations share this file, so each digest includes it. */
const SHARED = 'table.js';
/**
 * MariaDB locks all tables that refer to one that it alters. A transaction that holds a row there, and then needs the
 * altered table, waits for the change, and the change for it: then one of both is undone, or gives up after this time.
 * A backup holds the tables that it has read until it ends, and every request would wait behind a change that waits.
 */
const PATIENCE_SECONDS = 1;
/**
 * For all migrations together. Under a load of 200 changes a second one attempt in ten succeeds, and none while a
 * backup holds the table.
 */
const TRIES = 3_000;

/** Runs the migrations that have not run yet, and answers their names. `log` says who else prepares the database. */
export async function migrate(
  knex: Knex,
  { folder = FOLDER, log }: { folder?: URL; log?: (line: string) => void } = {},
): Promise<string[]> {
  // Most starts find nothing to do, and need no lock.
  if (await hasAll(knex, folder)) return [];
  const settings = settingsOf(folder);
  return withStartLock(
    knex,
    async () => {
      const names = await pendingMigrations(knex, folder);
      await keepDigests(knex, folder);
      // The release before serves meanwhile. If its transactions undo a migration, this one begins anew.
      await retried(async () => {
        await knex.migrate.forceFreeMigrationsLock(settings);
        await knex.migrate.latest(settings);
      }, TRIES);
      return names;
    },
    log,
  );
}

/** Whether all migrations have run. Makes no table, unlike knex's list: several processes may ask at once. */
async function hasAll(knex: Knex, folder: URL): Promise<boolean> {
  for (const table of [TABLE, DIGESTS]) if (!(await knex.schema.hasTable(table))) return false;
  const run = new Set(await knex(TABLE).pluck<string[]>('name'));
  return (await filesOf(folder)).every((file) => run.has(nameOf(file)));
}

/** The names of the migrations that this version has and the database has not. */
export async function pendingMigrations(knex: Knex, folder = FOLDER): Promise<string[]> {
  const [, files] = (await knex.migrate.list(settingsOf(folder))) as [unknown, string[]];
  return files.map(nameOf);
}

/** One sentence for each migration whose file has changed since it ran. */
export async function editedMigrations(knex: Knex, folder = FOLDER): Promise<string[]> {
  if (!(await knex.schema.hasTable(DIGESTS))) return [];
  const pending = new Set(await pendingMigrations(knex, folder));
  const digests = await digestsOf(folder);
  const kept: { name: string; digest: string }[] = await knex(DIGESTS)
    .select('name', 'digest')
    .orderBy('name');
  return kept
    .filter(({ name, digest }) => !pending.has(name) && digests.has(name) && digests.get(name) !== digest)
    .map(
      ({ name }) =>
        `Migration ${name} has changed since it ran here: restore its file, and write the change as a new migration.`,
    );
}

/** Stored first: an interrupted migration reruns with the current file. */
async function keepDigests(knex: Knex, folder: URL): Promise<void> {
  if (!(await knex.schema.hasTable(DIGESTS)))
    await knex.schema.createTable(DIGESTS, (t) => {
      t.engine('InnoDB');
      t.charset('utf8mb4');
      t.collate('utf8mb4_bin');
      t.string('name', 255).primary();
      t.string('digest', 64).notNullable();
    });
  const pending = new Set(await pendingMigrations(knex, folder));
  const rows = [...(await digestsOf(folder))]
    .filter(([name]) => pending.has(name))
    .map(([name, digest]) => ({ name, digest }));
  if (rows.length > 0) await knex(DIGESTS).insert(rows).onConflict('name').merge();
}

/**
 * The SHA-256 of each migration's compiled source, by name. The digest ignores white space, so that formatting changes
 * nothing.
 */
async function digestsOf(folder: URL): Promise<Map<string, string>> {
  const read = (file: string) => readFile(new URL(file, folder), 'utf8');
  const shared = await read(SHARED);
  const digests = (await filesOf(folder)).map(async (file): Promise<[string, string]> => {
    const source = `${await read(file)}${shared}`.replace(/\s+/g, ' ');
    return [nameOf(file), createHash('sha256').update(source).digest('hex')];
  });
  return new Map(await Promise.all(digests));
}

const filesOf = async (folder: URL) =>
  (await readdir(folder)).filter((file) => /^\d{4}-.*\.js$/.test(file)).sort();

const nameOf = (file: string) => file.replace(/\.js$/, '');

const settingsOf = (folder: URL): Knex.MigratorConfig => ({
  migrationSource: {
    getMigrations: () => filesOf(folder),
    getMigrationName: nameOf,
    // knex demands a way back, which no command of ours takes: after a failed upgrade the dump is restored.
    getMigration: async (file) => {
      const { up } = (await import(new URL(file, folder).href)) as Pick<Knex.Migration, 'up'>;
      return { up: (knex) => impatiently(knex, async () => up(knex)), down: refuse };
    },
  } satisfies Knex.MigrationSource<string>,
  tableName: TABLE,
  disableMigrationsListValidation: true,
});

/** How long DDL waits for a transaction that has read the table. */
const tableWait = (seconds: number | 'DEFAULT') => `SET SESSION lock_wait_timeout = ${seconds}`;

async function impatiently(knex: Knex, work: () => Promise<unknown>): Promise<void> {
  await knex.raw(lockWait(PATIENCE_SECONDS));
  await knex.raw(tableWait(PATIENCE_SECONDS));
  try {
    await work();
  } finally {
    await knex.raw(lockWait(LOCK_WAIT_SECONDS));
    await knex.raw(tableWait('DEFAULT'));
  }
}

const refuse = () => Promise.reject(new Error('Migrations are not undone'));
