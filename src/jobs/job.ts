// A job is a row: everything known of it survives the process that runs it. Whoever runs it holds a lease
// and a fencing number; each statement that changes a running job demands that number, so that a process
// which was only slow can't finish what another has taken over. Times are the database server's.
import { randomUUID } from 'node:crypto';
import { digest } from '../auth/secret.ts';
import type { Row } from '../model/field.ts';
import type { Database, Session } from '../model/session.ts';
import { LISTS, lowerNameOf } from '../trade/lists.ts';
import { databaseNow } from '../trade/timestamp.ts';

const { QUEUED, RUNNING, DONE, FAILED, CANCELLED, EXPIRED } = LISTS.jobstatuses;

export const LEASE_SECONDS = 15;
const MOST_ATTEMPTS = 5;
const MOST_RUNNING_OF_OWNER = 2;
const CANDIDATES = 20;

export interface JobRequest {
  readonly owner: number;
  readonly apiKey: number;
  /** The name of the worker's file. */
  readonly kind: string;
  readonly params: unknown;
  readonly webhookUrl: string;
}

/** A job that this process may run until its lease ends. */
export interface Claim {
  readonly id: string;
  readonly owner: number;
  readonly kind: string;
  readonly params: unknown;
  readonly fence: number;
}

export interface ArchiveFile {
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
}

export const statusName = (status: unknown): string =>
  lowerNameOf('jobstatuses', Number(status)) ?? 'unknown';

/** Queues a job within a transaction and answers its ID; an identical one still queued is answered instead. */
export async function requestJob(session: Session, request: JobRequest): Promise<string> {
  const params = JSON.stringify(request.params);
  const hash = digest(JSON.stringify([request.apiKey, request.kind, params, request.webhookUrl]));
  // Makes two identical requests at once wait for each other.
  await session.rows('SELECT id FROM owners WHERE id = ? FOR UPDATE', [request.owner]);
  const [queued] = await session.rows(
    'SELECT id FROM jobs WHERE owner_id = ? AND status = ? AND params_hash = ?',
    [request.owner, QUEUED, hash],
  );
  if (queued) return String(queued.id);
  const [id, secret] = [randomUUID(), randomUUID()];
  const { owner, apiKey, kind, webhookUrl } = request;
  await session.run(
    'INSERT INTO jobs (id, owner_id, api_key_id, kind, params, params_hash, webhook_url, secret, status, run_at, ' +
      'created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))',
    [id, owner, apiKey, kind, params, hash, webhookUrl, secret, QUEUED],
  );
  return id;
}

/** Takes the next job that may run: a queued one, or one whose lease has ended. */
export function claimJob(database: Database): Promise<Claim | undefined> {
  return database.transaction(async (session) => {
    const candidates = [
      ...(await session.rows(
        `SELECT id, owner_id, kind, params, fence, attempts FROM jobs FORCE INDEX (jobs__claim) WHERE status = ${RUNNING} ` +
          `AND lease_until < UTC_TIMESTAMP(3) LIMIT ${CANDIDATES} FOR UPDATE SKIP LOCKED`,
        [],
      )),
      ...(await session.rows(
        `SELECT id, owner_id, kind, params, fence, attempts FROM jobs FORCE INDEX (jobs__claim) WHERE status = ${QUEUED} ` +
          `AND run_at <= UTC_TIMESTAMP(3) ORDER BY run_at, id LIMIT ${CANDIDATES} FOR UPDATE SKIP LOCKED`,
        [],
      )),
    ];
    for (const row of candidates) {
      if (Number(row.attempts) >= MOST_ATTEMPTS) await giveUp(session, row);
      else if (await mayRun(session, row)) return start(session, row);
    }
    return undefined;
  });
}

async function giveUp(session: Session, row: Row): Promise<void> {
  await session.run(
    `UPDATE jobs SET status = ${FAILED}, error = ?, finished_at = UTC_TIMESTAMP(3), callback_at = UTC_TIMESTAMP(3), ` +
      'lease_until = NULL, fence = fence + 1 WHERE id = ?',
    [`The process that ran it ended ${MOST_ATTEMPTS} times before it was done`, row.id ?? null],
  );
}

async function mayRun(session: Session, { id, owner_id }: Row): Promise<boolean> {
  // Claims for one owner wait for each other, so that both can't find the same place free.
  await session.rows('SELECT id FROM owners WHERE id = ? FOR UPDATE', [owner_id ?? null]);
  const running = await session.rows(
    `SELECT id FROM jobs WHERE owner_id = ? AND status = ${RUNNING} AND lease_until >= UTC_TIMESTAMP(3) AND id <> ?`,
    [owner_id ?? null, id ?? null],
  );
  return running.length < MOST_RUNNING_OF_OWNER;
}

async function start(session: Session, row: Row): Promise<Claim> {
  const fence = Number(row.fence) + 1;
  await session.run(
    `UPDATE jobs SET status = ${RUNNING}, fence = ?, attempts = attempts + 1, progress = 0, error = NULL, ` +
      `started_at = UTC_TIMESTAMP(3), lease_until = ${LEASE_END} WHERE id = ?`,
    [fence, row.id ?? null],
  );
  return {
    id: String(row.id),
    owner: Number(row.owner_id),
    kind: String(row.kind),
    params: JSON.parse(String(row.params)),
    fence,
  };
}

const LEASE_END = `UTC_TIMESTAMP(3) + INTERVAL ${LEASE_SECONDS} SECOND`;
const IS_MINE = `id = ? AND fence = ? AND status = ${RUNNING}`;

/** Renews the lease. False: the job was cancelled or taken over, and the work is to stop. */
export async function renewLease(session: Session, { id, fence }: Claim, progress: number): Promise<boolean> {
  const { affectedRows } = await session.run(
    `UPDATE jobs SET lease_until = ${LEASE_END}, progress = GREATEST(progress, ?) WHERE ${IS_MINE}`,
    [progress, id, fence],
  );
  return affectedRows === 1;
}

/** Marks a job as done. False: it was no longer this process's to finish. */
export async function finishJob(session: Session, { id, fence }: Claim, file: ArchiveFile): Promise<boolean> {
  const { affectedRows } = await session.run(
    `UPDATE jobs SET status = ${DONE}, progress = 100, finished_at = UTC_TIMESTAMP(3), lease_until = NULL, ` +
      `callback_at = UTC_TIMESTAMP(3), file_name = ?, file_size = ?, file_sha256 = ? WHERE ${IS_MINE}`,
    [file.name, file.size, file.sha256, id, fence],
  );
  return affectedRows === 1;
}

/** Marks a job as failed, with a cause that its owner may read. */
export async function failJob(session: Session, { id, fence }: Claim, error: string): Promise<void> {
  await session.run(
    `UPDATE jobs SET status = ${FAILED}, finished_at = UTC_TIMESTAMP(3), lease_until = NULL, ` +
      `callback_at = UTC_TIMESTAMP(3), error = ? WHERE ${IS_MINE}`,
    [error.slice(0, 500), id, fence],
  );
}

/** Gives a job back that this process will not finish: the attempt does not count. */
export async function releaseJob(session: Session, { id, fence }: Claim): Promise<void> {
  await session.run(
    `UPDATE jobs SET status = ${QUEUED}, attempts = attempts - 1, progress = 0, lease_until = NULL, fence = fence + 1, ` +
      `started_at = NULL WHERE ${IS_MINE}`,
    [id, fence],
  );
}

/** Cancels a job that is not over. Answers its status as it was before, undefined where there is none. */
export function cancelJob(database: Database, owner: number, id: string): Promise<number | undefined> {
  return database.transaction(async (session) => {
    const [row] = await session.rows('SELECT status FROM jobs WHERE owner_id = ? AND id = ? FOR UPDATE', [
      owner,
      id,
    ]);
    if (!row) return undefined;
    const status = Number(row.status);
    if (status === QUEUED || status === RUNNING) {
      await session.run(
        `UPDATE jobs SET status = ${CANCELLED}, finished_at = UTC_TIMESTAMP(3), lease_until = NULL, fence = fence + 1 WHERE id = ?`,
        [id],
      );
    }
    return status;
  });
}

export const isOver = (status: number): boolean => status !== QUEUED && status !== RUNNING;

/** Whether anybody still works on this attempt; used to tell left-over files from files in the making. */
export async function isAlive(session: Session, id: string, fence: number): Promise<boolean> {
  const rows = await session.rows(
    `SELECT id FROM jobs WHERE ${IS_MINE} AND lease_until >= UTC_TIMESTAMP(3)`,
    [id, fence],
  );
  return rows.length > 0;
}

/** Archives whose time is over become `expired`; answers the names of their files. */
export async function expireArchives(session: Session, days: number): Promise<string[]> {
  const rows = await session.rows(
    `SELECT id, file_name FROM jobs WHERE status = ${DONE} AND finished_at < ? LIMIT 1000`,
    [databaseNow(new Date(Date.now() - days * 24 * 3600 * 1000))],
  );
  for (const { id } of rows)
    await session.run(
      `UPDATE jobs SET status = ${EXPIRED}, callback_at = NULL WHERE id = ? AND status = ${DONE}`,
      [id ?? null],
    );
  return rows.map(({ file_name }) => String(file_name));
}
