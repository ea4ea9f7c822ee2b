// Removes the files of imports that are over, and their progress in the database. A file is named after the ID of its
// job.
import { retried } from '../../core/model/statements/retried.ts';
import type { Session } from '../../core/model/statements/session.ts';
import type { Tidying } from '../../core/model/statements/tidier.ts';
import { DAY_MS, HOUR_MS } from '../../core/trade/time/duration.ts';
import { daysBefore } from '../../core/trade/time/timestamp.ts';
import type { Storage } from '../../platform/storage/open.ts';
import type { Store } from '../../platform/storage/store.ts';
import { isOver, Job } from './job.ts';
import { isUploading, removeEndedLeases } from './upload-lease.ts';

/**
 * How long an import of the command line can be resumed after its last batch, and how long a file without a job stays:
 * after an older dump was loaded, a newer dump may bring the job back.
 */
const PROGRESS_DAYS = 7;
/**
 * By their names: this room may not import work/import/. In this order: after a kill between the two, the batches alone
 * say rightly that the import is over. The keys alone would refuse the rows of the next dry run.
 */
const PROGRESS_TABLES = ['import_keys', 'import_batches'];

/** Removes the file and the progress of a job that is over. */
export async function removeUpload(
  session: Session,
  { uploads }: Pick<Storage, 'uploads'>,
  id: string,
): Promise<void> {
  if (await isOpen(session, id)) return;
  await removeProgress(session, id);
  await uploads.remove(id);
}

/** Removes the progress of an import from the database. */
export async function removeProgress({ knex }: Session, id: string): Promise<void> {
  for (const table of PROGRESS_TABLES) await retried(() => knex(table).delete().where('import_id', id));
}

/** Removes files that crashes have left. Answers their number. While the service waits, no file goes by its age. */
export async function tidyUploads(
  session: Session,
  { uploads }: Storage,
  { at, waits }: Pick<Tidying, 'at' | 'waits'>,
): Promise<number> {
  const removed = await removeParts(session, uploads, waits);
  await removeEndedLeases(session);
  if (waits) return removed;
  const old = daysBefore(at, PROGRESS_DAYS);
  const batches = () => session.knex('import_batches');
  const goingOn = batches().select('import_id').where('created_at', '>=', old);
  const left = await batches()
    .distinct('import_id')
    .where('created_at', '<', old)
    .whereNotIn('import_id', goingOn);
  for (const { import_id } of left) await removeUpload(session, { uploads }, String(import_id));
  return removed + (await removeOver(session, uploads, at));
}

/** The files of jobs that are over. */
async function removeOver(session: Session, uploads: Store, now: Date): Promise<number> {
  let removed = 0;
  for await (const { name } of uploads.list()) {
    const modified = (await uploads.find(name))?.modifiedAt ?? now;
    const state = await stateOf(session, name);
    const kept = state === 'over' ? HOUR_MS : PROGRESS_DAYS * DAY_MS;
    if (state === 'open' || modified.getTime() > now.getTime() - kept) continue;
    await removeUpload(session, { uploads }, name);
    removed += 1;
  }
  return removed;
}

async function removeParts(session: Session, uploads: Store, waits: boolean): Promise<number> {
  let removed = 0;
  for await (const part of uploads.leftOvers()) {
    // A bucket can't tell whether a writer lives, so the lease of the upload does. A file whose job is open may be
    // copied now.
    if (part.isFresh && ((await isUploading(session, part.name)) || (await isOpen(session, part.name))))
      continue;
    if (waits && !part.isAbandoned) continue;
    await part.remove();
    removed += 1;
  }
  return removed;
}

const isOpen = async (session: Session, id: string): Promise<boolean> =>
  (await stateOf(session, id)) === 'open';

/** Undefined: the database has no such job. */
async function stateOf({ knex }: Session, id: string): Promise<'open' | 'over' | undefined> {
  const job = await Job.ofAllOwners('turns', { knex }).select('status').where('id', id).first();
  return job && (isOver(job.status) ? 'over' : 'open');
}
