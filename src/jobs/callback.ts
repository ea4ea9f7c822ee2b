// Calls the webhook_url of a job that is done or failed, and again after growing pauses until a call is delivered.
// Due times are in the jobs' rows, so that they survive a restart. No call waits for the receiver of another.
import type { Logger } from 'pino';
import { webhookSecret } from '../auth/key.ts';
import { callWebhook } from '../calls/call.ts';
import { type Delivery, delivered } from '../calls/exchange.ts';
import { CallLoop } from '../calls/loop.ts';
import { type Outcome, outcomeOf } from '../calls/pause.ts';
import { type RetryOptions, retryWhileAway } from '../database/retry-while-away.ts';
import type { Database } from '../model/session.ts';
import { claimDue, type DueJob, recordAttempt, releaseCallback } from './callback-turn.ts';

export interface CallbackOptions {
  readonly database: Database;
  readonly signingSecret: string;
  readonly allow: readonly string[];
  readonly log: Logger;
  /** Whether no callback may leave this installation now: see installation.ts. */
  readonly isHeld: () => Promise<boolean>;
  /** Called after each attempt, for the metrics. */
  readonly onAttempt?: (outcome: Outcome) => void;
}

const TEXTS: Readonly<Record<Outcome, string>> = {
  delivered: 'callback delivered',
  failed: 'callback failed',
  given_up: 'callback given up',
};

/** Makes the callbacks of a process, once its loop is started. */
export const callbackLoop = (options: CallbackOptions): CallLoop<string, DueJob> =>
  new CallLoop({
    what: 'callback',
    log: options.log,
    claim: (most, calls) => claimDue(options.database, { most, calls, isHeld: options.isHeld }),
    make: (job, retry) => call(options, job, retry),
  });

async function call(options: CallbackOptions, job: DueJob, retry: RetryOptions): Promise<void> {
  const { database, log, onAttempt } = options;
  const delivery = await deliver(options, job, retry);
  if (retry.draining.aborted && !delivered(delivery)) return releaseCallback(database, job);
  await retryWhileAway(retry, () => recordAttempt(database, job, delivery));
  const outcome = outcomeOf(job.callback_tries, delivery);
  onAttempt?.(outcome);
  log[outcome === 'given_up' ? 'warn' : 'info']({ job: job.id, ...delivery }, TEXTS[outcome]);
}

async function deliver(options: CallbackOptions, job: DueJob, retry: RetryOptions): Promise<Delivery> {
  const secret = await secretOf(options, job, retry);
  if (secret === undefined) return { status: null, error: 'the webhook secret of the key can not be read' };
  return callWebhook({
    // Not null: a callback is due only where there is a webhook_url.
    url: String(job.webhook_url),
    id: job.secret,
    jobId: job.id,
    webhookSecret: secret,
    allow: options.allow,
    signal: retry.draining,
  });
}

/** Undefined: the secret was sealed under another SIGNING_SECRET. The attempt has failed, and is made again later. */
async function secretOf(
  { database, signingSecret, log }: CallbackOptions,
  { api_key_id, id }: DueJob,
  retry: RetryOptions,
): Promise<string | undefined> {
  try {
    return await retryWhileAway(retry, () => webhookSecret(database, signingSecret, api_key_id));
  } catch (error) {
    log.error({ err: error, job: id }, 'a webhook secret could not be read');
    return undefined;
  }
}
