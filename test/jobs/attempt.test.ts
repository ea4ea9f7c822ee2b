// Claims, leases, fencing numbers, the limits per owner and per job: the functions of attempt.ts on a real database.
import { type Claim, failJob, finishJob, releaseJob, renewLease, retryJob } from '../../src/jobs/attempt.ts';
import { claimJob } from '../../src/jobs/claim.ts';
import { cancelJob } from '../../src/jobs/job.ts';
import { LISTS } from '../../src/trade/lists.ts';
import { expect } from '../support/client/expect.ts';
import { adminOf, openScratch, type Scratch } from '../support/database/scratch-database.ts';
import { execute, select } from '../support/database/sql.ts';

const { QUEUED, RUNNING, DONE, FAILED, CANCELLED } = LISTS.jobstatuses;
const FILE = { name: 'owner-backup.zip', size: 5, sha256: 'a'.repeat(64) };

describe('a claim', () => {
  let scratch: Scratch;
  let one: number;
  let two: number;
  before(async () => {
    scratch = await openScratch();
    [one, two] = scratch.owners;
  });
  afterEach(async () => {
    await execute(scratch.database, 'DELETE FROM jobs');
    await execute(scratch.database, 'UPDATE job_turns SET last_start_at = NULL');
  });
  after(() => scratch.close());

  const claim = async () => (await claimJob(scratch.database)).claim;
  const claimed = async (): Promise<Claim> => (await claim()) ?? expect.fail('nothing to claim');
  const jobs = async (owner: number, count: number) => {
    const ids: string[] = [];
    for (let made = 0; made < count; made += 1) ids.push(await scratch.request(owner));
    return ids;
  };

  it('takes the oldest job first, and each job once', async () => {
    const ids = await jobs(one, 2);

    const [first, second, third] = [await claimed(), await claimed(), await claim()];

    expect([first.id, second.id, third]).to.deep.equal([...ids, undefined]);
    expect([first.fence, first.attempt]).to.deep.equal([1, 1]);
    expect(await scratch.job(first.id)).to.include({ status: RUNNING, fence: 1, attempts: 1, progress: 0 });
  });

  it('takes different jobs when many claim at once', async () => {
    for (const owner of scratch.owners) await jobs(owner, 4);

    const claims = await Promise.all(Array.from({ length: 8 }, claim));
    for (let late = 1; late <= 6; late += 1) claims.push(await claim());

    const found = claims.filter((each) => each !== undefined);
    expect(new Set(found.map(({ id }) => id)).size).to.equal(found.length);
    for (const owner of scratch.owners)
      expect(found.filter((each) => each.owner === owner)).to.have.length(2);
  });

  it('runs two jobs of an owner at most, and an owner with many jobs does not hide those of others', async () => {
    await jobs(one, 60);
    const [other] = await jobs(two, 1);

    const owners = [await claimed(), await claimed(), await claimed()].map(({ owner }) => owner);

    expect(owners).to.deep.equal([one, two, one]);
    expect(await claim()).to.equal(undefined);
    expect((await scratch.job(other ?? '')).status).to.equal(RUNNING);
  });

  it('gives owners turns: who waited longest since his last start is the next', async () => {
    await jobs(one, 60);
    const order: number[] = [];
    const runOne = async () => {
      const next = await claimed();
      order.push(next.owner);
      await finishJob(scratch.database, next, { ...FILE, name: next.id });
    };
    await runOne();
    await runOne();
    const [, , three] = scratch.owners;
    await jobs(two, 3);
    await runOne();
    await jobs(three, 1);
    for (let more = 1; more <= 5; more += 1) await runOne();

    expect(order).to.deep.equal([one, one, two, three, one, two, one, two]);
  });

  it('gives the turn to another owner even if the jobs of one lose their leases again and again', async () => {
    const [first] = [await jobs(one, 2), await claimed(), await claimed()];
    for (const id of first) await scratch.endLease(id);
    const [other] = await jobs(two, 1);

    expect((await claimed()).id).to.equal(other);
  });

  describe('after the clock went back by an hour', () => {
    /** What was noted before lies ahead now. */
    const goBack = async () => {
      const assignments = ['run_at', 'lease_until'].map(
        (column) => `${column} = ${column} + INTERVAL 2 HOUR`,
      );
      await execute(scratch.database, `UPDATE jobs SET ${assignments.join()}`);
      await execute(scratch.database, 'UPDATE job_turns SET last_start_at = last_start_at + INTERVAL 1 HOUR');
    };

    it('takes the jobs that were queued before, and then the later ones', async () => {
      const before = await jobs(one, 2);
      await goBack();
      await jobs(one, 1);

      expect([(await claimed()).id, (await claimed()).id]).to.deep.equal(before);
    });

    it('takes a job over whose lease ends further ahead than two leases', async () => {
      const [id = ''] = await jobs(one, 1);
      await claimed();
      const leaseOf = (seconds: number) =>
        execute(
          scratch.database,
          'UPDATE jobs SET lease_until = UTC_TIMESTAMP(3) + INTERVAL ? SECOND WHERE id = ?',
          [seconds, id],
        );

      await leaseOf(29);
      const early = await claim();
      await leaseOf(60);
      const late = await claimed();

      expect([early, late.id, late.fence]).to.deep.equal([undefined, id, 2]);
    });

    it('lets a failed job wait for its pause, and no longer', async () => {
      const [id = ''] = await jobs(one, 1);
      await retryJob(scratch.database, await claimed(), 'The connection to the database was lost');

      const early = await claim();
      await goBack();

      expect([early, (await claimed()).id]).to.deep.equal([undefined, id]);
    });

    it('leaves an owner one turn ahead of the others, and no more', async () => {
      await jobs(one, 1);
      await finishJob(scratch.database, await claimed(), FILE);
      await goBack();
      await jobs(two, 2);
      await finishJob(scratch.database, await claimed(), { ...FILE, name: 'second.zip' });
      const [next] = await jobs(one, 2);

      expect((await claimed()).id).to.equal(next);
      expect((await claimed()).owner).to.equal(two);
    });
  });

  it('takes the next job of an owner when one has ended', async () => {
    const [, , third] = await jobs(one, 3);
    const first = await claimed();
    await claimed();

    await finishJob(scratch.database, first, FILE);

    expect((await claimed()).id).to.equal(third);
  });

  it('does not wait for transactions that write records or jobs of the owner', async () => {
    await jobs(one, 2);
    const [other] = await jobs(two, 1);
    const { id } = await claimed();
    const { knex } = scratch.database;

    const found = await knex.transaction(async (writer) => {
      await writer.raw('SELECT id FROM owners FOR UPDATE');
      await writer.raw('SELECT id FROM jobs WHERE id = ? FOR UPDATE', [id]);
      await writer.raw('SELECT owner_id FROM job_turns WHERE owner_id = ? FOR UPDATE', [one]);
      return claimed();
    });

    expect(found.id).to.equal(other);
    expect((await claimed()).owner).to.equal(one);
  });

  it('takes a job over when its lease has ended, and then the attempt before can change nothing', async () => {
    await jobs(one, 1);
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

    expect([next.id, next.fence, next.attempt]).to.deep.equal([slow.id, 2, 2]);
    expect(answers).to.deep.equal([false, false, false, false, false]);
    expect(await scratch.job(slow.id)).to.include({
      status: RUNNING,
      fence: 2,
      progress: 0,
      error: null,
      callback_at: null,
    });
  });

  it('does not take over a job that the process itself runs', async () => {
    await jobs(one, 1);
    const slow = await claimed();
    await scratch.endLease(slow.id);

    const again = await claimJob(scratch.database, [slow.id]);

    expect(again).to.deep.equal({ givenUp: [] });
    expect(await renewLease(scratch.database, slow, 50)).to.equal(true);
    expect(await claim()).to.equal(undefined);
  });

  it('counts a job that is taken over once', async () => {
    await jobs(one, 3);
    const [first] = [await claimed(), await claimed()];
    await scratch.endLease(first.id);

    const next = await claimed();

    expect(next.id).to.equal(first.id);
    expect(await claim()).to.equal(undefined);
  });

  it('takes a job five times at most; then the job has failed, and a callback is due', async () => {
    const [id = ''] = await jobs(one, 1);
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      expect((await claimed()).attempt).to.equal(attempt);
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

  it('does not count when the job was released', async () => {
    const [id = ''] = await jobs(one, 1);
    const given = await claimed();

    expect(await releaseJob(scratch.database, given)).to.equal(true);

    expect(await scratch.job(id)).to.include({ status: QUEUED, attempts: 0, started_at: null });
    expect(await claimed()).to.include({ id, attempt: 1, fence: 3 });
  });

  it('counts when the cause of a failure may pass, and the next one comes after a longer pause each time', async () => {
    const [id = ''] = await jobs(one, 1);
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await retryJob(scratch.database, await claimed(), 'The connection to the database was lost');
      const [row] = await select(
        scratch.database,
        'SELECT TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), run_at) / 1000000 AS pause FROM jobs WHERE id = ?',
        [id],
      );
      pauses.push(Math.ceil(Number(row?.pause)));
      if (attempt < 5) expect(await claim()).to.equal(undefined);
      await execute(scratch.database, 'UPDATE jobs SET run_at = created_at WHERE id = ?', [id]);
    }

    expect(pauses.slice(0, 4)).to.deep.equal([2, 4, 8, 16]);
    expect(await scratch.job(id)).to.include({
      status: FAILED,
      attempts: 5,
      error: 'The connection to the database was lost',
    });
  });

  it('ends when its job is cancelled, and no callback is due', async () => {
    const [id = ''] = await jobs(one, 1);
    const running = await claimed();

    expect((await cancelJob(scratch.database, adminOf(one), id))?.status).to.equal(RUNNING);

    expect(await renewLease(scratch.database, running, 10)).to.equal(false);
    expect(await finishJob(scratch.database, running, FILE)).to.equal(false);
    expect(await scratch.job(id)).to.include({ status: CANCELLED, callback_at: null, file_name: null });
    expect((await cancelJob(scratch.database, adminOf(one), id))?.status).to.equal(CANCELLED);
  });

  it('finishes a job twice without harm, as after a lost answer', async () => {
    const [id = ''] = await jobs(one, 1);
    const running = await claimed();

    expect(await finishJob(scratch.database, running, FILE)).to.equal(true);
    const done = await scratch.job(id);

    expect(await finishJob(scratch.database, running, FILE)).to.equal(true);
    expect(await finishJob(scratch.database, { ...running, fence: 2 }, FILE)).to.equal(false);
    expect(await scratch.job(id)).to.deep.equal(done);
  });

  it('records progress, which never goes down', async () => {
    const [id = ''] = await jobs(one, 1);
    const running = await claimed();

    for (const progress of [40, 20]) await renewLease(scratch.database, running, progress);

    expect((await scratch.job(id)).progress).to.equal(40);
    await finishJob(scratch.database, running, FILE);
    expect(await scratch.job(id)).to.include({ status: DONE, progress: 100, file_name: FILE.name });
  });
});
