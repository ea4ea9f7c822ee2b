// Tells a job's owner that it is over: GET on its webhook_url, again after growing pauses until it is taken.
// What is due stands in the job's row, so that it survives a restart; each call has a lease of its own, and
// calls wait for nobody else's receiver.
import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import { webhookSecret } from '../auth/key.ts';
import type { Row } from '../model/field.ts';
import type { Database } from '../model/session.ts';
import { claimDue, giveBack, MOST_CALLS, note, type Outcome, outcomeOf } from './callback-turn.ts';
import { untilBack, type Waiting } from './until-back.ts';
import { callWebhook, type Delivery, delivered } from './webhook-call.ts';

const POLL_MS = 500;

export interface CallbackOptions {
  readonly database: Database;
  readonly signingSecret: string;
  readonly allow: readonly string[];
  readonly log: Logger;
  /** Told of each attempt, for the metrics. */
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
  private looking?: Promise<void>;

  constructor(options: CallbackOptions) {
    this.options = options;
    // Each call listens.
    setMaxListeners(0, this.abort.signal);
  }

  start(): void {
    this.timer = setTimeout(() => {
      this.looking = this.callDue()
        .catch((error) => this.options.log.error({ err: error }, 'callbacks could not be read'))
        .finally(() => {
          this.looking = undefined;
          if (!this.abort.signal.aborted) this.start();
        });
    }, POLL_MS).unref();
  }

  /** Makes no more calls; one that is cut off is made again by whoever comes next. */
  async drain(): Promise<void> {
    clearTimeout(this.timer);
    this.abort.abort();
    await this.looking;
    await Promise.all(this.calls.values());
  }

  private get waiting(): Waiting {
    return { log: this.options.log, draining: this.abort.signal };
  }

  private async callDue(): Promise<void> {
    const free = MOST_CALLS - this.calls.size;
    if (free <= 0) return;
    for (const row of await claimDue(this.options.database, free, this.calls)) {
      const id = String(row.id);
      const ended = this.call(row)
        .catch((error) => this.options.log.error({ err: error, job: id }, 'a callback could not be noted'))
        .finally(() => this.calls.delete(id));
      this.calls.set(id, ended);
    }
  }

  private async call(row: Row): Promise<void> {
    const { database, log } = this.options;
    const delivery = await this.deliver(row);
    if (this.abort.signal.aborted && !delivered(delivery)) return giveBack(database, row);
    await untilBack(this.waiting, () => note(database, row, delivery));
    const outcome = outcomeOf(row, delivery);
    this.options.onAttempt?.(outcome);
    log[outcome === 'given_up' ? 'warn' : 'info']({ job: row.id, ...delivery }, TEXTS[outcome]);
  }

  private async deliver(row: Row): Promise<Delivery> {
    const secret = await this.secretOf(row);
    if (secret === undefined) return { status: null, error: 'the webhook secret of the key can not be read' };
    return callWebhook({
      url: String(row.webhook_url),
      id: String(row.secret),
      jobId: String(row.id),
      webhookSecret: secret,
      allow: this.options.allow,
      signal: this.abort.signal,
    });
  }

  /** Undefined where it was sealed under another SIGNING_SECRET: an attempt that failed, not one to make at once again. */
  private async secretOf({ api_key_id, id }: Row): Promise<string | undefined> {
    const { database, signingSecret, log } = this.options;
    try {
      return await untilBack(this.waiting, () => webhookSecret(database, signingSecret, Number(api_key_id)));
    } catch (error) {
      log.error({ err: error, job: id }, 'a webhook secret could not be read');
      return undefined;
    }
  }
}
