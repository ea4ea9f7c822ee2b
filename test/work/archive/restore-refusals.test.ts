// Refuses damaged and wrong backups in one line, and writes no row and no file of them.

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seed } from '../../../src/business/seed/seed.ts';
import { allResources } from '../../../src/core/model/records/registry.ts';
import { FEED_COUNTERS } from '../../../src/platform/changes/place.ts';
import { restoreOwner } from '../../../src/work/archive/restore.ts';
import { verifyArchive } from '../../../src/work/archive/verify.ts';
import { build } from '../../support/build/build.ts';
import { type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { select } from '../../support/database/sql.ts';
import { type Backup, forge, readBackup, writeBackup } from '../../support/files/backup.ts';
import { processEnvironment, run } from '../../support/process/process.ts';
import { database, inStorage, theService } from '../../support/service/service.ts';
import { removeUnusedFiles } from '../../support/service/tidy.ts';
import { FORGERIES, first } from './forgeries.ts';

/** Only a database finds these faults, and verify has no database. */
const NEEDS_DATABASE = ['a country that nobody knows', 'a number that comes twice'];

describe('restoring', function () {
  this.timeout(60_000);
  let folder: string;
  let path: string;
  let backup: Backup;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forecourt-refusals-'));
    path = join(folder, 'bad.zip');
    const client = await newClient();
    const { owner } = client.garage;
    await seed(database(), { owner, orders: 10, random: 'refusals' });
    // Its file is in the backup only, so that it would show in the folder.
    const { sha256 } = await build(client, 'document', {
      content: Buffer.from('only here').toString('base64'),
    });
    const file = join(folder, 'good.zip');
    await writeBackup(owner, file);
    backup = await readBackup(file);
    await rm(inStorage('documents', sha256));
    // The service's own tidying would remove the files that other tests have left, while these tests count files.
    await removeUnusedFiles();
  });

  after(() => rm(folder, { recursive: true, force: true }));

  for (const [what, [forgery, message]] of Object.entries(FORGERIES)) {
    it(`refuses ${what}, and writes nothing`, async () => {
      await forge(backup, path, forgery);
      const before = await everything();

      const error = await restoreOwner(database(), path, { documents: documents() }).catch(
        (reason) => reason,
      );

      expect(error.message).to.match(message).and.not.include('\n');
      expect(await everything()).to.deep.equal(before);
      expect(await verified()).to.equal(NEEDS_DATABASE.includes(what) ? undefined : error.message);
    });
  }

  it('refuses appointments of which two book somebody at once', async () => {
    for (const resource of ['employee', 'workplace'] as const) {
      const field = `${resource}_id`;
      const appointment = ([one, other]: Json[]) => {
        const { starts_at, ends_at } = one ?? {};
        const booking = {
          employee_id: null,
          workplace_id: null,
          [field]: one?.[field],
          appointment_status: 1,
        };
        Object.assign(one ?? {}, booking);
        Object.assign(other ?? {}, booking, { starts_at, ends_at });
      };
      await forge(backup, path, { records: { appointment } });

      const error = await restoreOwner(database(), path, { documents: documents() }).catch(
        (reason) => reason,
      );

      expect(error.message).to.match(new RegExp(`^Appointment: \\[\\d+\\] books an occupied ${resource}$`));
    }
  });

  it('is announced by verify, which counts records and files', async () => {
    await forge(backup, path, {});
    const told: [number, number][] = [];

    const { rows, documents: files } = await verifyArchive(path, (...progress) => told.push(progress));

    const counted = Object.entries(backup.records).map(([name, records]) => [name, records.length]);
    const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
    expect(rows).to.deep.equal(Object.fromEntries(counted));
    expect(files).to.equal([...backup.content.keys()].filter((name) => name.startsWith('documents/')).length);
    expect(told.at(-1)).to.deep.equal([total, total]);
  });

  it('fails on the command line with one line and exit code 1', async () => {
    await forge(backup, path, { records: { contact: first({ shoe_size: 43 }) } });
    const before = await everything();

    const environment = processEnvironment(theService().base.storage.directory);
    const { code, out, err } = await run('cli/main.js', ['restore', path, '--json'], environment);

    expect({ code, out }).to.deep.equal({ code: 1, out: '' });
    expect(err).to.equal('forecourt: data/contact.ndjson: line 1: Field: [shoe_size] not found in model\n');
    expect(await everything()).to.deep.equal(before);
  });

  it('refuses an owner that has records or does not exist', async () => {
    await forge(backup, path, {});
    const client = await newClient();
    await build(client, 'turnovergroup');
    const before = await everything();

    const into = (owner: number) =>
      restoreOwner(database(), path, { owner, documents: documents() }).catch(({ message }) => message);

    const { owner } = client.garage;
    expect(await into(owner)).to.equal(`Owner: [${owner}] is not empty, it has records of: [turnovergroup]`);
    expect(await into(999_999)).to.equal('Owner: [999999] not found');
    expect(await everything()).to.deep.equal(before);
  });

  /** The message with which `forecourt verify` refuses the backup. */
  const verified = () =>
    verifyArchive(path).then(
      () => undefined,
      (error: Error) => error.message,
    );

  const documents = () => theService().base.storage.documents;

  async function everything(): Promise<Json> {
    const count = async (from: string) =>
      Number((await select(database(), `SELECT COUNT(*) AS n FROM ${from}`))[0]?.n);
    const counts: Json = { files: (await readdir(inStorage('documents'))).sort() };
    for (const { table } of allResources()) counts[table] = await count(table);
    // The service counts the changes of the garages above while the restore runs.
    const feeds = FEED_COUNTERS.map((name) => `'${name}'`).join();
    return { ...counts, counters: await count(`counters WHERE name NOT IN (${feeds})`) };
  }
});
