// Calls the webhook_url of a job that is done or failed. The state of a callback is in the row of its job. Each
// receiver of an owner gets few calls at once, and owners take turns, so that a receiver that hangs does not hold up
// the others.

import { now } from '../../core/model/statements/fragment.ts';
import { garageOf } from '../../core/model/statements/garage.ts';
import { columns } from '../../core/model/statements/selected.ts';
import type { Database, Session } from '../../core/model/statements/session.ts';
import { LISTS } from '../../core/trade/lists.ts';
import { sealedWebhookSecrets } from '../../platform/auth/key.ts';
import { unseal } from '../../platform/auth/secret.ts';
import type { Delivery } from '../../platform/calls/exchange.ts';
import type { CallLoop } from '../../platform/calls/loop.ts';
import {
  type CallColumns,
  type CallOptions,
  type Calls,
  type Claimed,
  callLoop,
  type Deadline,
  dueAnew,
  isFreeCall,
} from '../../platform/calls/turn.ts';
import { callWebhook } from './callback-call.ts';
import { callTurn, ownerTurn } from './fragment.ts';
import { Job, JobCallback } from './job.ts';
import { lockJob } from './job-request.ts';
import type { Viewer } from './viewer.ts';

const { DONE, FAILED } = LISTS.jobstatuses;

const MOST_CALLS_OF_RECEIVER = 8;
const MOST_CALLS_OF_OWNER = 100;
const ERROR_LENGTH = 500;
const COLUMNS: CallColumns = { due: 'callback_at', tries: 'callback_tries', lease: 'callback_lease_until' };

const CALLBACK = columns(Job, Job.tableName, 'id', 'owner_id', 'api_key_id', 'webhook_url', 'secret');
type DueJob = Claimed<typeof CALLBACK>;
type DueCallback = DueJob & { readonly sealedSecret: string };

/** Makes the callbacks of a process, once the loop is started. */
export const callbackLoop = (options: CallOptions): CallLoop<DueCallback & Deadline> =>
  callLoop(options, callbacks(options));

export const callbacks = (options: CallOptions): Calls<typeof CALLBACK, DueCallback> => ({
  what: 'callback',
  model: Job,
  columns: COLUMNS,
  reads: CALLBACK,
  findDue: (most) => findDue(options.database, most),
  findStranded: async (isStrandedCall) =>
    (await Job.ofAllOwners('turns', options.database).select('id').where(isStrandedCall)).map(({ id }) => id),
  complete: withSecrets,
  make: (job, { draining }) => callBack(options, job, draining),
  record: async ({ knex }, { id }, { status, error }) => {
    const attempt = { job_id: id, at: now(), status, error: error?.slice(0, ERROR_LENGTH) ?? null };
    await JobCallback.query(knex).insert(attempt);
  },
  about: ({ id }) => ({ job: id }),
});

/**
 * The IDs of jobs with a callback that is due: a few for each receiver and for each owner. Owners with the fewest calls
 * come first. Within an owner, the first job of each receiver comes first.
 */
async function findDue({ knex }: Database, most: number): Promise<string[]> {
  const due = Job.ofAllOwners('part')
    .select(
      'id',
      'owner_id',
      'callback_at',
      isFreeCall(COLUMNS).as('is_free'),
      callTurn(isFreeCall(COLUMNS)).as('of_receiver'),
    )
    .where('callback_at', '<=', now())
    .as('due');
  const inTurns = Job.ofAllOwners('part')
    .select('id', 'callback_at', 'is_free', ownerTurn().as('turn'))
    .from(due)
    .where('of_receiver', '<=', MOST_CALLS_OF_RECEIVER)
    .as('in_turns');
  const jobs = await Job.ofAllOwners('turns', { knex })
    .select('id')
    .from(inTurns)
    .where('is_free', 1)
    .where('turn', '<=', MOST_CALLS_OF_OWNER)
    .orderBy('turn')
    .orderBy('callback_at')
    .orderBy('id')
    .limit(most);
  return jobs.map(({ id }) => id);
}

/** Adds the secret of its key to each job. */
async function withSecrets(session: Session, jobs: readonly DueJob[]): Promise<DueCallback[]> {
  const sealed = await sealedWebhookSecrets(
    session,
    jobs.map(({ api_key_id }) => api_key_id),
  );
  return jobs.map((job) => ({ ...job, sealedSecret: sealed.get(job.api_key_id) ?? '' }));
}

async function callBack(
  { signingSecret, allow, log }: CallOptions,
  { id, sealedSecret, webhook_url, secret }: DueCallback,
  signal: AbortSignal,
): Promise<Delivery> {
  let webhookSecret: string;
  try {
    webhookSecret = unseal(signingSecret, sealedSecret);
  } catch (error) {
    // The secret was sealed under another SIGNING_SECRET. Later tries may find the right one.
    log.error({ err: error, job: id }, 'a webhook secret could not be read');
    return { status: null, error: 'the webhook secret of the key can not be read' };
  }
  // Not null: a callback is due only if there is a webhook_url.
  return callWebhook({ url: String(webhook_url), id: secret, jobId: id, webhookSecret, allow, signal });
}

/**
 * Requests one more callback of a job that is done or failed and has a webhook_url. Answers the job as it was;
 * undefined: the caller sees no such job. Throws Problem if the caller may not redeliver the job.
 */
export async function requestCallback(
  session: Session,
  viewer: Viewer,
  id: string,
): Promise<Pick<Job, 'status' | 'cancelled_at' | 'webhook_url'> | undefined> {
  const job = await lockJob(session, viewer, id);
  if (job && isCalledBack(job))
    await Job.of(garageOf(session, viewer.owner)).patch(dueAnew(COLUMNS)).where('id', id);
  return job;
}

/** Whether a job has a callback that was due once. */
export const isCalledBack = ({ status, webhook_url }: Pick<Job, 'status' | 'webhook_url'>): boolean =>
  webhook_url !== null && (status === DONE || status === FAILED);
