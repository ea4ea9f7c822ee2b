// How long a job and its archive are kept: whether a file belongs to a job, when an archive expires, when a row goes.
import { dateNoLater } from '../../core/model/statements/fragment.ts';
import { retried } from '../../core/model/statements/retried.ts';
import type { Session } from '../../core/model/statements/session.ts';
import { LISTS } from '../../core/trade/lists.ts';
import { daysBefore } from '../../core/trade/time/timestamp.ts';
import { hasArchive, Job } from './job.ts';

const { RUNNING, DONE, FAILED, CANCELLED, EXPIRED } = LISTS.jobstatuses;

const EXPIRED_AT_ONCE = 1_000;
const REMOVED_AT_ONCE = 1_000;
const JOB_DAYS = 90;

/** A file that an attempt has written, or is writing. */
export interface AttemptFile {
  readonly name: string;
  readonly job: string;
  readonly fence: number;
}

/** An archive's job is done (`made`), may still make the archive (`begun`), or is not in the database. */
type Use = 'made' | 'begun' | 'unknown';

/**
 * The use of each archive, by the names of the files; nobody needs the others. One statement for all files. A job is
 * `unknown` after an older dump was loaded: a newer dump may bring the job back.
 */
export async function usesOf(
  { knex }: Session,
  files: readonly AttemptFile[],
): Promise<ReadonlyMap<string, Use>> {
  const found = await Job.ofAllOwners('tidying', { knex })
    .select('id', 'status', 'fence', 'file_name')
    .whereIn('id', [...new Set(files.map(({ job }) => job))]);
  const jobs = new Map(found.map((job) => [job.id, job]));
  const uses = new Map<string, Use>();
  for (const { name, job: id, fence } of files) {
    const job = jobs.get(id);
    if (!job) uses.set(name, 'unknown');
    else if (hasArchive(job) && job.file_name === name) uses.set(name, 'made');
    // An attempt whose lease has ended may still finish, until another attempt begins.
    else if (job.status === RUNNING && job.fence === fence) uses.set(name, 'begun');
  }
  return uses;
}

/**
 * Dates jobs now that ended while a clock ran ahead: they and their archives would stay until that time and longer. Not
 * to be called while the clock is in doubt.
 */
export const keepJobsNoLonger = (session: Session): Promise<number> =>
  retried(() =>
    dateNoLater(
      Job.ofAllOwners('tidying', session).whereIn('status', [DONE, FAILED, CANCELLED, EXPIRED]),
      'finished_at',
    ),
  );

/** Marks some archives of that many days ago as expired. Answers the names of their files; none: no more are left. */
export async function expireArchives(session: Session, at: Date, days: number): Promise<string[]> {
  const jobs = await Job.ofAllOwners('tidying', session)
    .select('id', 'file_name')
    .modify('made')
    .where('finished_at', '<', daysBefore(at, days))
    .limit(EXPIRED_AT_ONCE);
  for (const { id } of jobs) {
    await Job.ofAllOwners('tidying', session)
      .patch({ status: EXPIRED, callback_at: null })
      .where('id', id)
      .modify('made');
  }
  return jobs.map(({ file_name }) => String(file_name));
}

/**
 * Removes some jobs that ended more than 90 days ago, with their callbacks. A job with an archive stays until the
 * archive has expired. Answers how many; 0: no more are left.
 */
export async function removeOldJobs(session: Session, at: Date): Promise<number> {
  const jobs = await Job.ofAllOwners('tidying', session)
    .select('id')
    .whereIn('status', [FAILED, CANCELLED, EXPIRED])
    .where((over) => over.where('status', EXPIRED).orWhereNull('file_name'))
    .where('finished_at', '<', daysBefore(at, JOB_DAYS))
    .limit(REMOVED_AT_ONCE);
  if (jobs.length === 0) return 0;
  // The keys of the database remove the callbacks.
  return Job.ofAllOwners('tidying', session)
    .delete()
    .whereIn(
      'id',
      jobs.map(({ id }) => id),
    );
}
