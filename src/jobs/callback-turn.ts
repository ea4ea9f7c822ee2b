// Which callbacks are due, and whose turn it is: the state of a callback in its job's row. Each receiver of an
// owner gets few calls at once, so that one that hangs leaves the room to others, however many wait for it.
import { marks, padded } from '../model/clause.ts';
import type { Row, Stored } from '../model/field.ts';
import type { Database } from '../model/session.ts';
import { LISTS } from '../trade/lists.ts';
import { type Delivery, delivered } from './webhook-call.ts';

const { DONE, FAILED } = LISTS.jobstatuses;

/** Seconds until the next try, after the first, second, … one failed; after the last pause's try none follows. */
export const PAUSES = [5, 30, 120, 600, 3_600, 21_600, 86_400];
/** Of one process, at once. */
export const MOST_CALLS = 500;
const MOST_CALLS_OF_RECEIVER = 8;
/** Longer than a call may take. */
const LEASE_SECONDS = 30;

const NOW = 'UTC_TIMESTAMP(3)';
const IS_FREE = `(callback_lease_until IS NULL OR callback_lease_until < ${NOW})`;
/** Host and port, as they stand in the address. */
const RECEIVER = "SUBSTRING_INDEX(SUBSTRING_INDEX(SUBSTRING(webhook_url, 9), '/', 1), '?', 1)";
const SELECT_DUE =
  `SELECT id FROM (SELECT id, callback_at, ${IS_FREE} AS is_free, ROW_NUMBER() OVER (PARTITION BY owner_id, ${RECEIVER} ` +
  `ORDER BY ${IS_FREE}, callback_at, id) AS place FROM jobs WHERE callback_at <= ${NOW}) AS due ` +
  `WHERE is_free = 1 AND place <= ${MOST_CALLS_OF_RECEIVER} ORDER BY place, callback_at, id LIMIT ?`;

/** Takes callbacks that are due, but for those in `mine`, which this process is still making. */
export async function claimDue(
  database: Database,
  most: number,
  mine: Pick<ReadonlySet<string>, 'has'>,
): Promise<Row[]> {
  const due = (await database.rows(SELECT_DUE, [String(most)])).filter(({ id }) => !mine.has(String(id)));
  if (due.length === 0) return [];
  const ids = padded(due.map(({ id = null }) => id));
  return database.transaction(async (session) => {
    const taken = await session.rows(
      'SELECT id, owner_id, api_key_id, webhook_url, secret, callback_tries, callback_at FROM jobs ' +
        `WHERE id IN (${marks(due.length)}) AND callback_at <= ${NOW} AND ${IS_FREE} FOR UPDATE SKIP LOCKED`,
      ids,
    );
    if (taken.length > 0)
      await session.run(
        `UPDATE jobs SET callback_lease_until = ${NOW} + INTERVAL ${LEASE_SECONDS} SECOND WHERE id IN (${marks(taken.length)})`,
        padded(taken.map(({ id = null }) => id)),
      );
    return taken;
  });
}

export async function giveBack(database: Database, { id = null }: Row): Promise<void> {
  await database.run('UPDATE jobs SET callback_lease_until = NULL WHERE id = ?', [id]);
}

/** Of one attempt; `given_up`: it failed, and no other follows. */
export type Outcome = (typeof OUTCOMES)[number];
export const OUTCOMES = ['delivered', 'failed', 'given_up'] as const;

export function outcomeOf(row: Row, delivery: Delivery): Outcome {
  if (delivered(delivery)) return 'delivered';
  return pauseAfter(row) === undefined ? 'given_up' : 'failed';
}

const pauseAfter = ({ callback_tries }: Row): number | undefined => PAUSES[Number(callback_tries)];

/** Notes how a call ended, and when the next one is due if it failed. */
export function note(database: Database, row: Row, { status, error }: Delivery): Promise<void> {
  const id = row.id ?? null;
  const failed = !delivered({ status, error });
  // Without a pause the sum is NULL: nothing more is due.
  const pause: Stored = (failed ? pauseAfter(row) : undefined) ?? null;
  return database.transaction(async (session) => {
    await session.run(`INSERT INTO job_callbacks (job_id, at, status, error) VALUES (?, ${NOW}, ?, ?)`, [
      id,
      status,
      error?.slice(0, 500) ?? null,
    ]);
    // A redelivery that was asked for meanwhile has another time, and stays due.
    await session.run(
      `UPDATE jobs SET callback_at = ${NOW} + INTERVAL ? SECOND, callback_tries = callback_tries + 1, ` +
        'callback_lease_until = NULL WHERE id = ? AND callback_at = ?',
      [pause, id, row.callback_at ?? null],
    );
  });
}

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
        `UPDATE jobs SET callback_at = ${NOW}, callback_tries = 0, callback_lease_until = NULL WHERE id = ?`,
        [id],
      );
    }
    return Number(row.status);
  });
}
