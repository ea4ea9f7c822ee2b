// Removes expired archives, files that crashed writers left, and rows that have ended. Runs at start, every few
// minutes, and by `forecourt purge`.
import { opendir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PasswordReset } from '../auth/reset.ts';
import { LoginFailure } from '../auth/throttle.ts';
import { Token } from '../auth/token.ts';
import { retried } from '../model/retried.ts';
import type { Database, Session } from '../model/session.ts';
import { removeUnused } from '../model/unused-file.ts';
import { purgeKept } from '../privacy/purge.ts';
import { mayBeWritten, type Storage } from '../storage.ts';
import { databaseTime } from '../trade/timestamp.ts';
import { Job } from './job.ts';
import { expireArchives, isNeeded, removeOldJobs } from './job-archive.ts';

const HOUR_MS = 3600 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Removes all of that and answers how many of each. */
export async function tidy(
  database: Database,
  storage: Storage,
  archiveDays: number,
): Promise<Record<string, number>> {
  const archives = await removeExpired(database, storage, archiveDays);
  const milliseconds = Date.now();
  const now = databaseTime(new Date(milliseconds));
  const dayAgo = databaseTime(new Date(milliseconds - DAY_MS));
  const { knex } = database;
  return {
    archives,
    jobs: await removeJobs(database),
    // Before the files, since the PDFs of these invoices go too.
    kept_invoices: await purgeKept(database),
    left_over_files: (await removeLeftOvers(database, storage)) + (await removePartFiles(storage)),
    unused_files: await tidyFiles(database),
    tokens: await retried(() => Token.query(knex).delete().where('expires_at', '<', now)),
    password_resets: await retried(() => PasswordReset.query(knex).delete().where('expires_at', '<', now)),
    // By the table's name, since http/ lies above this room.
    idempotency_keys: await retried(() => knex('idempotency_keys').delete().where('created_at', '<', dayAgo)),
    login_failures: await retried(() => LoginFailure.query(knex).delete().where('expire', '<', milliseconds)),
  };
}

/** Removes stored files without a document; none while a job on another node of a cluster may read them. */
export async function tidyFiles(database: Database): Promise<number> {
  const mayBeRead =
    (await database.isCluster()) && (await Job.query(database.knex).modify('running').resultSize()) > 0;
  return mayBeRead ? 0 : removeUnused(database);
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

/** In portions: the first tidying may find the jobs of years. */
async function removeJobs(session: Session): Promise<number> {
  let removed = 0;
  for (let some = -1; some !== 0; removed += some) some = await removeOldJobs(session);
  return removed;
}

/**
 * Removes archives, whole or partial, that no job needs and that no process may still be writing. Answers how many.
 * `of`: only those of one job.
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

/** Removes other partial files that crashed writers left. Reads folders entry by entry, because they may be large. */
async function removePartFiles({ directory, documents, mail }: Storage): Promise<number> {
  let removed = 0;
  for (const folder of [directory, documents, mail]) {
    for await (const { name } of await opendir(folder)) {
      if (!name.endsWith('.part')) continue;
      const path = join(folder, name);
      // Another process may be writing the file now, and rename it the next moment.
      const written = mayBeWritten(name) ? await stat(path).then(({ mtimeMs }) => mtimeMs, Date.now) : 0;
      if (written > Date.now() - HOUR_MS) continue;
      await rm(path, { force: true });
      removed += 1;
    }
  }
  return removed;
}
