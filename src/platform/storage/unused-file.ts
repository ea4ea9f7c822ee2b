// Removes stored files that no document refers to. All documents of the same bytes share one file, whoever owns them,
// and backups read files long after the rows. So whoever writes or reads files shares one lock until its transaction
// ends, and files are removed only while nobody shares the lock. The lock does not cross the nodes of a cluster: there,
// files wait for GRACE_SECONDS, and for the jobs that began before or within this time.
//
// A stored file outlives a transaction that is undone. So its note is committed before the file is stored, and the
// transaction that records the document takes the note back.

import { hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { fn, ref } from 'objection';
import { Problem } from '../../core/errors.ts';
import { BaseModel } from '../../core/model/statements/base-model.ts';
import { dateNoLater, latestFrom, now, secondsFromNow } from '../../core/model/statements/fragment.ts';
import { insertInPortions } from '../../core/model/statements/insert-many.ts';
import { retried } from '../../core/model/statements/retried.ts';
import type { Actor, Database, Files, Session } from '../../core/model/statements/session.ts';
import { Document } from '../../core/resources/document.ts';
import { Owner } from '../../core/resources/owner.ts';
import { portionsOf } from '../../core/trade/grouped.ts';
import { databaseTime, formatTimestamp } from '../../core/trade/time/timestamp.ts';

const MOST_AT_ONCE = 100;
/** Longer than any request takes. */
const GRACE_SECONDS = 600;
/** Twice within GRACE_SECONDS. */
const RENEW_MS = 300_000;
const BUSY_MS = 200;

/** A file that has lost a document, or may get none. While its date lies ahead, a request is storing the file. */
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

/** Notes that a document of this file is deleted. A date that lies ahead stays. */
export async function noteUnused({ knex }: Session, sha256: string): Promise<void> {
  const noted_at = fn('greatest', ref('noted_at'), now());
  await UnusedFile.query(knex).insert({ sha256, noted_at: now() }).onConflict('sha256').merge({ noted_at });
}

/**
 * Does work that stores files in a transaction of its own, and notes the files before: this waits for others that note
 * or record the same files. A note that the work or a refusal leaves lets its file go at once. After other errors the
 * file goes ten minutes later: the database may be away.
 */
export async function whileStoring<Result>(
  database: Database,
  sha256s: readonly string[],
  actor: Actor,
  work: () => Promise<Result>,
): Promise<Result> {
  await noteAhead(database, sha256s, actor);
  const release = () => database.transaction((session) => dateNow(session, sha256s), actor);
  const result = await work().catch(async (error) => {
    if (error instanceof Problem) await release().catch(() => {});
    throw error;
  });
  // The answer stands. A note that stays ahead lets its file go ten minutes later.
  await release().catch(() => {});
  return result;
}

/** The date lies ahead, because nobody keeps files until the transaction does that stores them. */
async function noteAhead(database: Database, sha256s: readonly string[], actor?: Actor): Promise<void> {
  // A value, since knex alone knows nothing of Objection's expressions.
  const noted_at = databaseTime(new Date(Date.now() + GRACE_SECONDS * 1000));
  // In one order, so that two requests with the same files do not wait for each other.
  const notes = [...new Set(sha256s)].sort().map((sha256) => ({ sha256, noted_at }));
  const note = (session: Session) => insertInPortions(session, UnusedFile.tableName, notes, 'replace');
  // A connection of the owner's share, since leases need the others, and this may wait.
  await database.transaction(note, actor);
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
 * Notes files, does the long work that stores them, and dates the notes anew meanwhile: nodes of a cluster do not see
 * that a transaction keeps files. To be called before this transaction notes or records files itself: this would wait
 * for it.
 */
export async function withNotes(
  database: Database,
  sha256s: readonly string[],
  store: () => Promise<void>,
): Promise<void> {
  await noteAhead(database, sha256s);
  let renewal = Promise.resolve();
  const timer = setInterval(() => {
    // Without the database the transaction fails too.
    renewal = renewNotes(database, sha256s).catch(() => {});
  }, RENEW_MS);
  try {
    await store();
  } finally {
    clearInterval(timer);
    await renewal;
  }
}

async function renewNotes({ knex }: Session, sha256s: readonly string[]): Promise<void> {
  const noted_at = secondsFromNow(GRACE_SECONDS);
  for (const some of portionsOf(sha256s, MOST_AT_ONCE))
    await retried(() => UnusedFile.query(knex).patch({ noted_at }).whereIn('sha256', some));
}

/** Lets noted files go that nobody is storing any more. */
export async function dateNow({ knex }: Session, sha256s: readonly string[]): Promise<void> {
  for (const some of portionsOf(sha256s, MOST_AT_ONCE))
    await UnusedFile.query(knex)
      .patch({ noted_at: now() })
      .whereIn('sha256', some)
      .where('noted_at', '>', now());
}

/** Takes the notes of files back whose documents this transaction records. */
export async function forgetUnused({ knex }: Session, sha256s: readonly string[]): Promise<void> {
  for (const some of portionsOf(sha256s, MOST_AT_ONCE))
    await UnusedFile.query(knex).delete().whereIn('sha256', some);
}

interface Removal {
  /** How long further portions may begin. If nothing is said, one portion of files goes. */
  readonly longestMs?: number;
  /** When the first job began that may read files now; undefined: no job runs. Asked on a cluster only. */
  readonly firstReader?: () => Promise<string | undefined>;
}

/**
 * Removes noted files that no document refers to, and answers how many. Each portion is a transaction of its own, so
 * that others get the lock in between. Removes none while anybody keeps files.
 */
export async function removeUnused(
  database: Database,
  { longestMs = 0, firstReader = async () => undefined }: Removal = {},
): Promise<number> {
  const end = performance.now() + longestMs;
  const reader = (await database.isCluster()) ? { since: await firstReader() } : undefined;
  // Once, since this reads all notes.
  await retried(() => dateNoLater(UnusedFile.query(database.knex), 'noted_at', latestFrom(GRACE_SECONDS)));
  let removed = 0;
  for (;;) {
    const portion = await database.transaction((session) => removeSome(session, database.files, reader));
    removed += portion?.removed ?? 0;
    const isLast = portion ? portion.looked < MOST_AT_ONCE : removed === 0;
    if (isLast || performance.now() >= end) return removed;
    // Who has the lock now may be a request: it ends soon.
    if (!portion) await pause(BUSY_MS);
  }
}

/** `reader`: of a cluster. Undefined: somebody keeps files. */
async function removeSome(
  session: Session,
  files: Files,
  reader: { readonly since: string | undefined } | undefined,
): Promise<{ readonly looked: number; readonly removed: number } | undefined> {
  const { knex } = session;
  const lock = await FileLock.query(knex).select('id').forUpdate().skipLocked().first();
  if (!lock) return undefined;
  const mayGo = () => {
    const noted = UnusedFile.query(knex).where('noted_at', '<=', secondsFromNow(reader ? -GRACE_SECONDS : 0));
    // A job that began later has not seen the document, on any node.
    return reader?.since === undefined ? noted : noted.where('noted_at', '<', graceBefore(reader.since));
  };
  const noted = await mayGo().orderBy('noted_at').limit(MOST_AT_ONCE);
  let removed = 0;
  for (const { sha256 } of noted) {
    // First, since this waits for a deletion that notes the same file now; the look for documents sees its end.
    const isGone = await mayGo().delete().where('sha256', sha256);
    if (isGone === 0 || (await isUsed(session, sha256))) continue;
    await files.remove(sha256);
    removed += 1;
  }
  return { looked: noted.length, removed };
}

const graceBefore = (instant: string): string =>
  databaseTime(new Date(Date.parse(formatTimestamp(instant)) - GRACE_SECONDS * 1000));

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
