// Takes back the results of an owner's jobs, because they hold data that must be gone: archives expire, and jobs that
// run begin anew, with the data as they are then.

import { now } from '../../core/model/statements/fragment.ts';
import type { Garage } from '../../core/model/statements/garage.ts';
import { LISTS } from '../../core/trade/lists.ts';
import type { Storage } from '../../platform/storage/open.ts';
import { queuedAgain } from './attempt.ts';
import { minusOne } from './fragment.ts';
import { Job } from './job.ts';
import { takeTurn } from './job-turn.ts';
import { kindsThat } from './kind-table.ts';

const { QUEUED, RUNNING, EXPIRED } = LISTS.jobstatuses;

/**
 * Call this last in the transaction that removes the data, and removeArchives after it. Answers the names of the
 * archives. No job of the owner starts before the transaction ends.
 */
export async function takeBackResults(garage: Garage): Promise<string[]> {
  await takeTurn(garage);
  await Job.of(garage)
    .patch({
      ...queuedAgain(),
      run_at: now(),
      // The attempt does not count. Its process finds another fence, and stops.
      attempts: minusOne('attempts'),
    })
    .where('status', RUNNING);
  const done = await Job.of(garage).select('id', 'file_name').modify('made').forUpdate();
  await Job.of(garage)
    .patch({ status: EXPIRED, callback_at: null })
    .whereIn(
      'id',
      done.map(({ id }) => id),
    );
  await Job.of(garage)
    .patch({ params: '{}' })
    .whereIn('kind', kindsThat('namesPersons'))
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
