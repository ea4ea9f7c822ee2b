// Tidying removes expired archives and partial files of dead processes, and no file that is still needed.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../../../src/core/model/statements/session.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { DAY_MS } from '../../../src/core/trade/time/duration.ts';
import { checkClock } from '../../../src/platform/database/clock.ts';
import { processName } from '../../../src/platform/process-name.ts';
import { writeWhole } from '../../../src/platform/storage/whole-file.ts';
import { tidy } from '../../../src/work/housekeeping.ts';
import { claimJob } from '../../../src/work/jobs/claim.ts';
import { cancelJob } from '../../../src/work/jobs/job-request.ts';
import { removeLeftOvers } from '../../../src/work/jobs/left-over.ts';
import { type Client, newClient, send } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { adminOf, openScratch } from '../../support/database/scratch-database.ts';
import { execute, select } from '../../support/database/sql.ts';
import { statementsOf } from '../../support/database/statements.ts';
import { openTestStorage } from '../../support/process/storages.ts';
import { heldJob, makeArchive } from '../../support/service/job.ts';
import { database, inStorage, theService } from '../../support/service/service.ts';

const { EXPIRED } = LISTS.jobstatuses;
const DAYS = 7;
const KEPT = { changesDays: 90, auditDays: 2557 };

describe('tidying', () => {
  let client: Client;
  before(async () => {
    client = await newClient();
  });

  const storage = () => theService().base.storage;
  const tidyIn = async (of: Database, store = storage(), archiveDays = DAYS) =>
    tidy(of, store, { ...KEPT, archiveDays }, await checkClock(of));
  const tidyNow = () => tidyIn(database());
  const archive = (name: string) => inStorage('archives', name);
  const write = async (path: string) => {
    await writeFile(path, 'partial');
    return path;
  };
  const finished = (name: string, ago: string) =>
    execute(
      database(),
      `UPDATE jobs SET finished_at = UTC_TIMESTAMP(3) - INTERVAL ${ago}, callback_at = UTC_TIMESTAMP(3) + INTERVAL 1 DAY WHERE file_name = ?`,
      [name],
    );

  it('expires an archive after the configured days, and not before', async () => {
    const old = await makeArchive(client, Buffer.from('old'));
    const young = await makeArchive(client, Buffer.from('young'));
    await finished(old.name, `${DAYS} DAY`);
    await finished(young.name, `${DAYS * 24 * 60 - 1} MINUTE`);
    const { url } = (await client.get(`/webhook?id=${old.secret}`)).data;

    const removed = await tidyNow();

    expect(removed.archives).to.equal(1);
    expect([old, young].map(({ name }) => existsSync(archive(name)))).to.deep.equal([false, true]);
    const [job] = (await client.get('/job')).data.filter(({ id }: { id: string }) => old.name.includes(id));
    expect(job.status).to.equal('expired');
    expect(await client.get(`/webhook?id=${old.secret}`)).to.be.refused(
      404,
      `Field: [id] value: [${old.secret}] not found`,
    );
    expect(await send('GET', url)).to.be.refused(404, `Field: [name] value: [${old.name}] not found`);
    expect(await client.post('/job/redeliver', { id: job.id })).to.be.refused(
      409,
      '[job] is [expired], cannot redeliver',
    );
    const [row] = await select(database(), 'SELECT callback_at FROM jobs WHERE id = ?', [job.id]);
    expect(row?.callback_at).to.equal(null);
  });

  /** A job that ended so long ago, with one callback. */
  const jobOf = async (status: number, ago: string) => {
    const id = await heldJob(client, { webhookUrl: `https://127.0.0.1:1/${randomUUID()}` });
    await execute(
      database(),
      `UPDATE jobs SET status = ?, finished_at = UTC_TIMESTAMP(3) - INTERVAL ${ago} WHERE id = ?`,
      [status, id],
    );
    await execute(database(), 'INSERT INTO job_callbacks (job_id, at) VALUES (?, UTC_TIMESTAMP(3))', [id]);
    return id;
  };

  it('removes jobs and their callbacks after 90 days, but none that still has its archive', async () => {
    const [{ FAILED, CANCELLED, DONE }, old, young] = [LISTS.jobstatuses, '90 DAY', '2159 HOUR'];
    const gone = [await jobOf(FAILED, old), await jobOf(CANCELLED, old), await jobOf(EXPIRED, old)];
    const kept = [await jobOf(FAILED, young), await jobOf(DONE, old)];
    const open = await heldJob(client, { webhookUrl: 'https://127.0.0.1:1/open' });

    const removed = await tidyIn(database(), storage(), 365);

    const left = await select(
      database(),
      'SELECT j.id, COUNT(c.id) AS callbacks FROM jobs j LEFT JOIN job_callbacks c ON c.job_id = j.id ' +
        'WHERE j.id IN (?, ?, ?, ?, ?, ?) GROUP BY j.id',
      [...gone, ...kept, open],
    );
    expect(removed.jobs).to.equal(gone.length);
    expect(left.map(({ id }) => id)).to.have.members([...kept, open]);
    expect((await client.get(`/job/${gone[0]}`)).status).to.equal(404);
    const [row] = await select(database(), 'SELECT COUNT(*) AS n FROM job_callbacks WHERE job_id = ?', [
      gone[0] ?? '',
    ]);
    expect(Number(row?.n)).to.equal(0);
    for (const id of kept) await execute(database(), 'DELETE FROM jobs WHERE id = ?', [id]);
  });

  it('removes deliveries of events after 30 days', async () => {
    const deliveryOf = (ago: string) =>
      execute(
        database(),
        'INSERT INTO webhookdeliveries (owner_id, subscription_id, type, message_id, body, status, created_at) ' +
          `VALUES (?, 1, ?, '', '', 'delivered', UTC_TIMESTAMP(3) - INTERVAL ${ago})`,
        [client.garage.owner, ago],
      );
    for (const ago of ['721 HOUR', '719 HOUR']) await deliveryOf(ago);

    const removed = await tidyNow();

    const left = await select(database(), 'SELECT type FROM webhookdeliveries WHERE owner_id = ?', [
      client.garage.owner,
    ]);
    expect(removed.webhook_deliveries).to.equal(1);
    expect(left).to.deep.equal([{ type: '719 HOUR' }]);
  });

  it('removes nothing by its age while the clock may be wrong, but files of writers that have ended', async () => {
    const old = await makeArchive(client, Buffer.from('old'));
    await finished(old.name, `${DAYS} DAY`);
    const upload = await write(inStorage('uploads', randomUUID()));
    const unclear = await write(inStorage('documents', `${'b'.repeat(64)}.00000000-1-1.0123456789ab.part`));
    const longAgo = new Date(Date.now() - 8 * DAY_MS);
    for (const file of [upload, unclear]) await utimes(file, longAgo, longAgo);
    const left = await write(inStorage('documents', 'left.part'));
    const clock = await checkClock(database());

    const doubt = { ...clock, waitMs: 1, reason: 'the clock went back' };
    const removed = await tidy(database(), storage(), { ...KEPT, archiveDays: DAYS }, doubt);

    const names = ['uploads', 'left_over_files', 'unused_files', 'ended_ahead'];
    expect(Object.keys(removed)).to.have.members(names);
    const there = [archive(old.name), upload, unclear, left].map(existsSync);
    expect(there).to.deep.equal([true, true, true, false]);
    await tidyNow();
    expect([archive(old.name), upload, unclear].map(existsSync)).to.deep.equal([false, false, false]);
  });

  it('removes the archive of a job that has expired already', async () => {
    const { name } = await makeArchive(client, Buffer.from('x'));
    await execute(database(), 'UPDATE jobs SET status = ? WHERE file_name = ?', [EXPIRED, name]);

    await tidyNow();

    expect(existsSync(archive(name))).to.equal(false);
  });

  it('keeps the files of an attempt, even after its lease has ended, until another attempt begins', async () => {
    const scratch = await openScratch();
    const id = await scratch.request(scratch.owners[0]);
    await claimJob(scratch.database);
    await scratch.endLease(id);
    const next = await claimJob(scratch.database);
    await scratch.endLease(id);
    const files = [`${id}.2.part`, `owner-backup-${id}-2.zip`, `${id}.1.part`, `owner-backup-${id}-1.zip`];
    for (const file of files) await write(archive(file));

    const left = async () => (await readdir(inStorage('archives'))).filter((file) => file.includes(id));
    await removeLeftOvers(scratch.database, storage(), { of: id });
    const whileItRuns = await left();
    await cancelJob(scratch.database, adminOf(scratch.owners[0]), id);
    await removeLeftOvers(scratch.database, storage(), { of: id });
    await scratch.close();

    expect(next.claim?.fence).to.equal(2);
    expect(whileItRuns).to.have.members(files.slice(0, 2));
    expect(await left()).to.deep.equal([]);
  });

  it('asks the database once about hundreds of archives', async () => {
    const scratch = await openScratch();
    const id = await scratch.request(scratch.owners[0]);
    const names = Array.from({ length: 20 }, (_, fence) => `owner-backup-${id}-${fence}.zip`);
    for (const name of names) await write(archive(name));

    const statements = await statementsOf(scratch.database, async () => {
      expect(await removeLeftOvers(scratch.database, storage(), { of: id })).to.equal(names.length);
    });
    await scratch.close();

    expect(statements).to.have.length(1);
  });

  it('ends the uploads to a bucket that no running job needs', async () => {
    const scratch = await openScratch();
    const opened = await openTestStorage('bucket');
    const id = await scratch.request(scratch.owners[0]);
    await claimJob(scratch.database);
    const running = `garage/one/archives/owner-backup-${id}-1.zip`;
    const fresh = `garage/one/documents/${'a'.repeat(64)}`;
    const unknown = `garage/one/archives/owner-backup-${randomUUID()}-1.zip`;
    const lost = `garage/one/archives/owner-backup-${id}-0.zip`;
    for (const key of [running, fresh, unknown, lost]) await opened.s3?.objects.begin(key);
    const left = async () => (await opened.s3?.objects.uploads(''))?.map(({ key }) => key);

    const removed = await tidyIn(scratch.database, opened.storage);
    const whileItRuns = await left();
    await cancelJob(scratch.database, adminOf(scratch.owners[0]), id);
    await tidyIn(scratch.database, opened.storage);
    const afterwards = await left();
    await Promise.all([scratch.close(), opened.close()]);

    expect(removed.left_over_files).to.equal(1);
    expect(whileItRuns).to.have.members([running, fresh, unknown]);
    expect(afterwards).to.have.members([fresh, unknown]);
  });

  it('removes archives and uploads of unknown jobs after days: a newer dump may bring the jobs back', async () => {
    const named = () => archive(`owner-backup-${randomUUID()}-1.zip`);
    const aged = async (path: string, days: number) => {
      await write(path);
      await utimes(path, new Date(), new Date(Date.now() - days * DAY_MS));
      return path;
    };
    const old = [await aged(named(), DAYS), await aged(inStorage('uploads', randomUUID()), 7)];
    const young = [await aged(named(), DAYS - 0.01), await aged(inStorage('uploads', randomUUID()), 6.99)];
    const partial = [`${randomUUID()}.1.part`, 'something.part'].map(archive);
    for (const path of partial) await write(path);

    await tidyNow();

    expect([...old, ...partial].filter(existsSync)).to.deep.equal([]);
    expect(young.filter(existsSync)).to.deep.equal(young);
    for (const path of young) await rm(path);
  });

  it('removes the upload of a job that is over after an hour', async () => {
    const [over, open] = [await jobOf(LISTS.jobstatuses.FAILED, '2 HOUR'), await heldJob(client)];
    const longAgo = new Date(Date.now() - 2 * 3600 * 1000);
    for (const id of [over, open]) {
      await write(inStorage('uploads', id));
      await utimes(inStorage('uploads', id), longAgo, longAgo);
    }

    await tidyNow();

    const there = [over, open].map((id) => existsSync(inStorage('uploads', id)));
    expect(there).to.deep.equal([false, true]);
    await rm(inStorage('uploads', open));
  });

  it('removes partial files of a dead or unknown process, and keeps those of a living one', async () => {
    const partial = (writer: string) =>
      inStorage('documents', `${'a'.repeat(64)}.${writer}.0123456789ab.part`);
    const machine = await machineOf();
    const child = spawn('true');
    const dead = processName(child.pid ?? 0);
    await once(child, 'exit');
    const gone = [
      partial(`${machine}-${dead}`),
      inStorage('documents', 'unknown.part'),
      join(storage().mail, 'x.part'),
    ];
    const kept = [partial(`${machine}-${processName(process.pid)}`), partial('00000000-1-1')];
    for (const path of [...gone, ...kept]) await write(path);

    await tidyNow();
    const left = [...gone, ...kept].filter(existsSync);
    const longAgo = new Date(Date.now() - 2 * 3600 * 1000);
    for (const path of kept) await utimes(path, longAgo, longAgo);
    await tidyNow();

    expect(left).to.deep.equal(kept);
    expect(kept.filter(existsSync)).to.deep.equal([]);
  });

  /** The name of this machine in the names of partial files. */
  async function machineOf(): Promise<string> {
    const folder = join(storage().directory, 'nowhere');
    const error = await writeWhole(join(folder, 'file'), '').catch((reason) => reason);
    await rm(folder, { recursive: true, force: true });
    return /\.([0-9a-f]{8})-\d+-\d+\.[0-9a-f]{12}\.part/.exec(String(error.path))?.[1] ?? '';
  }
});
