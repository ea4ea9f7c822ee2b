// Processes that call back for the jobs of two garages, on a database of their own. Each test has its own processes.
import { randomUUID } from 'node:crypto';
import pino from 'pino';
import type { Stored } from '../../../src/core/model/fields/field.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import type { CallOptions } from '../../../src/platform/calls/turn.ts';
import { callbackLoop } from '../../../src/work/jobs/callback.ts';
import { openScratch, type Scratch } from '../../support/database/scratch-database.ts';
import { openSilent, type Silent } from '../../support/database/silent-server.ts';
import { execute, select } from '../../support/database/sql.ts';
import { openReceiver, type Receiver } from '../../support/process/https-receiver.ts';
import { theService } from '../../support/service/service.ts';
import { until } from '../../support/service/until.ts';

/** Call it in `describe`: it adds the hooks. */
export function callingBack() {
  let scratch: Scratch;
  let receiver: Receiver;
  let processes: ReturnType<typeof callbackLoop>[];
  let silent: Silent[];
  before(async () => {
    scratch = await openScratch();
  });
  beforeEach(async () => {
    processes = [];
    silent = [];
    receiver = await openReceiver();
  });
  afterEach(async () => {
    await Promise.all(processes.map((each) => each.drain()));
    await Promise.all([receiver, ...silent].map((each) => each.close()));
    await run('DELETE FROM jobs');
  });
  after(() => scratch.close());

  const rows = (sql: string, values: readonly Stored[] = []) => select(scratch.database, sql, values);
  const run = (sql: string, values: readonly Stored[] = []) => execute(scratch.database, sql, values);
  const optionsOf = (signingSecret: string, isHeld: () => Promise<boolean>): CallOptions => ({
    database: scratch.database,
    signingSecret,
    allow: ['127.0.0.0/8'],
    log: pino({ level: 'silent' }),
    isHeld,
  });
  const attempts = (id: string) =>
    rows('SELECT at, status, error FROM job_callbacks WHERE job_id = ? ORDER BY id', [id]);
  return {
    one: () => scratch.owners[0],
    two: () => scratch.owners[1],
    database: () => scratch.database,
    receiver: () => receiver,
    job: (id: string) => scratch.job(id),
    rows,
    run,
    optionsOf,
    startProcess: (signingSecret = theService().base.signingSecret, isHeld = async () => false) => {
      const loop = callbackLoop(optionsOf(signingSecret, isHeld));
      processes.push(loop);
      loop.start();
      return loop;
    },
    /** A receiver that never answers. */
    openDead: async () => {
      const dead = await openSilent();
      silent.push(dead);
      return dead;
    },
    /** A job that has ended, with a callback that is due. */
    over: async (
      owner: number,
      url = receiver.url(`/${randomUUID()}`),
      status: number = LISTS.jobstatuses.DONE,
    ) => {
      const id = await scratch.request(owner, url);
      await run('UPDATE jobs SET status = ?, callback_at = UTC_TIMESTAMP(3) WHERE id = ?', [status, id]);
      return id;
    },
    attempts,
    /** The attempts, once there are so many. */
    attempted: (id: string, count: number) =>
      until(async () => {
        const made = await attempts(id);
        return made.length >= count && made;
      }),
    /** Seconds from the last attempt to the next one; undefined: no attempt is due. */
    pause: async (id: string) => {
      const [row] = await rows(
        'SELECT TIMESTAMPDIFF(SECOND, (SELECT MAX(at) FROM job_callbacks WHERE job_id = j.id), callback_at) AS seconds ' +
          'FROM jobs j WHERE id = ?',
        [id],
      );
      return row?.seconds == null ? undefined : Number(row.seconds);
    },
    makeDue: (id: string) => run('UPDATE jobs SET callback_at = UTC_TIMESTAMP(3) WHERE id = ?', [id]),
  };
}
