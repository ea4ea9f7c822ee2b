// One attempt at a job: claim, lease, end. Every statement about a running job demands the fencing number of its claim,
// so that a slow process cannot finish a job that another process has taken over. Times are those of the database.
import { fn, type PartialModelObject, type QueryBuilder, ref } from 'objection';
import { minusOne, now, onIndex, plusOne, secondsFromNow } from '../model/fragment.ts';
import type { Database, Session } from '../model/session.ts';
import { LISTS } from '../trade/lists.ts';
import { Job } from './job.ts';
import { takeFreeTurn } from './job-turn.ts';

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
  /** Undefined: no job can run now. */
  readonly claim?: Claim;
  /** Jobs that used up their attempts; they have failed now. */
  readonly givenUp: readonly string[];
}

export interface ArchiveFile {
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
}

/**
 * Takes the next job that may run: a queued one, or one whose lease has ended. Leaves out the jobs in `running`, which
 * this process still runs: a process does not take a job over from itself.
 */
export function claimJob(
  database: Database,
  running: Pick<ReadonlySet<string>, 'has'> = new Set(),
): Promise<Claimed> {
  return database.transaction(async (session) => {
    const givenUp: string[] = [];
    const candidates = [
      ...(await candidatesOf(session).where('status', RUNNING).where('lease_until', '<', now())),
      ...(await candidatesOf(session)
        .where('status', QUEUED)
        .where('run_at', '<=', now())
        .orderBy('run_at')
        .orderBy('id')),
    ];
    for (const job of candidates.filter(({ id }) => !running.has(id))) {
      if (job.attempts >= MOST_ATTEMPTS) {
        await giveUp(session, job);
        givenUp.push(job.id);
      } else if (await mayRun(session, job)) return { claim: await start(session, job), givenUp };
    }
    return { givenUp };
  });
}

/** A few jobs, locked, that no other process looks at now. Without the index, SKIP LOCKED would lock every row. */
function candidatesOf(session: Session): QueryBuilder<Job> {
  // An owner with many jobs must not fill the candidates, so jobs that have to wait are left out here.
  const busyOwners = Job.query()
    .select('owner_id')
    .modify('running')
    .groupBy('owner_id')
    .having(fn.count(ref('id')), '>=', MOST_RUNNING_OF_OWNER);
  return Job.query(session.knex)
    .select('id', 'owner_id', 'kind', 'params', 'fence', 'attempts')
    .from(onIndex('jobs', 'jobs', 'jobs__claim'))
    .whereNotIn('owner_id', busyOwners)
    .limit(CANDIDATES)
    .forUpdate()
    .skipLocked();
}

async function giveUp(session: Session, { id }: Job): Promise<void> {
  await Job.query(session.knex)
    .patch({
      status: FAILED,
      error: `The process that ran it ended ${MOST_ATTEMPTS} times before it was done`,
      finished_at: now(),
      callback_at: now(),
      lease_until: null,
      fence: plusOne('fence'),
    })
    .where('id', id);
}

/**
 * Whether the owner has a free place. One process counts at a time, so that two cannot take the same place; a process
 * that does not get its turn looks again later.
 */
async function mayRun(session: Session, { id, owner_id }: Job): Promise<boolean> {
  if (!(await takeFreeTurn(session, owner_id))) return false;
  const others = await Job.query(session.knex)
    .select('id')
    .modify('owned', owner_id)
    .modify('running')
    .where('id', '<>', id);
  return others.length < MOST_RUNNING_OF_OWNER;
}

async function start(session: Session, job: Job): Promise<Claim> {
  const { id, owner_id, kind, params } = job;
  const [fence, attempt] = [job.fence + 1, job.attempts + 1];
  await Job.query(session.knex)
    .patch({
      status: RUNNING,
      fence,
      attempts: attempt,
      progress: 0,
      error: null,
      started_at: now(),
      lease_until: secondsFromNow(LEASE_SECONDS),
    })
    .where('id', id);
  return { id, owner: owner_id, kind, params: JSON.parse(params), fence, attempt };
}

/** Changes a job that this attempt still holds. False: the job was cancelled or taken over. */
async function changeHeld(
  session: Session,
  { id, fence }: Claim,
  changes: PartialModelObject<Job>,
): Promise<boolean> {
  const changed = await Job.query(session.knex)
    .patch(changes)
    .where('id', id)
    .where('fence', fence)
    .where('status', RUNNING);
  return changed === 1;
}

/** Renews the lease. False: the work must stop. Progress never goes down. */
export const renewLease = (session: Session, claim: Claim, progress: number): Promise<boolean> =>
  changeHeld(session, claim, {
    lease_until: secondsFromNow(LEASE_SECONDS),
    progress: fn('greatest', ref('progress'), progress),
  });

/**
 * Marks a job as done. False: this attempt no longer held the job. True if this attempt has marked the job before: the
 * connection may be lost before the answer comes, and after a false the caller removes the archive.
 */
export async function finishJob(session: Session, claim: Claim, file: ArchiveFile): Promise<boolean> {
  const changed = await changeHeld(session, claim, {
    status: DONE,
    progress: 100,
    finished_at: now(),
    lease_until: null,
    callback_at: now(),
    file_name: file.name,
    file_size: file.size,
    file_sha256: file.sha256,
  });
  if (changed) return true;
  const done = await Job.query(session.knex)
    .select('id')
    .where('id', claim.id)
    .where('fence', claim.fence)
    .where('status', DONE)
    .first();
  return done !== undefined;
}

/** Marks a job as failed, with a cause that its owner may read. */
export const failJob = (session: Session, claim: Claim, error: string): Promise<boolean> =>
  changeHeld(session, claim, {
    status: FAILED,
    finished_at: now(),
    lease_until: null,
    callback_at: now(),
    error: error.slice(0, 500),
  });

const queuedAgain = (): PartialModelObject<Job> => ({
  status: QUEUED,
  progress: 0,
  lease_until: null,
  fence: plusOne('fence'),
  started_at: null,
});

/** Queues a job again that this process will not finish. The attempt does not count. */
export const releaseJob = (session: Session, claim: Claim): Promise<boolean> =>
  changeHeld(session, claim, { ...queuedAgain(), attempts: minusOne('attempts') });

/** Queues a job again after a failure that may pass, in 2, 4, 8, 16 s. After the last attempt the job fails. */
export const retryJob = (session: Session, claim: Claim, error: string): Promise<boolean> =>
  claim.attempt >= MOST_ATTEMPTS
    ? failJob(session, claim, error)
    : changeHeld(session, claim, { ...queuedAgain(), run_at: secondsFromNow(2 ** claim.attempt) });
