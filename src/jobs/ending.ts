// How an attempt ends: the archive gets its name, then the row gets its status. While the database is away, the
// update is repeated; the fence tells whether it still counts.
import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Database } from '../model/session.ts';
import { syncFolder } from '../storage.ts';
import { type Claim, failJob, finishJob, releaseJob, retryJob } from './attempt.ts';
import type { WorkResult } from './pool.ts';
import { type RetryOptions, retryWhileAway } from './retry-while-away.ts';

export interface EndingOptions extends RetryOptions {
  readonly database: Database;
}

/** The line in the log for a job that this process ran and no longer holds. */
export const LOST = 'job was cancelled or taken over';

/** Ends an attempt with a result; `part` is the file that the worker wrote. */
export async function endWithResult(
  options: EndingOptions,
  claim: Claim,
  part: string,
  result: WorkResult,
): Promise<void> {
  const { database, log } = options;
  const fail = (failure: WorkResult & { ok: false }) => {
    const update = failure.passing ? retryJob : failJob;
    return retryWhileAway(options, () => update(database, claim, failure.message));
  };
  const held = result.ok ? await finish(options, claim, part, result) : await fail(result);
  if (!held) log.info({ job: claim.id, fence: claim.fence }, LOST);
}

/** Names the archive before the row says `done`; removes the archive if this attempt no longer holds the job. */
async function finish(
  options: EndingOptions,
  claim: Claim,
  part: string,
  { size, sha256 }: WorkResult & { ok: true },
): Promise<boolean> {
  const name = archiveName(claim);
  const path = join(dirname(part), name);
  await rename(part, path);
  await syncFolder(dirname(path));
  const held = await retryWhileAway(options, () =>
    finishJob(options.database, claim, { name, size, sha256 }),
  );
  if (!held) await rm(path, { force: true });
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
    else {
      log.error({ err: error, job: claim.id }, 'job failed unexpectedly');
      await retryWhileAway(options, () => failJob(database, claim, 'Internal server error'));
    }
  } catch (failure) {
    log.error(
      { err: failure, job: claim.id },
      'the end of a job could not be recorded; its lease will run out',
    );
  }
}

const archiveName = ({ kind, id, fence }: Claim): string => `${kind}-${id}-${fence}.zip`;
