// How an attempt ends: the worker has stored the archive, and the row gets its status. While the database is away, the
// update is repeated; the fence tells whether it still counts.

import type { Database } from '../../core/model/statements/session.ts';
import { isFull, type RetryOptions, retryWhileAway } from '../../platform/database/away.ts';
import { isStorageAway, type Store } from '../../platform/storage/store.ts';
import { type Claim, failJob, finishJob, giveUpJob, releaseJob, retryJob } from './attempt.ts';
import type { JobResult } from './kind.ts';

export interface EndingOptions extends RetryOptions {
  readonly database: Database;
  readonly archives: Store;
}

/** The line in the log for a job that this process ran and no longer holds. */
export const LOST = 'job was cancelled or taken over';

/** The name of an attempt's archive. */
export const archiveName = ({ kind, id, fence }: Claim): string => `${kind}-${id}-${fence}.zip`;

/** Ends an attempt with the worker's result. */
export async function endWithResult(options: EndingOptions, claim: Claim, result: JobResult): Promise<void> {
  const { database, log } = options;
  const fail = (failure: JobResult & { ok: false }) => {
    const update = failure.passing ? retryJob : failJob;
    return retryWhileAway(options, () => update(database, claim, failure.message));
  };
  const held = result.ok ? await finish(options, claim, result) : await fail(result);
  if (!held) log.info({ job: claim.id, fence: claim.fence }, LOST);
}

/** Removes the archive if this attempt no longer holds the job. */
async function finish(
  options: EndingOptions,
  claim: Claim,
  { size, sha256, error }: JobResult & { ok: true },
): Promise<boolean> {
  const name = archiveName(claim);
  const held = await retryWhileAway(options, () =>
    finishJob(options.database, claim, { name, size, sha256, error }),
  );
  if (!held) await options.archives.remove(name);
  return held;
}

/** Ends an attempt without a result. `aborted`: by a drain, a cancellation or a takeover; else by an error. */
export async function endWithoutResult(
  options: EndingOptions,
  claim: Claim,
  { aborted, error }: { aborted: boolean; error: unknown },
): Promise<void> {
  const { database, log } = options;
  try {
    // This releases the job on a drain. After a cancellation or a takeover the fence makes this do nothing.
    if (aborted) await releaseJob(database, claim);
    else if (isStorageAway(error)) {
      log.warn({ err: error, job: claim.id }, 'the object store is away');
      await retryWhileAway(options, () => retryJob(database, claim, error.message));
    } else if (isFull(error)) {
      // The job is ended by its next attempt, after its lease. To fail it here would remove the progress of an import.
      log.error(
        { err: error, job: claim.id },
        'the disk of the database is full; the lease of the job will run out',
      );
    } else {
      log.error({ err: error, job: claim.id }, 'job failed unexpectedly');
      await retryWhileAway(options, () => giveUpJob(database, claim, 'Internal server error'));
    }
  } catch (failure) {
    log.error(
      { err: failure, job: claim.id },
      'the end of a job could not be recorded; its lease will run out',
    );
  }
}
