// Takes back the results of an owner's jobs, because they hold data that must be gone: archives expire, and jobs that
// run begin anew, with the data as they are then.
import { minusOne, now, plusOne } from '../model/fragment.ts';
import type { Session } from '../model/session.ts';
import type { Storage } from '../storage/open.ts';
import { LISTS } from '../trade/lists.ts';
import { Job } from './job.ts';
import { takeTurn } from './job-turn.ts';

const { QUEUED, RUNNING, EXPIRED } = LISTS.jobstatuses;

/**
 * Call this last in the transaction that removes the data, and removeArchives after it. Answers the names of the
 * archives. No job of the owner starts before the transaction ends.
 */
export async function takeBackResults(session: Session, owner: number): Promise<string[]> {
  await takeTurn(session, owner);
  await Job.query(session.knex)
    .patch({
      status: QUEUED,
      progress: 0,
      run_at: now(),
      lease_until: null,
      started_at: null,
      // The attempt does not count. Its process finds another fence, and stops.
      attempts: minusOne('attempts'),
      fence: plusOne('fence'),
    })
    .modify('owned', owner)
    .where('status', RUNNING);
  const done = await Job.query(session.knex)
    .select('id', 'file_name')
    .modify('owned', owner)
    .modify('made')
    .forUpdate();
  await Job.query(session.knex)
    .patch({ status: EXPIRED, callback_at: null })
    .whereIn(
      'id',
      done.map(({ id }) => id),
    );
  // The filter of an export may name a person.
  await Job.query(session.knex)
    .patch({ params: '{}' })
    .modify('owned', owner)
    .where('kind', 'export')
    .whereNotIn('status', [QUEUED, RUNNING]);
  return done.flatMap(({ file_name }) => file_name ?? []);
}

/** Removes archives by name. Tidying removes the archives that a crash leaves. */
export async function removeArchives(
  { archives }: Pick<Storage, 'archives'>,
  names: readonly string[],
): Promise<void> {
  for (const name of names) await archives.remove(name);
}
