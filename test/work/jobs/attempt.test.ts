// Leases, fencing numbers and the limit per job: the functions of attempt.ts on a real database.

import { LISTS } from '../../../src/core/trade/lists.ts';
import {
  type Claim,
  failJob,
  finishJob,
  keepLease,
  releaseJob,
  renewLease,
  retryJob,
} from '../../../src/work/jobs/attempt.ts';
import { claimJob } from '../../../src/work/jobs/claim.ts';
import { endWithoutResult } from '../../../src/work/jobs/finish.ts';
import { cancelJob } from '../../../src/work/jobs/job-request.ts';
import { expect } from '../../support/client/expect.ts';
import { adminOf, openScratch, type Scratch } from '../../support/database/scratch-database.ts';
import { execute, select } from '../../support/database/sql.ts';
import { theService } from '../../support/service/service.ts';

const { QUEUED, RUNNING, DONE, FAILED, CANCELLED } = LISTS.jobstatuses;
const FILE = { name: 'owner-backup.zip', size: 5, sha256: 'a'.repeat(64) };

describe('a claim', () => {
  let scratch: Scratch;
  let one: number;
  before(async () => {
    scratch = await openScratch();
    [one] = scratch.owners;
  });
  afterEach(async () => {
    await execute(scratch.database, 'DELETE FROM jobs');
    await execute(scratch.database, 'UPDATE job_turns SET last_start_at = NULL');
  });
  after(() => scratch.close());

  const claim = async () => (await claimJob(scratch.database)).claim;
  const claimed = async (): Promise<Claim> => (await claim()) ?? expect.fail('nothing to claim');
  const ending = () => {
    const { storage, log } = theService().base;
    const draining = new AbortController().signal;
    return { database: scratch.database, archives: storage.archives, log, draining };
  };

  it('takes a job over when its lease has ended, and then the attempt before can change nothing', async () => {
    await scratch.requestMany(one, 1);
    const slow = await claimed();
    await scratch.endLease(slow.id);

    const next = await claimed();
    const answers = [
      await renewLease(scratch.database, slow, 50),
      await finishJob(scratch.database, slow, FILE),
      await failJob(scratch.database, slow, 'too late'),
      await retryJob(scratch.database, slow, 'too late'),
      await releaseJob(scratch.database, slow),
    ];

    expect([next.id, next.fence]).to.deep.equal([slow.id, 2]);
    expect(answers).to.deep.equal([false, false, false, false, false]);
    expect(await scratch.job(slow.id)).to.include({
      status: RUNNING,
      fence: 2,
      progress: 0,
      error: null,
      callback_at: null,
    });
  });

  it('ends with its lease if the database has no space for its end', async () => {
    await scratch.requestMany(one, 1);
    const job = await claimed();
    const full = "SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 1114, MESSAGE_TEXT = 'The table is full'";
    await execute(scratch.database, `CREATE TRIGGER full_disk BEFORE UPDATE ON jobs FOR EACH ROW ${full}`);
    const error = await finishJob(scratch.database, job, FILE).catch((reason) => reason);
    await execute(scratch.database, 'DROP TRIGGER full_disk');

    await endWithoutResult(ending(), job, { aborted: false, error });

    expect(await scratch.job(job.id)).to.include({ status: RUNNING, error: null });
    await scratch.endLease(job.id);
    expect(await claimed()).to.include({ id: job.id, fence: 2 });
  });

  it('does not take over a job that the process itself runs', async () => {
    await scratch.requestMany(one, 1);
    const slow = await claimed();
    await scratch.endLease(slow.id);

    const again = await claimJob(scratch.database, [slow.id]);

    expect(again).to.deep.equal({ givenUp: [] });
    expect(await renewLease(scratch.database, slow, 50)).to.equal(true);
    expect(await claim()).to.equal(undefined);
  });

  it('counts a job that is taken over once', async () => {
    await scratch.requestMany(one, 3);
    const [first] = [await claimed(), await claimed()];
    await scratch.endLease(first.id);

    const next = await claimed();

    expect(next.id).to.equal(first.id);
    expect(await claim()).to.equal(undefined);
  });

  it('takes a job five times at most; then the job has failed, and a callback is due', async () => {
    const [id = ''] = await scratch.requestMany(one, 1);
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await claimed();
      expect((await scratch.job(id)).attempts).to.equal(attempt);
      await scratch.endLease(id);
    }

    const after = await claimJob(scratch.database);

    expect(after).to.deep.equal({ givenUp: [id] });
    const job = await scratch.job(id);
    expect(job).to.include({
      status: FAILED,
      error: 'The process that ran it ended 5 times before it was done',
      lease_until: null,
    });
    expect(job.callback_at).to.equal(job.finished_at);
  });

  it('takes a job that reports its work five times more, for the report only', async () => {
    const [id = ''] = await scratch.requestMany(one, 1);
    await execute(scratch.database, "UPDATE jobs SET kind = 'import', attempts = 4");

    const claims = [];
    for (let attempt = 5; attempt <= 10; attempt += 1) {
      claims.push(await claimed());
      await scratch.endLease(id);
    }
    const after = await claimJob(scratch.database);

    const cause = 'The process that ran it ended 5 times before it was done';
    expect(claims.map(({ givenUpFor }) => givenUpFor)).to.deep.equal([undefined, ...Array(5).fill(cause)]);
    expect(after).to.deep.equal({ givenUp: [id] });
    expect((await scratch.job(id)).error).to.equal(cause);
  });

  it('queues a job that reports its work again after an error, for the report only', async () => {
    const [lost = '', broken = ''] = await scratch.requestMany(one, 2);
    await execute(scratch.database, "UPDATE jobs SET kind = 'import', attempts = 4");
    const cause = 'The connection to the database was lost';

    const [fifth, other] = [await claimed(), await claimed()];
    await retryJob(scratch.database, fifth, cause);
    await endWithoutResult(ending(), other, { aborted: false, error: new Error('a bug') });
    const queued = [await scratch.job(lost), await scratch.job(broken)];
    const [waiting, last] = [await claimed(), await claimed()];
    await retryJob(scratch.database, waiting, 'The disk is full');
    await execute(scratch.database, `UPDATE jobs SET attempts = 5 WHERE status = ${RUNNING}`);
    await retryJob(scratch.database, last, 'The disk is full');

    expect(queued.map(({ status, attempts }) => [status, attempts])).to.deep.equal(
      Array(2).fill([QUEUED, 0]),
    );
    const causes = new Map([waiting, last].map(({ id, givenUpFor }) => [id, givenUpFor]));
    expect([causes.get(lost), causes.get(broken)]).to.deep.equal([cause, 'Internal server error']);
    expect(await scratch.job(waiting.id)).to.include({
      status: QUEUED,
      attempts: 1,
      error: waiting.givenUpFor,
    });
    expect(await scratch.job(last.id)).to.include({ status: FAILED, error: last.givenUpFor });
  });

  it('does not count when the job was released', async () => {
    const [id = ''] = await scratch.requestMany(one, 1);
    const given = await claimed();

    expect(await releaseJob(scratch.database, given)).to.equal(true);

    expect(await scratch.job(id)).to.include({ status: QUEUED, attempts: 0, started_at: null });
    expect(await claimed()).to.include({ id, fence: 3 });
    expect(await scratch.job(id)).to.include({ attempts: 1 });
  });

  it('counts when the cause of a failure may pass, and the next one comes after a longer pause each time', async () => {
    const [id = ''] = await scratch.requestMany(one, 1);
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await retryJob(scratch.database, await claimed(), 'The connection to the database was lost');
      const [row] = await select(
        scratch.database,
        'SELECT TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), run_at) / 1000000 AS pause FROM jobs WHERE id = ?',
        [id],
      );
      pauses.push(Number(row?.pause));
      if (attempt < 5) expect(await claim()).to.equal(undefined);
      await execute(scratch.database, 'UPDATE jobs SET run_at = created_at WHERE id = ?', [id]);
    }

    // Each is the pause less the time until it was read.
    for (const [index, pause] of [2, 4, 8, 16].entries())
      expect(pauses[index]).to.be.within(pause / 2, pause);
    expect(await scratch.job(id)).to.include({
      status: FAILED,
      attempts: 5,
      error: 'The connection to the database was lost',
    });
  });

  it('counts from the beginning once work was kept that can not be lost', async () => {
    const [id = ''] = await scratch.requestMany(one, 1);
    await execute(scratch.database, 'UPDATE jobs SET attempts = 4 WHERE id = ?', [id]);
    const fifth = await claimed();
    expect(await keepLease(scratch.database, fifth)).to.equal(true);

    await retryJob(scratch.database, fifth, 'The connection to the database was lost');

    expect(await scratch.job(id)).to.include({ status: QUEUED, attempts: 1 });
  });

  it('ends when its job is cancelled, and no callback is due', async () => {
    const [id = ''] = await scratch.requestMany(one, 1);
    const running = await claimed();

    expect((await cancelJob(scratch.database, adminOf(one), id))?.status).to.equal(RUNNING);

    expect(await renewLease(scratch.database, running, 10)).to.equal(false);
    expect(await finishJob(scratch.database, running, FILE)).to.equal(false);
    expect(await scratch.job(id)).to.include({ status: CANCELLED, callback_at: null, file_name: null });
    expect((await cancelJob(scratch.database, adminOf(one), id))?.status).to.equal(CANCELLED);
  });

  it('finishes a job twice without harm, as after a lost answer', async () => {
    const [id = ''] = await scratch.requestMany(one, 1);
    const running = await claimed();

    expect(await finishJob(scratch.database, running, FILE)).to.equal(true);
    const done = await scratch.job(id);

    expect(await finishJob(scratch.database, running, FILE)).to.equal(true);
    expect(await finishJob(scratch.database, { ...running, fence: 2 }, FILE)).to.equal(false);
    expect(await scratch.job(id)).to.deep.equal(done);
  });

  it('records progress, which never goes down', async () => {
    const [id = ''] = await scratch.requestMany(one, 1);
    const running = await claimed();

    for (const progress of [40, 20]) await renewLease(scratch.database, running, progress);

    expect((await scratch.job(id)).progress).to.equal(40);
    await finishJob(scratch.database, running, FILE);
    expect(await scratch.job(id)).to.include({ status: DONE, progress: 100, file_name: FILE.name });
  });
});
