// One attempt at a job: lease and end. Every statement about a running job demands the fencing number of its claim,
// so that a slow process cannot finish a job that another process has taken over. Times come from the database's clock.
import { fn, type PartialModelObject, ref } from 'objection';
import { now, plusOne, secondsFromNow } from '../../core/model/statements/fragment.ts';
import type { Session } from '../../core/model/statements/session.ts';
import { LISTS } from '../../core/trade/lists.ts';
import { minusOne, nowUnlessEmpty } from './fragment.ts';
import { Job, LEASE_SECONDS, MOST_ATTEMPTS, PAUSES } from './job.ts';
import type { Kind, Kinds } from './kind.ts';
import { KINDS } from './kind-table.ts';

const { QUEUED, RUNNING, DONE, FAILED, CANCELLED } = LISTS.jobstatuses;

const LONGEST_CAUSE = 500;

/** A job that this process may run until its lease ends. */
export interface Claim {
  readonly id: string;
  readonly owner: number;
  readonly kind: Kind;
  readonly params: Kinds[Kind];
  readonly fence: number;
  /** Whether the job was cancelled and only writes its report. */
  readonly isCancelled: boolean;
  /** Why the job was given up and only writes its report. */
  readonly givenUpFor?: string;
}

interface ArchiveFile {
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
  /** Why the job has failed all the same. */
  readonly error?: string;
}

/** The job and its fence: together they tell whether an attempt still holds the job. */
type Held = Pick<Claim, 'id' | 'fence'>;

/** A job without a webhook_url is never called back. */
const callbackDue = () => nowUnlessEmpty('webhook_url');

/** Changes a job that this attempt still holds. False: the job was cancelled or taken over. */
async function changeHeld(
  session: Session,
  { id, fence }: Held,
  changes: PartialModelObject<Job>,
): Promise<boolean> {
  const changed = await Job.ofAllOwners('turns', session)
    .patch(changes)
    .where('id', id)
    .where('fence', fence)
    .where('status', RUNNING);
  return changed === 1;
}

/** Renews the lease. False: the work must stop. Progress never goes down. */
export const renewLease = (session: Session, held: Held, progress = 0): Promise<boolean> =>
  changeHeld(session, held, {
    lease_until: secondsFromNow(LEASE_SECONDS),
    progress: fn('greatest', ref('progress'), progress),
  });

/** Renews the lease in the transaction of work that can't be lost: the next attempts continue behind it. */
export const keepLease = (session: Session, held: Held): Promise<boolean> =>
  changeHeld(session, held, { lease_until: secondsFromNow(LEASE_SECONDS), attempts: 1 });

/**
 * Marks a job with an archive as done, failed or cancelled. Safe to repeat after a lost connection. False: this attempt
 * no longer holds the job, so the caller removes the archive.
 */
export async function finishJob(session: Session, claim: Claim, file: ArchiveFile): Promise<boolean> {
  const over = claim.isCancelled
    ? { status: CANCELLED }
    : file.error !== undefined
      ? { status: FAILED, error: file.error, callback_at: callbackDue() }
      : { status: DONE, progress: 100, callback_at: callbackDue() };
  const changed = await changeHeld(session, claim, {
    ...over,
    finished_at: now(),
    lease_until: null,
    file_name: file.name,
    file_size: file.size,
    file_sha256: file.sha256,
  });
  if (changed) return true;
  const done = await Job.ofAllOwners('turns', session)
    .select('id')
    .where('id', claim.id)
    .where('fence', claim.fence)
    .where('status', over.status)
    .first();
  return done !== undefined;
}

/** Marks a job as failed, with a cause that its owner may read. */
export const failJob = (session: Session, claim: Claim, error: string): Promise<boolean> =>
  changeHeld(session, claim, failed(claim.isCancelled, error));

/** The end of a job that failed. A cancelled job stays cancelled, and nobody is called back. */
export const failed = (isCancelled: boolean, error: string): PartialModelObject<Job> => ({
  ...(isCancelled ? { status: CANCELLED } : { status: FAILED, callback_at: callbackDue() }),
  finished_at: now(),
  lease_until: null,
  error: error.slice(0, LONGEST_CAUSE),
});

/** A job that waits for its next attempt. No attempt before holds it. */
export const queuedAgain = (): PartialModelObject<Job> => ({
  status: QUEUED,
  progress: 0,
  lease_until: null,
  fence: plusOne('fence'),
  started_at: null,
});

/**
 * Fails a job. Nobody could tell what a job has written that reports its work: it is queued again with the cause, and
 * its next attempts are for its report only.
 */
export const giveUpJob = (session: Session, claim: Claim, error: string): Promise<boolean> =>
  KINDS[claim.kind].reports && !claim.isCancelled && claim.givenUpFor === undefined
    ? changeHeld(session, claim, {
        ...queuedAgain(),
        attempts: 0,
        error: error.slice(0, LONGEST_CAUSE),
      })
    : failJob(session, claim, claim.givenUpFor ?? error);

/** Queues a job again that this process will not finish. The attempt does not count. */
export const releaseJob = (session: Session, claim: Claim): Promise<boolean> =>
  changeHeld(session, claim, { ...queuedAgain(), attempts: minusOne('attempts') });

/** Queues a job again after a failure that may pass, with a pause. After the last attempt the job fails. */
export async function retryJob(session: Session, claim: Claim, error: string): Promise<boolean> {
  // Work that can't be lost has begun the count anew: see keepLease.
  const held = await Job.ofAllOwners('turns', session)
    .select('attempts')
    .findOne({ id: claim.id, fence: claim.fence });
  if (!held) return false;
  return held.attempts >= MOST_ATTEMPTS
    ? giveUpJob(session, claim, error)
    : changeHeld(session, claim, {
        ...queuedAgain(),
        run_at: secondsFromNow(PAUSES[held.attempts - 1] ?? 0),
      });
}
