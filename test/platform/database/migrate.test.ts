// Forecourt reports a migration that was edited after it ran: at the start, in migrate and in doctor.
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { editedMigrations, migrate, pendingMigrations } from '../../../src/platform/database/migrate.ts';
import { openScratchTables, type ScratchTables } from '../../../src/platform/database/scratch-tables.ts';
import { withStartLock } from '../../../src/platform/database/start-lock.ts';
import { forecourt } from '../../support/process/forecourt.ts';
import { startProcess } from '../../support/process/process.ts';
import { database, serviceEnvironment } from '../../support/service/service.ts';
import { until } from '../../support/service/until.ts';

const MIGRATIONS = new URL('../../../migrations/', import.meta.url);
const EXTRA = '9001-extra';
const SENTENCE = `Migration ${EXTRA} has changed since it ran here: restore its file, and write the change as a new migration.`;

describe('a migration that has run', () => {
  let scratch: ScratchTables;
  let path: string;
  let folder: URL;
  before(async function () {
    this.timeout(180_000);
    scratch = await openScratchTables();
    path = await mkdtemp(join(tmpdir(), 'forecourt-migrations-'));
    folder = pathToFileURL(`${path}/`);
    await cp(MIGRATIONS, path, { recursive: true });
    await writeExtra('extra');
    await migrate(scratch.knex, { folder });
  });
  after(async () => {
    await scratch.close();
    await rm(path, { recursive: true, force: true });
  });

  const writeExtra = (table: string) =>
    writeFile(
      join(path, `${EXTRA}.js`),
      `import { table } from './table.js';\nexport const { up } = table('${table}', (t) => { t.integer('id').primary(); });\n`,
    );
  afterEach(() => writeExtra('extra'));

  it('is not reported while only white space of its file changes', async () => {
    const source = await readFile(join(path, `${EXTRA}.js`), 'utf8');
    await writeFile(join(path, `${EXTRA}.js`), source.replace('(t) => {', '(t) => {\n  '));

    expect(await pendingMigrations(scratch.knex, folder)).to.deep.equal([]);
    expect(await editedMigrations(scratch.knex, folder)).to.deep.equal([]);
  });

  it('keeps no start waiting: a start with nothing to migrate takes no lock', async () => {
    const ran = await withStartLock(scratch.knex, () => migrate(scratch.knex, { folder }));

    expect(ran).to.deep.equal([]);
  });

  it('is reported once its file changes, also after the next start', async () => {
    await writeExtra('other');

    const edited = await editedMigrations(scratch.knex, folder);
    const ran = await migrate(scratch.knex, { folder });

    expect(ran).to.deep.equal([]);
    expect(edited).to.deep.equal([SENTENCE]);
    expect(await editedMigrations(scratch.knex, folder)).to.deep.equal([SENTENCE]);
  });

  it('is reported once the file that all migrations share changes', async () => {
    const shared = join(path, 'table.js');
    const source = await readFile(shared, 'utf8');
    await writeFile(shared, source.replaceAll('utf8mb4_bin', 'utf8mb4_general_ci'));

    const edited = await editedMigrations(scratch.knex, folder);
    await writeFile(shared, source);

    const migrations = (await readdir(path)).filter((file) => /^\d.*\.js$/.test(file));
    expect(edited).to.have.length(migrations.length).and.to.include(SENTENCE);
  });

  it('begins anew if another transaction undoes it', async () => {
    const { knex } = scratch;
    await knex.schema.createTable('pair', (t) => {
      t.integer('id').primary();
      t.integer('changed_by');
    });
    await knex('pair').insert(Array.from({ length: 50 }, (_, index) => ({ id: index + 1 })));
    const source =
      "export const up = async (knex) => { for (const id of [1, 2]) await knex('pair').where({ id }).update({ changed_by: 1 }); };\n";
    await writeFile(join(path, '9003-pair.js'), source);
    // The server undoes the transaction that has changed less.
    const other = await knex.transaction();
    await other('pair').where('id', '>', 1).update({ changed_by: 2 });
    const running = migrate(knex, { folder });
    const free = () =>
      knex.transaction((session) => session('pair').where({ id: 1 }).forUpdate().skipLocked());
    await until(async () => (await free()).length === 0);
    await other('pair').where({ id: 1 }).update({ changed_by: 2 });
    await other.commit();

    expect(await running).to.deep.equal(['9003-pair']);
    expect(await knex('pair').where({ changed_by: 1 }).pluck('id')).to.deep.equal([1, 2]);
  });

  it('is not reported by a version that lacks its file', async () => {
    expect(await editedMigrations(scratch.knex)).to.deep.equal([]);
  });

  it('may be edited as long as it has not run to its end', async () => {
    const late = join(path, '9002-late.js');
    const source = "export const up = (knex) => knex('not_there_yet').first();\n";
    await writeFile(late, source);
    const refusal = await migrate(scratch.knex, { folder }).catch((error: Error) => error.message);
    await writeFile(late, `// Edited.\n${source}`);
    await scratch.knex.schema.createTable('not_there_yet', (t) => t.increments('id'));

    const ran = await migrate(scratch.knex, { folder });

    expect(refusal).to.include('not_there_yet');
    expect(ran).to.deep.equal(['9002-late']);
    expect(await editedMigrations(scratch.knex, folder)).to.deep.equal([]);
  });
});

describe('an operator of a database that differs from this version', () => {
  const NAME = '0012-orders';

  const finding = async (check: string) => {
    const { out } = await forecourt(serviceEnvironment(), ['doctor', '--json']);
    const { findings } = JSON.parse(out) as { findings: { check: string; ok: boolean; detail: string }[] };
    return findings.find((one) => one.check === check);
  };

  it('sees an edited migration in migrate, in doctor and in the log of a start', async () => {
    const { knex } = database();
    const { digest } = await knex('migration_digests').where({ name: NAME }).first('digest');
    await knex('migration_digests').where({ name: NAME }).update({ digest: 'another' });

    const migrated = await forecourt(serviceEnvironment(), ['migrate']);
    const found = await finding('migrations');
    const started = await startProcess({ ...serviceEnvironment(), LOG_LEVEL: 'info', JOB_THREADS: '0' });
    await started.kill('SIGTERM');
    await knex('migration_digests').where({ name: NAME }).update({ digest });

    const warning = `Migration ${NAME} has changed since it ran here`;
    expect(migrated.code).to.equal(1);
    expect(migrated.out).to.include('The database is up to date.').and.include(warning);
    expect(found).to.include({ ok: false }).and.property('detail').include(warning);
    expect(started.output()).to.match(new RegExp(`"level":"?(warn|40)"?.*${warning}`));
    expect((await finding('migrations'))?.ok).to.equal(true);
  }).timeout(180_000);

  it('sees in doctor what a table lacks', async () => {
    const { knex } = database();
    await knex.schema.alterTable('orders', (t) => t.dropIndex([], 'orders__due_date'));

    const found = await finding('tables');
    await knex.schema.alterTable('orders', (t) => t.index(['owner_id', 'due_date'], 'orders__due_date'));

    expect(found).to.deep.equal({
      check: 'tables',
      ok: false,
      detail:
        'Table orders has no index orders__due_date on (owner_id, due_date); see "Upgrade, and back" in docs/operations.md.',
    });
    expect((await finding('tables'))?.ok).to.equal(true);
  }).timeout(180_000);
});
