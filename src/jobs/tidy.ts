// Removes expired archives, files that crashed writers left, and rows that have ended. Runs at start, every few
// minutes, and by `forecourt purge`. Judges all ages at one instant of the database's clock. While the service doubts
// the clock, it removes only what no clock decides.
import { endAhead } from '../auth/ahead.ts';
import { PasswordReset } from '../auth/reset.ts';
import { LoginFailure } from '../auth/throttle.ts';
import { Token } from '../auth/token.ts';
import { closeFeeds, removeChanges } from '../changes/retention.ts';
import { WebhookDelivery } from '../changes/webhook-delivery.ts';
import type { ClockState } from '../database/clock.ts';
import { IdempotencyKey, keepNoLonger } from '../model/idempotency-key.ts';
import { retried } from '../model/retried.ts';
import type { Database, Session } from '../model/session.ts';
import { purgeKept } from '../privacy/retention.ts';
import { openFolder } from '../storage/folder.ts';
import type { Storage } from '../storage/open.ts';
import { removeUnused } from '../storage/unused-file.ts';
import { databaseTime, daysBefore } from '../trade/timestamp.ts';
import { Job } from './job.ts';
import { type AttemptFile, expireArchives, removeOldJobs, usesOf } from './job-archive.ts';
import { tidyUploads } from './upload.ts';

const DELIVERY_DAYS = 30;
const ROWS_AT_ONCE = 1_000;
const FILES_AT_ONCE = 500;

/** How long things are kept, as the configuration says. */
interface Days {
  readonly archiveDays: number;
  readonly changesDays: number;
  readonly auditDays: number;
}

/** Removes all of that and answers how many of each. `clock`: from `checkClock`, just now. */
export async function tidy(
  database: Database,
  storage: Storage,
  days: Days,
  clock: ClockState,
): Promise<Record<string, number>> {
  const waits = clock.waitMs > 0;
  return {
    // Before the files, since the files of old archives and invoices go too.
    ...(waits ? {} : await removeOld(database, storage, days, clock.now)),
    uploads: await tidyUploads(database, storage, clock),
    left_over_files:
      (await removeLeftOvers(database, storage, { waits })) + (await removePartial(storage, waits)),
    unused_files: await tidyFiles(database),
    // Nobody takes these for valid, whatever the clock says. Later their ends would look right.
    ended_ahead: await endAhead(database),
  };
}

/** Removes what is too old at an instant. */
async function removeOld(
  database: Database,
  storage: Storage,
  { archiveDays, changesDays, auditDays }: Days,
  at: Date,
): Promise<Record<string, number>> {
  const { knex } = database;
  const [now, dayAgo] = [databaseTime(at), daysBefore(at, 1)];
  await keepNoLonger(database);
  return {
    archives: await removeExpired(database, storage, at, archiveDays),
    jobs: await inPortions(() => removeOldJobs(database, at)),
    webhook_deliveries: await removeDeliveries(database, at),
    kept_invoices: await purgeKept(database, at),
    tokens: await retried(() =>
      Token.ofAllOwners('tidying', { knex }).delete().where('expires_at', '<', now),
    ),
    password_resets: await retried(() =>
      PasswordReset.ofAllOwners('tidying', { knex }).delete().where('expires_at', '<', now),
    ),
    idempotency_keys: await retried(() =>
      IdempotencyKey.ofAllOwners('tidying', { knex }).delete().where('created_at', '<', dayAgo),
    ),
    // The feed first: it tells that its rows are gone before they are.
    changes_of_feed: await closeFeeds(database, at, changesDays),
    changes: await removeChanges(database, at, auditDays),
    login_failures: await retried(() => LoginFailure.query(knex).delete().where('expire', '<', at.getTime())),
  };
}

/** Removes stored files without a document; none while a job on another node of a cluster may read them. */
export async function tidyFiles(database: Database): Promise<number> {
  const mayBeRead =
    (await database.isCluster()) &&
    (await Job.ofAllOwners('tidying', database).modify('running').resultSize()) > 0;
  return mayBeRead ? 0 : removeUnused(database);
}

async function removeExpired(
  session: Session,
  { archives }: Storage,
  now: Date,
  days: number,
): Promise<number> {
  return inPortions(async () => {
    const names = await expireArchives(session, now, days);
    for (const name of names) await archives.remove(name);
    return names.length;
  });
}

/** An event that waits for its next try stays, also if a clock that was behind dated it. */
async function removeDeliveries({ knex }: Session, now: Date): Promise<number> {
  const old = daysBefore(now, DELIVERY_DAYS);
  const deliveries = () =>
    WebhookDelivery.ofAllOwners('tidying', { knex })
      .where('created_at', '<', old)
      .where((over) => over.whereNull('next_at').orWhere('next_at', '<', old));
  return inPortions(() => retried(() => deliveries().delete().limit(ROWS_AT_ONCE)));
}

/** Removes some until none are left: the first tidying may find the rows of years. Answers their number. */
async function inPortions(removeSome: () => Promise<number>): Promise<number> {
  let removed = 0;
  for (;;) {
    const some = await removeSome();
    if (some === 0) return removed;
    removed += some;
  }
}

/**
 * Removes archives, whole or partial, that no job needs and that no process may still be writing. Answers how many.
 * `of`: only the files of one job. `waits`: only partial files whose writers have ended.
 */
export async function removeLeftOvers(
  session: Session,
  { archives }: Storage,
  { of = '', waits = false }: { readonly of?: string; readonly waits?: boolean } = {},
): Promise<number> {
  let removed = 0;
  for await (const some of waits ? [] : inGroups(archives.list(), of)) {
    const uses = await usesOf(session, some.map(fileOf));
    for (const { name } of some) {
      if (uses.has(name)) continue;
      await archives.remove(name);
      removed += 1;
    }
  }
  for await (const some of inGroups(archives.leftOvers(), of)) {
    const uses = await usesOf(session, some.map(fileOf));
    for (const part of some) {
      const use = uses.get(part.name);
      // Somebody may be copying an archive that is made.
      if (use === 'begun' || (use === 'made' && part.isFresh) || (waits && !part.isAbandoned)) continue;
      await part.remove();
      removed += 1;
    }
  }
  return removed;
}

/** Files whose names hold that text, some hundreds at once: a folder may have files of thousands of garages. */
async function* inGroups<File extends { readonly name: string }>(
  files: AsyncIterable<File>,
  text: string,
): AsyncGenerator<File[]> {
  let group: File[] = [];
  for await (const file of files) {
    if (!file.name.includes(text)) continue;
    group.push(file);
    if (group.length < FILES_AT_ONCE) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

/** A file that is named like no attempt belongs to no job. */
function fileOf({ name }: { readonly name: string }): AttemptFile {
  const [, job = '', fence] = ATTEMPT.exec(name) ?? [];
  return { name, job, fence: Number(fence) };
}

/** `<kind>-<job>-<fence>.zip`, and `<job>.<fence>` of a part file from an older version. */
const ATTEMPT = /([0-9a-f]{8}-[0-9a-f-]{27})[.-](\d+)(?:\.zip)?$/;

/** Removes other partial files that crashed writers left. `waits`: only if the writers are known to have ended. */
async function removePartial({ directory, mail, root, documents }: Storage, waits: boolean): Promise<number> {
  const folders = [directory, mail].map(openFolder).filter(({ address }) => address !== root.address);
  let removed = 0;
  for (const store of [...folders, root, documents]) {
    for await (const part of store.leftOvers()) {
      if (part.isFresh || (waits && !part.isAbandoned)) continue;
      await part.remove();
      removed += 1;
    }
  }
  return removed;
}
