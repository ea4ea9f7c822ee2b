// Calls the webhook_url of a job that is done or failed, and again after growing pauses until a call is delivered.
// Due times are in the jobs' rows, so that they survive a restart. No call waits for the receiver of another.
import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import { webhookSecret } from '../auth/key.ts';
import type { Database } from '../model/session.ts';
import {
  claimDue,
  type DueJob,
  MOST_CALLS,
  type Outcome,
  outcomeOf,
  recordAttempt,
  releaseCallback,
} from './callback-turn.ts';
import { type RetryOptions, retryWhileAway } from './retry-while-away.ts';
import { callWebhook, type Delivery, delivered } from './webhook-call.ts';

const POLL_MS = 500;

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

export class Callbacks {
  private readonly options: CallbackOptions;
  private readonly calls = new Map<string, Promise<void>>();
  private readonly abort = new AbortController();
  private timer?: NodeJS.Timeout;
  private polling?: Promise<void>;

  constructor(options: CallbackOptions) {
    this.options = options;
    // Each call adds a listener.
    setMaxListeners(0, this.abort.signal);
  }

  start(): void {
    this.timer = setTimeout(() => {
      this.polling = this.callDue()
        .catch((error) => this.options.log.error({ err: error }, 'due callbacks could not be read'))
        .finally(() => {
          this.polling = undefined;
          if (!this.abort.signal.aborted) this.start();
        });
    }, POLL_MS).unref();
  }

  /** Makes no more calls and aborts the running ones; another process makes those again. */
  async drain(): Promise<void> {
    clearTimeout(this.timer);
    this.abort.abort();
    await this.polling;
    await Promise.all(this.calls.values());
  }

  private get retry(): RetryOptions {
    return { log: this.options.log, draining: this.abort.signal };
  }

  private async callDue(): Promise<void> {
    const { database, isHeld } = this.options;
    const free = MOST_CALLS - this.calls.size;
    if (free <= 0) return;
    for (const job of await claimDue(database, { most: free, calls: this.calls, isHeld })) {
      const ended = this.call(job)
        .catch((error) =>
          this.options.log.error(
            { err: error, job: job.id },
            'the result of a callback could not be recorded',
          ),
        )
        .finally(() => this.calls.delete(job.id));
      this.calls.set(job.id, ended);
    }
  }

  private async call(job: DueJob): Promise<void> {
    const { database, log } = this.options;
    const delivery = await this.deliver(job);
    if (this.abort.signal.aborted && !delivered(delivery)) return releaseCallback(database, job);
    await retryWhileAway(this.retry, () => recordAttempt(database, job, delivery));
    const outcome = outcomeOf(job, delivery);
    this.options.onAttempt?.(outcome);
    log[outcome === 'given_up' ? 'warn' : 'info']({ job: job.id, ...delivery }, TEXTS[outcome]);
  }

  private async deliver(job: DueJob): Promise<Delivery> {
    const secret = await this.secretOf(job);
    if (secret === undefined) return { status: null, error: 'the webhook secret of the key can not be read' };
    return callWebhook({
      // Not null: a callback is due only where there is a webhook_url.
      url: String(job.webhook_url),
      id: job.secret,
      jobId: job.id,
      webhookSecret: secret,
      allow: this.options.allow,
      signal: this.abort.signal,
    });
  }

  /** Undefined: the secret was sealed under another SIGNING_SECRET. The attempt has failed, and is made again later. */
  private async secretOf({ api_key_id, id }: DueJob): Promise<string | undefined> {
    const { database, signingSecret, log } = this.options;
    try {
      return await retryWhileAway(this.retry, () => webhookSecret(database, signingSecret, api_key_id));
    } catch (error) {
      log.error({ err: error, job: id }, 'a webhook secret could not be read');
      return undefined;
    }
  }
}
