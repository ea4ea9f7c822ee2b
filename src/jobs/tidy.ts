// Clears what is over: archives past their days, left-over halves of files, and rows that nobody needs any
// more. Runs at start, now and then, and by `forecourt purge`.
import { opendir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Session } from '../model/session.ts';
import { mayBeWritten, type Storage } from '../storage.ts';
import { databaseTime } from '../trade/timestamp.ts';
import { expireArchives, isNeeded } from './job.ts';

const HOUR_MS = 3600 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Removes what is over and answers how much of each. */
export async function tidy(
  session: Session,
  storage: Storage,
  archiveDays: number,
): Promise<Record<string, number>> {
  const archives = await removeExpired(session, storage, archiveDays);
  const gone = async (sql: string, before: Date) =>
    (await session.run(sql, [databaseTime(before)])).affectedRows;
  const now = new Date();
  const dayAgo = new Date(now.getTime() - DAY_MS);
  return {
    archives,
    left_over_files: (await removeLeftOvers(session, storage)) + (await removeHalves(storage)),
    tokens: await gone('DELETE FROM tokens WHERE expires_at < ?', now),
    password_resets: await gone('DELETE FROM password_resets WHERE expires_at < ?', now),
    idempotency_keys: await gone('DELETE FROM idempotency_keys WHERE created_at < ?', dayAgo),
    login_failures: (await session.run('DELETE FROM login_failures WHERE expire < ?', [now.getTime()]))
      .affectedRows,
  };
}

async function removeExpired(session: Session, { archives }: Storage, days: number): Promise<number> {
  let removed = 0;
  let names: string[];
  do {
    names = await expireArchives(session, days);
    for (const name of names) await rm(join(archives, name), { force: true });
    removed += names.length;
  } while (names.length > 0);
  return removed;
}

/**
 * Removes archives that no job needs, in the making or whole, but for those somebody may still be writing;
 * answers how many. `of`: only those of one job.
 */
export async function removeLeftOvers(session: Session, { archives }: Storage, of = ''): Promise<number> {
  let removed = 0;
  for (const file of await readdir(archives)) {
    if (!file.includes(of)) continue;
    const [, id, fence] = ATTEMPT.exec(file) ?? [];
    if (id !== undefined && (await isNeeded(session, id, Number(fence), file))) continue;
    await rm(join(archives, file), { force: true });
    removed += 1;
  }
  return removed;
}

/** `<job>.<fence>.part` or `<kind>-<job>-<fence>.zip` */
const ATTEMPT = /([0-9a-f]{8}-[0-9a-f-]{27})[.-](\d+)\.(?:part|zip)$/;

/** Removes the halves of other files that their writers have left. Read piece by piece: there may be many. */
async function removeHalves({ directory, documents, mail }: Storage): Promise<number> {
  let removed = 0;
  for (const folder of [directory, documents, mail]) {
    for await (const { name } of await opendir(folder)) {
      if (!name.endsWith('.part')) continue;
      const path = join(folder, name);
      // Another process may be writing it just now, and be done the next moment.
      const written = mayBeWritten(name) ? await stat(path).then(({ mtimeMs }) => mtimeMs, Date.now) : 0;
      if (written > Date.now() - HOUR_MS) continue;
      await rm(path, { force: true });
      removed += 1;
    }
  }
  return removed;
}
