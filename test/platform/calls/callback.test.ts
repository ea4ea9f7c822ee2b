// Callbacks: when the next one is due, which process makes it, and that no call waits for a receiver that does not
// answer.

import type { Row } from '../../../src/core/model/fields/field.ts';
import type { Session } from '../../../src/core/model/statements/session.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { databaseTime } from '../../../src/core/trade/time/timestamp.ts';
import { claimDue, makeCall, PAUSES } from '../../../src/platform/calls/turn.ts';
import { callbacks, requestCallback } from '../../../src/work/jobs/callback.ts';
import { expect } from '../../support/client/expect.ts';
import { adminOf } from '../../support/database/scratch-database.ts';
import type { Silent } from '../../support/database/silent-server.ts';
import { execute, select } from '../../support/database/sql.ts';
import { theService } from '../../support/service/service.ts';
import { until } from '../../support/service/until.ts';
import { callingBack } from './callback-scene.ts';

const { FAILED } = LISTS.jobstatuses;
/** A lease of another process. It must not lie further ahead than a lease can. */
const takenOver = () => databaseTime(new Date(Date.now() + 50_000));

describe('callbacks', () => {
  const scene = callingBack();
  const { one, two, database, receiver, rows, run, job, startProcess, optionsOf, openDead } = scene;
  const { over, attempts, attempted, pause, makeDue } = scene;

  it('are made again after 5 s, 30 s, 2 min, 10 min, 1 h, 6 h and 24 h, then given up', async () => {
    receiver().answerWith({ status: 500 });
    startProcess();
    const id = await over(one(), receiver().url('/hook'));

    const pauses: (number | undefined)[] = [];
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      await attempted(id, attempt);
      pauses.push(await pause(id));
      if (attempt < 8) await makeDue(id);
    }

    expect(pauses).to.deep.equal([5, 30, 120, 600, 3_600, 21_600, 86_400, undefined]);
    expect(pauses.slice(0, 7)).to.deep.equal(PAUSES);
    expect(await attempts(id)).to.have.length(8);
    expect((await attempts(id))[7]).to.include({ status: 500, error: 'answered 500' });
    const secret = String((await job(id)).secret);
    expect(receiver().requests.map(({ url }) => url)).to.deep.equal(Array(8).fill(`/hook?id=${secret}`));
  });

  it('end when one is delivered', async () => {
    receiver().answerWith({ status: 503 }, { status: 204 });
    startProcess();
    const id = await over(one());

    await attempted(id, 1);
    await makeDue(id);
    const made = await attempted(id, 2);

    expect(made.map(({ status }) => status)).to.deep.equal([503, 204]);
    expect(await job(id)).to.include({ callback_at: null, callback_lease_until: null });
  });

  it('survive the end of a process', async () => {
    receiver().answerWith({ status: 500 }, { status: 200 });
    const first = startProcess();
    const id = await over(one());
    await attempted(id, 1);
    await first.drain();

    startProcess();
    const kept = await pause(id);
    await makeDue(id);
    const made = await attempted(id, 2);

    expect(kept).to.equal(5);
    expect(made.map(({ status }) => status)).to.deep.equal([500, 200]);
  });

  it('are made for a failed job too', async () => {
    startProcess();

    const id = await over(one(), receiver().url(), FAILED);

    expect((await attempted(id, 1))[0]).to.include({ status: 200, error: null });
  });

  it('are made once, by one of several processes', async () => {
    for (let process = 0; process < 3; process += 1) startProcess();
    const ids = await Promise.all(Array.from({ length: 20 }, () => over(one())));

    for (const id of ids) await attempted(id, 1);
    await until(async () => {
      const [row] = await rows('SELECT COUNT(*) AS due FROM jobs WHERE callback_at IS NOT NULL');
      return Number(row?.due) === 0;
    });

    expect(new Set(receiver().requests.map(({ url }) => url)).size).to.equal(20);
    expect(receiver().requests).to.have.length(20);
  });

  /**
   * Repeats a round until no call has ended without an answer: the dead ones end by themselves after 10 s. A machine
   * that is busy just then needs another round.
   */
  const whileOthersHang = (round: (hang: () => Promise<boolean>) => Promise<{ drain(): Promise<void> }>) =>
    until(async () => {
      await run('DELETE FROM jobs');
      const hang = async () => (await rows('SELECT id FROM job_callbacks WHERE status IS NULL')).length === 0;
      const process = await round(hang);
      const areLeft = await hang();
      await process.drain();
      return areLeft;
    }, 100_000);
  const answered = async (owner: number) => {
    const [made] = await attempted(await over(owner), 1);
    expect(made).to.include({ status: 200 });
  };

  it('do not wait for receivers that do not answer, however many there are', async () => {
    await whileOthersHang(async (hang) => {
      const dead = await Promise.all(Array.from({ length: 40 }, () => openDead()));
      for (const { url } of dead) for (const path of ['a', 'b']) await over(one(), url + path);
      // Many calls go to the first of them.
      for (let call = 0; call < 200; call += 1) await over(two(), `${dead[0]?.url}${call}`);
      const process = startProcess();
      await until(async () => dead.every(({ connections }) => connections() > 0));

      await Promise.all([answered(one()), answered(two())]);

      const toFirst = dead[0]?.connections();
      if (await hang()) expect(toFirst, 'at once to one receiver, of two owners').to.be.at.most(8 + 2);
      return process;
    });
  }).timeout(120_000);

  it('do not wait for the callbacks of another owner, however many receivers that owner has', async () => {
    await whileOthersHang(async (hang) => {
      const dead = await Promise.all(Array.from({ length: 70 }, () => openDead()));
      for (const { url } of dead) await Promise.all(Array.from({ length: 8 }, () => over(one(), url)));
      const process = startProcess();
      await until(async () => connected(dead) >= 100);

      await answered(two());

      const toAll = connected(dead);
      if (await hang()) expect(toAll, 'at once of one owner').to.equal(100);
      return process;
    });
  }).timeout(120_000);

  const connected = (dead: readonly Silent[]) =>
    dead.reduce((sum, { connections }) => sum + connections(), 0);

  it('are released by a drain, and the aborted attempt does not count', async () => {
    const dead = await openDead();
    const first = startProcess();
    const id = await over(one(), dead.url);
    await until(async () => dead.connections() > 0);

    await first.drain();

    expect(await attempts(id)).to.deep.equal([]);
    expect(await job(id)).to.include({ callback_tries: 0, callback_lease_until: null });
    expect((await job(id)).callback_at).not.to.equal(null);
  });

  it('start anew when a redelivery is requested, even during a call', async () => {
    receiver().answerWith({ status: 500, held: true }, { status: 500 });
    startProcess();
    const id = await over(one());
    await receiver().waitFor(1);

    await database().transaction((session) => requestCallback(session, adminOf(one()), id));
    receiver().release();
    await attempted(id, 2);

    expect(receiver().requests).to.have.length(2);
    expect(await job(id)).to.include({ callback_tries: 1 });
    expect(await pause(id)).to.equal(5);
  });

  it('that another process took over are left to that process, however late the result is written', async () => {
    receiver().answerWith({ status: 500, held: true }, { status: 200 });
    startProcess();
    const id = await over(one());
    await receiver().waitFor(1);

    // The database takes so long for the result that the lease ends, and another process takes the call over.
    const end = takenOver();
    await database().transaction(async (session) => {
      await select(session, 'SELECT id FROM jobs WHERE id = ? FOR UPDATE', [id]);
      receiver().release();
      await until(resultWaits);
      await lease(session, id, end);
    });
    await attempted(id, 1);
    const late = await job(id);
    await lease(database(), id, '2020-01-01');
    await attempted(id, 2);

    expect(late).to.deep.include({ callback_lease_until: end, callback_tries: 0 });
    expect((await attempts(id)).map(({ status }) => status)).to.deep.equal([500, 200]);
    expect(await job(id)).to.include({ callback_at: null, callback_lease_until: null });
    expect(new Set(receiver().requests.map(({ headers }) => headers['webhook-id']))).to.deep.equal(
      new Set([id]),
    );
  });

  it('that another process took over keep its lease when the first one drains', async () => {
    const dead = await openDead();
    const first = startProcess();
    const id = await over(one(), dead.url);
    await until(async () => dead.connections() > 0);
    const end = takenOver();
    await lease(database(), id, end);

    await first.drain();

    expect(await job(id)).to.include({ callback_lease_until: end });
  });

  it('are not made again where the archive expired during the call', async () => {
    receiver().answerWith({ status: 500, held: true });
    startProcess();
    const id = await over(one());
    await receiver().waitFor(1);

    await run('UPDATE jobs SET callback_at = NULL WHERE id = ?', [id]);
    receiver().release();
    await attempted(id, 1);

    expect(await job(id)).to.include({ callback_at: null });
  });

  it('are not begun where the claim took so long that the lease may end during the call', async () => {
    const options = optionsOf(theService().base.signingSecret, async () => false);
    const calls = callbacks(options);
    const id = await over(one());
    const [due] = await claimDue(options, calls, 1, new Map());
    if (!due) expect.fail('nothing to claim');
    const retry = { log: options.log, draining: new AbortController().signal };

    await makeCall(options, calls, { ...due, begin_by: performance.now() - 1 }, retry);
    const early = receiver().requests.length;
    await makeCall(options, calls, due, retry);

    expect([early, receiver().requests.length]).to.deep.equal([0, 1]);
    expect(await job(id)).to.include({ callback_at: null, callback_lease_until: null });
  });

  /** Whether a result is being written. InnoDB's monitor of MySQL does not show that its foreign key waits. */
  const resultWaits = async () => {
    const [statements] = await database().knex.raw('SHOW FULL PROCESSLIST');
    return statements.some(({ Info }: Row) => String(Info).startsWith('insert into `job_callbacks`'));
  };
  const lease = (session: Session, id: string, end: string) =>
    execute(session, 'UPDATE jobs SET callback_lease_until = ? WHERE id = ?', [end, id]);

  it('fail when they cannot be signed', async () => {
    startProcess('another signing secret');

    const id = await over(one());
    const [attempt] = await attempted(id, 1);

    expect(attempt).to.include({ status: null, error: 'the webhook secret of the key can not be read' });
    expect(receiver().requests).to.deep.equal([]);
    expect(await pause(id)).to.equal(5);
  });
});
