// Which job is claimed next: turns of owners, limits per owner, clocks that go back.

import { createOwner } from '../../../src/cli/new-garage.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { type Claim, finishJob, retryJob } from '../../../src/work/jobs/attempt.ts';
import { claimJob } from '../../../src/work/jobs/claim.ts';
import { expect } from '../../support/client/expect.ts';
import { openScratch, type Scratch } from '../../support/database/scratch-database.ts';
import { execute } from '../../support/database/sql.ts';

const { QUEUED, RUNNING } = LISTS.jobstatuses;
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

  it('takes the oldest job first, and each job once', async () => {
    const ids = await scratch.requestMany(one, 2);

    const [first, second, third] = [await claimed(), await claimed(), await claim()];

    expect([first.id, second.id, third]).to.deep.equal([...ids, undefined]);
    expect(first.fence).to.equal(1);
    expect(await scratch.job(first.id)).to.include({ status: RUNNING, fence: 1, attempts: 1, progress: 0 });
  });

  it('leaves out jobs that the process still runs, also if they were queued anew meanwhile', async () => {
    const ids = await scratch.requestMany(one, 1);

    const again = await claimJob(scratch.database, ids);

    expect(again).to.deep.equal({ givenUp: [] });
    expect((await claimed()).id).to.equal(ids[0]);
  });

  it('leaves jobs of kinds that only a newer version knows to the processes of that version', async () => {
    const [queued = '', spent = ''] = await scratch.requestMany(one, 2);
    await execute(scratch.database, "UPDATE jobs SET kind = 'of-tomorrow'");
    await execute(
      scratch.database,
      'UPDATE jobs SET status = ?, attempts = 5, lease_until = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND WHERE id = ?',
      [RUNNING, spent],
    );
    const [known] = await scratch.requestMany(one, 1);

    const [first, second] = [await claimJob(scratch.database), await claimJob(scratch.database)];

    expect([first.claim?.id, first.givenUp, second]).to.deep.equal([known, [], { givenUp: [] }]);
    expect(await scratch.job(queued)).to.include({ status: QUEUED, fence: 0, attempts: 0 });
    expect(await scratch.job(spent)).to.include({ status: RUNNING, fence: 0, error: null });
  });

  it('finds a job behind many owners with jobs of unknown kinds', async () => {
    for (let owners = 1; owners <= 20; owners += 1)
      await scratch.request(await createOwner(scratch.database, { name: 'Garage' }));
    await execute(scratch.database, "UPDATE jobs SET kind = 'of-tomorrow'");
    const [known] = await scratch.requestMany(one, 1);

    expect((await claimed()).id).to.equal(known);
  });

  it('takes different jobs when many claim at once', async () => {
    for (const owner of scratch.owners) await scratch.requestMany(owner, 4);

    const claims = await Promise.all(Array.from({ length: 8 }, claim));
    for (let late = 1; late <= 6; late += 1) claims.push(await claim());

    const found = claims.filter((each) => each !== undefined);
    expect(new Set(found.map(({ id }) => id)).size).to.equal(found.length);
    for (const owner of scratch.owners)
      expect(found.filter((each) => each.owner === owner)).to.have.length(2);
  });

  it('runs two jobs of an owner at most, and an owner with many jobs does not hide those of others', async () => {
    await scratch.requestMany(one, 60);
    const [other] = await scratch.requestMany(two, 1);

    const owners = [await claimed(), await claimed(), await claimed()].map(({ owner }) => owner);

    expect(owners).to.deep.equal([one, two, one]);
    expect(await claim()).to.equal(undefined);
    expect((await scratch.job(other ?? '')).status).to.equal(RUNNING);
  });

  it('gives owners turns: who waited longest since his last start is the next', async () => {
    await scratch.requestMany(one, 60);
    const order: number[] = [];
    const runOne = async () => {
      const next = await claimed();
      order.push(next.owner);
      await finishJob(scratch.database, next, { ...FILE, name: next.id });
    };
    await runOne();
    await runOne();
    const [, , three] = scratch.owners;
    await scratch.requestMany(two, 3);
    await runOne();
    await scratch.requestMany(three, 1);
    for (let more = 1; more <= 5; more += 1) await runOne();

    expect(order).to.deep.equal([one, one, two, three, one, two, one, two]);
  });

  it('gives the turn to another owner even if the jobs of one lose their leases again and again', async () => {
    const [first] = [await scratch.requestMany(one, 2), await claimed(), await claimed()];
    for (const id of first) await scratch.endLease(id);
    const [other] = await scratch.requestMany(two, 1);

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
      const before = await scratch.requestMany(one, 2);
      await goBack();
      await scratch.requestMany(one, 1);

      expect([(await claimed()).id, (await claimed()).id]).to.deep.equal(before);
    });

    it('takes a job over whose lease ends further ahead than two leases', async () => {
      const [id = ''] = await scratch.requestMany(one, 1);
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
      const [id = ''] = await scratch.requestMany(one, 1);
      await retryJob(scratch.database, await claimed(), 'The connection to the database was lost');

      const early = await claim();
      await goBack();

      expect([early, (await claimed()).id]).to.deep.equal([undefined, id]);
    });

    it('leaves an owner one turn ahead of the others, and no more', async () => {
      await scratch.requestMany(one, 1);
      await finishJob(scratch.database, await claimed(), FILE);
      await goBack();
      await scratch.requestMany(two, 2);
      await finishJob(scratch.database, await claimed(), { ...FILE, name: 'second.zip' });
      const [next] = await scratch.requestMany(one, 2);

      expect((await claimed()).id).to.equal(next);
      expect((await claimed()).owner).to.equal(two);
    });
  });

  it('takes the next job of an owner when one has ended', async () => {
    const [, , third] = await scratch.requestMany(one, 3);
    const first = await claimed();
    await claimed();

    await finishJob(scratch.database, first, FILE);

    expect((await claimed()).id).to.equal(third);
  });

  it('does not wait for transactions that write records or jobs of the owner', async () => {
    await scratch.requestMany(one, 2);
    const [other] = await scratch.requestMany(two, 1);
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
});
