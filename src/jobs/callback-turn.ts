// Which callbacks are due, and which of them are made now. Each receiver of an owner gets few calls at once, so that a
// receiver that hangs does not hold up the others. The state of a callback is in the row of its job.

import { type Delivery, delivered } from '../calls/exchange.ts';
import { pauseAfter } from '../calls/pause.ts';
import { callTurn, isFree, now, plusOne, secondsFromNow } from '../model/fragment.ts';
import type { Database } from '../model/session.ts';
import { LISTS } from '../trade/lists.ts';
import { Job, lockJob } from './job.ts';
import { JobCallback } from './job-callback.ts';

const { DONE, FAILED } = LISTS.jobstatuses;

const MOST_CALLS_OF_RECEIVER = 8;
/** Longer than a call may take. */
const LEASE_SECONDS = 30;

export type DueJob = Pick<
  Job,
  'id' | 'owner_id' | 'api_key_id' | 'webhook_url' | 'secret' | 'callback_tries' | 'callback_at'
>;

export interface ClaimOptions {
  /** How many callbacks at once. */
  readonly most: number;
  /** The callbacks that this process is making, which are left out. */
  readonly calls: Pick<ReadonlySet<string>, 'has'>;
  readonly isHeld: () => Promise<boolean>;
}

/** Takes callbacks that are due; none while they are held. */
export async function claimDue(database: Database, { most, calls, isHeld }: ClaimOptions): Promise<DueJob[]> {
  const ids = (await findDue(database, most)).filter((id) => !calls.has(id));
  // Asked each time: the database may become a copy of another one, or be released, while this process runs.
  if (ids.length === 0 || (await isHeld())) return [];
  return database.transaction(async (session) => {
    const taken = await Job.query(session.knex)
      .select('id', 'owner_id', 'api_key_id', 'webhook_url', 'secret', 'callback_tries', 'callback_at')
      .whereIn('id', ids)
      .where('callback_at', '<=', now())
      .where(isFree('callback_lease_until'))
      .forUpdate()
      .skipLocked();
    if (taken.length > 0) {
      await Job.query(session.knex)
        .patch({ callback_lease_until: secondsFromNow(LEASE_SECONDS) })
        .whereIn(
          'id',
          taken.map(({ id }) => id),
        );
    }
    return taken;
  });
}

/** The IDs of jobs with a callback that is due: a few for each receiver, the first of every receiver before a second. */
async function findDue({ knex }: Database, most: number): Promise<string[]> {
  const due = Job.query()
    .select('id', 'callback_at', isFree('callback_lease_until').as('is_free'), callTurn().as('place'))
    .where('callback_at', '<=', now())
    .as('due');
  const jobs = await Job.query(knex)
    .select('id')
    .from(due)
    .where('is_free', 1)
    .where('place', '<=', MOST_CALLS_OF_RECEIVER)
    .orderBy('place')
    .orderBy('callback_at')
    .orderBy('id')
    .limit(most);
  return jobs.map(({ id }) => id);
}

/** Lets another process make the callback. */
export async function releaseCallback({ knex }: Database, { id }: DueJob): Promise<void> {
  await Job.query(knex).patch({ callback_lease_until: null }).where('id', id);
}

/** Records how an attempt ended and, if it failed, when the next one is due. */
export function recordAttempt(database: Database, job: DueJob, { status, error }: Delivery): Promise<void> {
  const pause = delivered({ status, error }) ? undefined : pauseAfter(job.callback_tries);
  return database.transaction(async (session) => {
    await JobCallback.query(session.knex).insert({
      job_id: job.id,
      at: now(),
      status,
      error: error?.slice(0, 500) ?? null,
    });
    // A redelivery that was requested during the call has changed callback_at, and stays due.
    await Job.query(session.knex)
      .patch({
        callback_at: pause === undefined ? null : secondsFromNow(pause),
        callback_tries: plusOne('callback_tries'),
        callback_lease_until: null,
      })
      .where('id', job.id)
      .where('callback_at', job.callback_at);
  });
}

/**
 * Requests one more callback of a job that is done or failed and has a webhook_url. Answers the job as it was;
 * undefined: there is no such job.
 */
export function requestCallback(
  database: Database,
  owner: number,
  id: string,
): Promise<Pick<Job, 'status' | 'webhook_url'> | undefined> {
  return database.transaction(async (session) => {
    const job = await lockJob(session, owner, id);
    if (job && isCalledBack(job)) {
      await Job.query(session.knex)
        .patch({ callback_at: now(), callback_tries: 0, callback_lease_until: null })
        .where('id', id);
    }
    return job;
  });
}

/** Whether a job has a callback that was due once. */
export const isCalledBack = ({ status, webhook_url }: Pick<Job, 'status' | 'webhook_url'>): boolean =>
  webhook_url !== null && (status === DONE || status === FAILED);
