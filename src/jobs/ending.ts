// How an attempt ends: its archive gets its name and its row says so. Where the database is away meanwhile, the
// note is tried again until it is back; the fence says whether it still counts.
import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Database } from '../model/session.ts';
import { syncFolder } from '../storage.ts';
import { type Claim, failJob, finishJob, releaseJob, retryJob } from './attempt.ts';
import type { WorkResult } from './pool.ts';
import { untilBack, type Waiting } from './until-back.ts';

export interface EndingOptions extends Waiting {
  readonly database: Database;
}

/** What the log says of a job that this process ran and no longer holds. */
export const LOST = 'job was cancelled or taken over';

/** Ends an attempt whose worker came to a result; `part` is the file that it wrote. */
export async function end(
  options: EndingOptions,
  claim: Claim,
  part: string,
  result: WorkResult,
): Promise<void> {
  const { database, log } = options;
  const unfinished = (failure: WorkResult & { ok: false }) => {
    const note = failure.passing ? retryJob : failJob;
    return untilBack(options, () => note(database, claim, failure.message));
  };
  const mine = result.ok ? await finish(options, claim, part, result) : await unfinished(result);
  if (!mine) log.info({ job: claim.id, fence: claim.fence }, LOST);
}

/** The archive gets its name before the row says so; a row that is no longer ours takes it away again. */
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
  const mine = await untilBack(options, () => finishJob(options.database, claim, { name, size, sha256 }));
  if (!mine) await rm(path, { force: true });
  return mine;
}

/** Ends an attempt without a result: `aborted` on a drain, by a cancellation or a takeover, else by an error. */
export async function endUnfinished(
  options: EndingOptions,
  claim: Claim,
  { aborted, error }: { aborted: boolean; error: unknown },
): Promise<void> {
  const { database, log } = options;
  try {
    // Given back on a drain; where it was cancelled or taken over, the fence makes this do nothing.
    if (aborted) await releaseJob(database, claim);
    else {
      log.error({ err: error, job: claim.id }, 'job failed unexpectedly');
      await untilBack(options, () => failJob(database, claim, 'Internal server error'));
    }
  } catch (failure) {
    log.error({ err: failure, job: claim.id }, 'the end of a job could not be noted; its lease will run out');
  }
}

const archiveName = ({ kind, id, fence }: Claim): string => `${kind}-${id}-${fence}.zip`;
