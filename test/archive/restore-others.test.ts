// Backups that were made elsewhere or earlier: countries with other IDs, fields and resources that came later.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backUp } from '../../src/archive/owner-backup.ts';
import { restoreOwner } from '../../src/archive/restore.ts';
import type { Row } from '../../src/model/field.ts';
import { resourceNamed } from '../../src/model/registry.ts';
import { ownedTables } from '../../src/model/table.ts';
import { seed } from '../../src/seed/seed.ts';
import { type Backup, type Forgery, forge, readBackup } from '../support/backup.ts';
import { type Json, newClient } from '../support/client.ts';
import { expect } from '../support/expect.ts';
import { database, theService } from '../support/service.ts';

describe('restoring a backup', function () {
  this.timeout(60_000);
  let folder: string;
  let path: string;
  let backup: Backup;
  const options = () => ({
    tables: ownedTables(),
    documents: theService().base.storage.documents,
    serviceVersion: '1.2.3',
  });

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forecourt-others-'));
    path = join(folder, 'backup.zip');
    const { owner } = (await newClient()).garage;
    await seed(database(), { owner, orders: 10, random: 'others' });
    await backUp(theService().base.connection, owner, path, options());
    backup = await readBackup(path);
  });

  after(() => rm(folder, { recursive: true, force: true }));

  it('gives fields that came later what a new record has', async () => {
    const without =
      (...fields: string[]) =>
      (records: Json[]) =>
        records.forEach((record) => {
          for (const field of fields) delete record[field];
        });

    const owner = await restored({ records: { contact: without('is_vat_shifted', 'language') } });

    const contacts = await rowsOf(owner, 'contact');
    const given = new Set(contacts.map(({ is_vat_shifted, language }) => `${is_vat_shifted} ${language}`));
    expect([...given]).to.deep.equal(['0 null']);
  });

  it('leaves a resource that came later without records', async () => {
    const owner = await restored({ files: { 'data/licenseplatehistory.ndjson': undefined } });

    expect(await rowsOf(owner, 'licenseplatehistory')).to.deep.equal([]);
    expect(await rowsOf(owner, 'vehicle')).to.have.length(backup.records.vehicle?.length ?? 0);
  });

  it('numbers invoices on whatever their prefix was', async () => {
    const renamed = (records: Json[]) =>
      records.forEach((record) => {
        if (record.invoice_number)
          record.invoice_number = String(record.invoice_number).replace('F', '2023-');
      });

    const owners = [await restored({}), await restored({ records: { order: renamed } })];

    const [expected, actual] = await Promise.all(owners.map(countersOf));
    expect(expected?.map(({ name }) => name)).to.include('invoice:2023');
    expect(actual).to.deep.equal(expected);
  });

  async function restored(forgery: Forgery): Promise<number> {
    await forge(backup, path, forgery);
    return (await restoreOwner(database(), path, options())).owner;
  }

  const rowsOf = (owner: number, resource: string): Promise<Row[]> =>
    database().rows(`SELECT * FROM ${resourceNamed(resource).table} WHERE owner_id = ? ORDER BY id`, [owner]);

  const countersOf = (owner: number) =>
    database().rows('SELECT name, value FROM counters WHERE owner_id = ? ORDER BY name', [owner]);
});
