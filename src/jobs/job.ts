// A job is a row: everything known of it survives the process that runs it. This is what its owner does with
// it and what becomes of it in the end; attempt.ts has what those do who run it. Times are the database server's.
import { randomUUID } from 'node:crypto';
import { digest } from '../auth/secret.ts';
import type { Database, Session } from '../model/session.ts';
import { LISTS, lowerNameOf } from '../trade/lists.ts';

const { QUEUED, RUNNING, DONE, CANCELLED, EXPIRED } = LISTS.jobstatuses;

const EXPIRED_AT_ONCE = 1_000;

export interface JobRequest {
  readonly owner: number;
  readonly apiKey: number;
  /** The name of the worker's file. */
  readonly kind: string;
  readonly params: unknown;
  readonly webhookUrl: string;
}

export const statusName = (status: unknown): string =>
  lowerNameOf('jobstatuses', Number(status)) ?? 'unknown';

/**
 * Queues a job within a transaction and answers its ID; an identical one still queued is answered instead:
 * the same kind, parameters and webhook_url, asked for with the same key, which signs the callback.
 */
export async function requestJob(session: Session, request: JobRequest): Promise<string> {
  const params = JSON.stringify(request.params);
  const hash = digest(JSON.stringify([request.apiKey, request.kind, params, request.webhookUrl]));
  await takeTurn(session, request.owner);
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

/**
 * Whoever adds or starts jobs of an owner does so alone until its transaction ends. A row of its own: that of
 * the owner is locked by everything that writes records.
 */
async function takeTurn(session: Session, owner: number): Promise<void> {
  await session.run(
    'INSERT INTO job_turns (owner_id) VALUES (?) ON DUPLICATE KEY UPDATE owner_id = owner_id',
    [owner],
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

/** Whether a file of an attempt is the archive of a job that is done, or may still become it. */
export async function isNeeded(session: Session, id: string, fence: number, file: string): Promise<boolean> {
  // A lease that has ended says nothing: until another attempt begins, this one may still finish.
  const rows = await session.rows(
    'SELECT id FROM jobs WHERE id = ? AND ((status = ? AND file_name = ?) OR (status = ? AND fence = ?))',
    [id, DONE, file, RUNNING, fence],
  );
  return rows.length > 0;
}

/** The digest of an archive that may be downloaded. */
export async function archiveDigest(session: Session, file: string): Promise<string | undefined> {
  const [row] = await session.rows('SELECT file_sha256 FROM jobs WHERE file_name = ? AND status = ?', [
    file,
    DONE,
  ]);
  return row && String(row.file_sha256);
}

/** Some archives whose time is over become `expired`; answers the names of their files, none where no more are. */
export async function expireArchives(session: Session, days: number): Promise<string[]> {
  const rows = await session.rows(
    'SELECT id, file_name FROM jobs WHERE status = ? AND finished_at < UTC_TIMESTAMP(3) - INTERVAL ? DAY LIMIT ?',
    [DONE, days, String(EXPIRED_AT_ONCE)],
  );
  for (const { id } of rows)
    await session.run('UPDATE jobs SET status = ?, callback_at = NULL WHERE id = ? AND status = ?', [
      EXPIRED,
      id ?? null,
      DONE,
    ]);
  return rows.map(({ file_name }) => String(file_name));
}
