// The migration that splits the log of changes keeps every change, placed or not.
import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from 'chai';
import type { Database } from '../../../src/core/model/statements/session.ts';
import { placeChanges } from '../../../src/platform/changes/place.ts';
import { connectDatabase } from '../../../src/platform/database/connect.ts';
import { migrate } from '../../../src/platform/database/migrate.ts';
import { execute, select } from '../../support/database/sql.ts';
import { theService } from '../../support/service/service.ts';

const MIGRATIONS = fileURLToPath(new URL('../../../migrations/', import.meta.url));
const OWNER = 1;

describe('the migration of the log of changes', () => {
  let database: Database;
  let name: string;
  let older: string;
  before(async function () {
    this.timeout(60_000);
    const { base } = theService();
    name = `scratch_${randomBytes(4).toString('hex')}`;
    await base.database.knex.raw(`CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`);
    database = connectDatabase({ ...base.connection, database: name }, base.storage.files);
    older = await mkdtemp(join(tmpdir(), 'forecourt-migrations-'));
    await cp(MIGRATIONS, older, { recursive: true });
    for (const file of await readdir(older)) if (file >= '0037' && file < 'a') await rm(join(older, file));
    await migrate(database.knex, { folder: pathToFileURL(`${older}/`) });
  });
  after(async () => {
    await database.knex.raw(`DROP DATABASE ${name}`);
    await database.close();
    await rm(older, { recursive: true });
  });

  const addChange = (id: number, seq: number | null, record: number) =>
    execute(
      database,
      'INSERT INTO changes (id, owner_id, seq, resource, record_id, action, version, at, changes) ' +
        "VALUES (?, ?, ?, 'contact', ?, 2, 3, '2026-01-02 03:04:05.678', ?)",
      [id, OWNER, seq, record, '{"city":["Ede","Epe"]}'],
    );
  /** With one change that has its place. */
  const addOwner = async () => {
    await execute(
      database,
      'INSERT INTO owners (id, name, country_id, modules, created_at, modified_at) ' +
        "VALUES (?, 'Garage', 1, '[]', UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))",
      [OWNER],
    );
    await execute(database, "INSERT INTO counters (owner_id, name, value) VALUES (?, 'changes', 1)", [OWNER]);
  };

  it('keeps places and IDs, and is safe to run again', async () => {
    await addChange(5, 1, 50);
    await addChange(8, null, 80);
    await addChange(9, null, 90);
    await addOwner();

    await migrate(database.knex);
    const { up } = await import(pathToFileURL(join(MIGRATIONS, '0037-change-outbox.js')).href);
    await up(database.knex);

    const entries = await select(database, 'SELECT id FROM change_outbox ORDER BY id', []);
    expect(entries).to.deep.equal([{ id: 8 }, { id: 9 }]);
    await execute(database, "INSERT INTO change_outbox (owner_id, changes) VALUES (?, '[]')", [OWNER]);
    const [last] = await select(database, 'SELECT MAX(id) AS id FROM change_outbox', []);
    expect(last).to.deep.equal({ id: 10 });
    await placeChanges(database, OWNER);
    const placed = await select(
      database,
      'SELECT seq, record_id, version, CAST(at AS CHAR) AS at, changes FROM changes ORDER BY seq',
      [],
    );
    const kept = { version: 3, at: '2026-01-02 03:04:05.678', changes: '{"city":["Ede","Epe"]}' };
    expect(placed).to.deep.equal([
      { seq: 1, record_id: 50, ...kept },
      { seq: 2, record_id: 80, ...kept },
      { seq: 3, record_id: 90, ...kept },
    ]);
  });
});
