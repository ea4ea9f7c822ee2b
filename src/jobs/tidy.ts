// Clears what is over: archives past their days, left-over halves of files, and rows that nobody needs any
// more. Runs at start, now and then, and by `forecourt purge`.
import { opendir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Session } from '../model/session.ts';
import type { Storage } from '../storage.ts';
import { databaseNow } from '../trade/timestamp.ts';
import { expireArchives, isAlive } from './job.ts';

const HOUR_MS = 3600 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Removes what is over and answers how much of each. */
export async function tidy(
  session: Session,
  storage: Storage,
  archiveDays: number,
): Promise<Record<string, number>> {
  const expired = await expireArchives(session, archiveDays);
  for (const name of expired) await rm(join(storage.archives, name), { force: true });
  const gone = async (sql: string, before: Date) =>
    (await session.run(sql, [databaseNow(before)])).affectedRows;
  const now = new Date();
  const dayAgo = new Date(now.getTime() - DAY_MS);
  return {
    archives: expired.length,
    left_over_files: (await removeLeftOvers(session, storage)) + (await removeHalves(storage)),
    tokens: await gone('DELETE FROM tokens WHERE expires_at < ?', now),
    password_resets: await gone('DELETE FROM password_resets WHERE expires_at < ?', now),
    idempotency_keys: await gone('DELETE FROM idempotency_keys WHERE created_at < ?', dayAgo),
    login_failures: (await session.run('DELETE FROM login_failures WHERE expire < ?', [now.getTime()]))
      .affectedRows,
  };
}

/** Removes archives that no job names, in the making or whole, but for those somebody is still writing. */
async function removeLeftOvers(session: Session, storage: Storage): Promise<number> {
  let removed = 0;
  for (const file of await readdir(storage.archives)) {
    if (await isNeeded(session, file)) continue;
    await rm(join(storage.archives, file), { force: true });
    removed += 1;
  }
  return removed;
}

/** Removes what a thread that was ended left of a document's file. Read piece by piece: there may be many. */
async function removeHalves({ documents }: Storage): Promise<number> {
  let removed = 0;
  for await (const { name } of await opendir(documents)) {
    if (!name.endsWith('.part')) continue;
    const path = join(documents, name);
    // Another process may be writing it just now, and be done the next moment.
    const written = await stat(path).then(({ mtimeMs }) => mtimeMs, Date.now);
    if (written > Date.now() - HOUR_MS) continue;
    await rm(path, { force: true });
    removed += 1;
  }
  return removed;
}

async function isNeeded(session: Session, file: string): Promise<boolean> {
  const [, id, fence] = /([0-9a-f]{8}-[0-9a-f-]{27})[.-](\d+)\.(?:part|zip)$/.exec(file) ?? [];
  if (id === undefined || fence === undefined) return false;
  const named = await session.rows('SELECT kind, fence FROM jobs WHERE id = ? AND file_name = ?', [id, file]);
  return named.length > 0 || isAlive(session, id, Number(fence));
}
