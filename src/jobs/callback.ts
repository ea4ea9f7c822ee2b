// Tells a job's owner that it is over: GET on its webhook_url, again after growing pauses until it is taken.
// What is due stands in the job's row, so that it survives a restart; each call has a lease of its own, and
// calls wait for nobody else's receiver.
import type { Logger } from 'pino';
import { webhookSecret } from '../auth/key.ts';
import type { Row } from '../model/field.ts';
import type { Database, Session } from '../model/session.ts';
import { LISTS } from '../trade/lists.ts';
import { callWebhook, type Delivery, delivered } from './webhook-call.ts';

const { DONE, FAILED } = LISTS.jobstatuses;

/** Seconds until the next try, after the first, second, … one failed. */
export const PAUSES = [5, 30, 120, 600, 3_600, 21_600, 86_400];
const POLL_MS = 500;
const LEASE_SECONDS = 30;
const MOST_CALLS = 64;
const MOST_CALLS_OF_OWNER = 8;

export interface CallbackOptions {
  readonly database: Database;
  readonly signingSecret: string;
  readonly allow: readonly string[];
  readonly log: Logger;
  /** Told of each attempt, for the metrics. */
  readonly onAttempt?: (delivered: boolean) => void;
}

export class Callbacks {
  private readonly options: CallbackOptions;
  private readonly calls = new Map<string, { owner: number; ended: Promise<void> }>();
  private readonly abort = new AbortController();
  private timer?: NodeJS.Timeout;
  private looking?: Promise<void>;

  constructor(options: CallbackOptions) {
    this.options = options;
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
    await Promise.all([...this.calls.values()].map(({ ended }) => ended));
  }

  private async callDue(): Promise<void> {
    const free = MOST_CALLS - this.calls.size;
    if (free <= 0) return;
    for (const row of await claimDue(this.options.database, free, this.busyOwners())) {
      const ended = this.call(row)
        .catch((error) =>
          this.options.log.error({ err: error, job: row.id }, 'a callback could not be noted'),
        )
        .finally(() => this.calls.delete(String(row.id)));
      this.calls.set(String(row.id), { owner: Number(row.owner_id), ended });
    }
  }

  private busyOwners(): number[] {
    const counts = new Map<number, number>();
    for (const { owner } of this.calls.values()) counts.set(owner, (counts.get(owner) ?? 0) + 1);
    return [...counts].filter(([, count]) => count >= MOST_CALLS_OF_OWNER).map(([owner]) => owner);
  }

  private async call(row: Row): Promise<void> {
    const { database, signingSecret, allow, log } = this.options;
    const delivery = await callWebhook({
      url: String(row.webhook_url),
      id: String(row.secret),
      jobId: String(row.id),
      webhookSecret: await webhookSecret(database, signingSecret, Number(row.api_key_id)),
      allow,
      signal: this.abort.signal,
    });
    if (this.abort.signal.aborted && !delivered(delivery))
      return database.run(GIVE_BACK, [row.id ?? null]).then(() => {});
    await database.transaction((session) => note(session, row, delivery));
    this.options.onAttempt?.(delivered(delivery));
    log.info({ job: row.id, ...delivery }, delivered(delivery) ? 'callback delivered' : 'callback failed');
  }
}

const GIVE_BACK = 'UPDATE jobs SET callback_lease_until = NULL WHERE id = ?';

/** Asks for one more callback of a job that is done or failed. Answers its status, undefined where there is none. */
export function requestCallback(database: Database, owner: number, id: string): Promise<number | undefined> {
  return database.transaction(async (session) => {
    const [row] = await session.rows('SELECT status FROM jobs WHERE owner_id = ? AND id = ? FOR UPDATE', [
      owner,
      id,
    ]);
    if (!row) return undefined;
    if (row.status === DONE || row.status === FAILED) {
      await session.run(
        'UPDATE jobs SET callback_at = UTC_TIMESTAMP(3), callback_tries = 0, callback_lease_until = NULL WHERE id = ?',
        [id],
      );
    }
    return Number(row.status);
  });
}

function claimDue(database: Database, most: number, busyOwners: readonly number[]): Promise<Row[]> {
  return database.transaction(async (session) => {
    const due = await session.rows(
      'SELECT id, owner_id, api_key_id, webhook_url, secret, callback_tries, callback_at FROM jobs FORCE INDEX (jobs__callback) ' +
        'WHERE callback_at <= UTC_TIMESTAMP(3) AND (callback_lease_until IS NULL OR callback_lease_until < UTC_TIMESTAMP(3)) ' +
        'ORDER BY callback_at, id LIMIT 256 FOR UPDATE SKIP LOCKED',
      [],
    );
    const taken = due.filter(({ owner_id }) => !busyOwners.includes(Number(owner_id))).slice(0, most);
    for (const { id } of taken) {
      await session.run(
        `UPDATE jobs SET callback_lease_until = UTC_TIMESTAMP(3) + INTERVAL ${LEASE_SECONDS} SECOND WHERE id = ?`,
        [id ?? null],
      );
    }
    return taken;
  });
}

async function note(session: Session, row: Row, delivery: Delivery): Promise<void> {
  const id = row.id ?? null;
  await session.run(
    'INSERT INTO job_callbacks (job_id, at, status, error) VALUES (?, UTC_TIMESTAMP(3), ?, ?)',
    [id, delivery.status, delivery.error?.slice(0, 500) ?? null],
  );
  const pause = delivered(delivery) ? undefined : PAUSES[Number(row.callback_tries)];
  // A redelivery that was asked for meanwhile has another time, and stays due.
  await session.run(
    `UPDATE jobs SET callback_at = ${pause === undefined ? 'NULL' : `UTC_TIMESTAMP(3) + INTERVAL ${pause} SECOND`}, ` +
      'callback_tries = callback_tries + 1, callback_lease_until = NULL WHERE id = ? AND callback_at = ?',
    [id, row.callback_at ?? null],
  );
}
