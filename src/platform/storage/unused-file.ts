// Removes stored files that no document refers to. All documents of the same bytes share one file, whoever owns them,
// and backups read files long after the rows. So whoever writes or reads files shares one lock until its transaction
// ends, and files are removed only while nobody shares the lock. The lock does not cross the nodes of a cluster: there,
// files wait for GRACE_SECONDS, and work/jobs/tidier.ts removes them while no job runs.

import { hash } from 'node:crypto';
import { BaseModel } from '../../core/model/statements/base-model.ts';
import { dateNoLater, now, secondsFromNow } from '../../core/model/statements/fragment.ts';
import { retried } from '../../core/model/statements/retried.ts';
import type { Database, Session } from '../../core/model/statements/session.ts';
import { Document } from '../../core/resources/document.ts';
import { Owner } from '../../core/resources/owner.ts';
import { portionsOf } from '../../core/trade/grouped.ts';

const MOST_AT_ONCE = 100;
/** Longer than any request takes. */
const GRACE_SECONDS = 600;

/** A file that had lost a document. */
class UnusedFile extends BaseModel {
  static override tableName = 'unused_files';
  static override idColumn = 'sha256';
  declare sha256: string;
  declare noted_at: string;
}

/** One row: the lock. */
class FileLock extends BaseModel {
  static override tableName = 'file_locks';
  declare id: number;
}

/** Keeps all files until the transaction ends. Call this before writing a file whose document is not committed yet. */
export async function keepFiles({ knex }: Session): Promise<void> {
  await FileLock.query(knex).select('id').forShare();
}

/** Notes that a document of this file is deleted. */
export async function noteUnused({ knex }: Session, sha256: string): Promise<void> {
  await UnusedFile.query(knex).insert({ sha256, noted_at: now() }).onConflict('sha256').merge();
}

/**
 * Stores bytes whose document is recorded later, while the caller keeps files. If it never is recorded, the file goes:
 * an attempt of a job may be cut off.
 */
export async function putUntilRecorded(
  database: Database,
  bytes: Buffer,
): Promise<{ sha256: string; size: number }> {
  await noteUnused(database, hash('sha256', bytes));
  return database.files.put(bytes);
}

/**
 * Dates the notes of files anew whose documents a transaction records later, since nodes of a cluster do not see that
 * it keeps files. To be called outside that transaction, and before it notes files itself: this would wait for it.
 */
export async function renewNotes({ knex }: Session, sha256s: readonly string[]): Promise<void> {
  for (const some of portionsOf(sha256s, MOST_AT_ONCE))
    await retried(() => UnusedFile.query(knex).patch({ noted_at: now() }).whereIn('sha256', some));
}

/** Takes the notes of files back whose documents this transaction records. */
export async function forgetUnused({ knex }: Session, sha256s: readonly string[]): Promise<void> {
  await UnusedFile.query(knex)
    .delete()
    .whereIn('sha256', [...sha256s]);
}

/** Removes noted files that no document refers to, and answers how many. Removes none while anybody keeps files. */
export async function removeUnused(database: Database): Promise<number> {
  const isCluster = await database.isCluster();
  return database.transaction(async (session) => {
    const { knex } = session;
    const lock = await FileLock.query(knex).select('id').forUpdate().skipLocked().first();
    if (!lock) return 0;
    if (isCluster) await dateNoLater(UnusedFile.query(knex), 'noted_at');
    let removed = 0;
    const mayGo = () => {
      const noted = UnusedFile.query(knex);
      return isCluster ? noted.where('noted_at', '<', secondsFromNow(-GRACE_SECONDS)) : noted;
    };
    for (const { sha256 } of await mayGo().orderBy('noted_at').limit(MOST_AT_ONCE)) {
      // First, since this waits for a deletion that notes the same file now; the look for documents sees its end.
      const isGone = await mayGo().delete().where('sha256', sha256);
      if (isGone === 0 || (await isUsed(session, sha256))) continue;
      await database.files.remove(sha256);
      removed += 1;
    }
    return removed;
  });
}

/** Asks owner by owner, because the index on digests begins with the owner. */
async function isUsed({ knex }: Session, sha256: string): Promise<boolean> {
  const used = await Owner.ofAllOwners('files', { knex })
    .alias('o')
    .select('d.id')
    .join(`${Document.tableName} as d`, 'd.owner_id', 'o.id')
    .where('d.sha256', sha256)
    .first();
  return used !== undefined;
}
