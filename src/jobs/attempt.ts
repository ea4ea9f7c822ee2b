// One attempt at a job. Whoever runs a job holds a lease and a fencing number; each statement that changes a
// running job demands that number, so that a process which was only slow can't finish what another has taken
// over. Times are the database server's.
import type { Row } from '../model/field.ts';
import type { Database, Session } from '../model/session.ts';
import { LISTS } from '../trade/lists.ts';

const { QUEUED, RUNNING, DONE, FAILED } = LISTS.jobstatuses;

const LEASE_SECONDS = 15;
const MOST_ATTEMPTS = 5;
const MOST_RUNNING_OF_OWNER = 2;
const CANDIDATES = 20;

/** A job that this process may run until its lease ends. */
export interface Claim {
  readonly id: string;
  readonly owner: number;
  readonly kind: string;
  readonly params: unknown;
  readonly fence: number;
  /** Which attempt this is, from 1. */
  readonly attempt: number;
}

export interface Claimed {
  /** Undefined: there is nothing to run now. */
  readonly claim?: Claim;
  /** Jobs that were found to have failed for good. */
  readonly givenUp: readonly string[];
}

export interface ArchiveFile {
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
}

const NOW = 'UTC_TIMESTAMP(3)';
const LEASE_END = `${NOW} + INTERVAL ${LEASE_SECONDS} SECOND`;
const IS_RUNNING = `status = ${RUNNING} AND lease_until >= ${NOW}`;
/** An owner with many jobs must not hide those of others from the few that are looked at. */
const HAS_PLACE =
  `owner_id NOT IN (SELECT owner_id FROM jobs WHERE ${IS_RUNNING} ` +
  `GROUP BY owner_id HAVING COUNT(*) >= ${MOST_RUNNING_OF_OWNER})`;
const SELECT = 'SELECT id, owner_id, kind, params, fence, attempts FROM jobs FORCE INDEX (jobs__claim)';
const SOME = `LIMIT ${CANDIDATES} FOR UPDATE SKIP LOCKED`;

/**
 * Takes the next job that may run: a queued one, or one whose lease has ended, but for those in `mine`: what
 * this process still runs is not to be taken over from itself.
 */
export function claimJob(
  database: Database,
  mine: Pick<ReadonlySet<string>, 'has'> = new Set(),
): Promise<Claimed> {
  return database.transaction(async (session) => {
    const givenUp: string[] = [];
    const candidates = [
      ...(await session.rows(
        `${SELECT} WHERE status = ${RUNNING} AND lease_until < ${NOW} AND ${HAS_PLACE} ${SOME}`,
        [],
      )),
      ...(await session.rows(
        `${SELECT} WHERE status = ${QUEUED} AND run_at <= ${NOW} AND ${HAS_PLACE} ORDER BY run_at, id ${SOME}`,
        [],
      )),
    ];
    for (const row of candidates.filter(({ id }) => !mine.has(String(id)))) {
      if (Number(row.attempts) >= MOST_ATTEMPTS) {
        await giveUp(session, row);
        givenUp.push(String(row.id));
      } else if (await mayRun(session, row)) return { claim: await start(session, row), givenUp };
    }
    return { givenUp };
  });
}

async function giveUp(session: Session, { id = null }: Row): Promise<void> {
  await session.run(
    `UPDATE jobs SET status = ${FAILED}, error = ?, finished_at = ${NOW}, callback_at = ${NOW}, ` +
      'lease_until = NULL, fence = fence + 1 WHERE id = ?',
    [`The process that ran it ended ${MOST_ATTEMPTS} times before it was done`, id],
  );
}

/** Counted by one process at a time, so that two can't find the same place free; who is late looks again later. */
async function mayRun(session: Session, { id = null, owner_id = null }: Row): Promise<boolean> {
  const turn = await session.rows(
    'SELECT owner_id FROM job_turns WHERE owner_id = ? FOR UPDATE SKIP LOCKED',
    [owner_id],
  );
  if (turn.length === 0) return false;
  const running = await session.rows(`SELECT id FROM jobs WHERE owner_id = ? AND ${IS_RUNNING} AND id <> ?`, [
    owner_id,
    id,
  ]);
  return running.length < MOST_RUNNING_OF_OWNER;
}

async function start(session: Session, row: Row): Promise<Claim> {
  const [fence, attempt] = [Number(row.fence) + 1, Number(row.attempts) + 1];
  await session.run(
    `UPDATE jobs SET status = ${RUNNING}, fence = ?, attempts = ?, progress = 0, error = NULL, ` +
      `started_at = ${NOW}, lease_until = ${LEASE_END} WHERE id = ?`,
    [fence, attempt, row.id ?? null],
  );
  return {
    id: String(row.id),
    owner: Number(row.owner_id),
    kind: String(row.kind),
    params: JSON.parse(String(row.params)),
    fence,
    attempt,
  };
}

/** Sets columns of a job that is still this attempt's. False: it was cancelled or taken over. */
async function change(
  session: Session,
  { id, fence }: Claim,
  assignments: string,
  values: (string | number)[] = [],
): Promise<boolean> {
  const { affectedRows } = await session.run(
    `UPDATE jobs SET ${assignments} WHERE id = ? AND fence = ? AND status = ${RUNNING}`,
    [...values, id, fence],
  );
  return affectedRows === 1;
}

/** Renews the lease. False: the work is to stop. */
export const renewLease = (session: Session, claim: Claim, progress: number): Promise<boolean> =>
  change(session, claim, `lease_until = ${LEASE_END}, progress = GREATEST(progress, ?)`, [progress]);

/**
 * Marks a job as done. False: it was no longer this process's to finish. True again where it is done already: the
 * connection may have been lost between the note and its answer, and what follows on a false removes the archive.
 */
export async function finishJob(session: Session, claim: Claim, file: ArchiveFile): Promise<boolean> {
  const noted = await change(
    session,
    claim,
    `status = ${DONE}, progress = 100, finished_at = ${NOW}, lease_until = NULL, callback_at = ${NOW}, ` +
      'file_name = ?, file_size = ?, file_sha256 = ?',
    [file.name, file.size, file.sha256],
  );
  if (noted) return true;
  const done = await session.rows(`SELECT 1 FROM jobs WHERE id = ? AND fence = ? AND status = ${DONE}`, [
    claim.id,
    claim.fence,
  ]);
  return done.length === 1;
}

/** Marks a job as failed, with a cause that its owner may read. */
export const failJob = (session: Session, claim: Claim, error: string): Promise<boolean> =>
  change(
    session,
    claim,
    `status = ${FAILED}, finished_at = ${NOW}, lease_until = NULL, callback_at = ${NOW}, error = ?`,
    [error.slice(0, 500)],
  );

const QUEUED_AGAIN = `status = ${QUEUED}, progress = 0, lease_until = NULL, fence = fence + 1, started_at = NULL`;

/** Gives a job back that this process will not finish: the attempt does not count. */
export const releaseJob = (session: Session, claim: Claim): Promise<boolean> =>
  change(session, claim, `${QUEUED_AGAIN}, attempts = attempts - 1`);

/** Lets another attempt follow one that met what may pass, after 2, 4, 8, 16 s; after the last the job fails. */
export const retryJob = (session: Session, claim: Claim, error: string): Promise<boolean> =>
  claim.attempt >= MOST_ATTEMPTS
    ? failJob(session, claim, error)
    : change(session, claim, `${QUEUED_AGAIN}, run_at = ${NOW} + INTERVAL ? SECOND`, [2 ** claim.attempt]);
