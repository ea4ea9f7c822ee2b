// Removes what is over, room by room. Runs at start, every few minutes, and by `forecourt purge`. While the service
// doubts the clock, it removes only what no clock decides.

import { PRIVACY_TIDIERS } from '../business/privacy/retention.ts';
import type { Database } from '../core/model/statements/session.ts';
import type { Tidier, Tidying } from '../core/model/statements/tidier.ts';
import { AUTH_TIDIERS } from '../platform/auth/tidier.ts';
import { CHANGES_TIDIERS } from '../platform/changes/tidier.ts';
import type { ClockState } from '../platform/database/clock.ts';
import type { Storage } from '../platform/storage/open.ts';
import { STORAGE_TIDIERS } from '../platform/storage/tidier.ts';
import { JOB_FILE_TIDIERS, JOB_TIDIERS } from './jobs/tidier.ts';

/** Rows come before files: the files of old archives and invoices go too. */
const TIDIERS: readonly Tidier<Tidying & { readonly storage: Storage }>[] = [
  ...JOB_TIDIERS,
  ...CHANGES_TIDIERS,
  ...PRIVACY_TIDIERS,
  ...AUTH_TIDIERS,
  ...JOB_FILE_TIDIERS,
  ...STORAGE_TIDIERS,
];

type Days = Pick<Tidying, 'archiveDays' | 'changesDays' | 'auditDays'>;

/**
 * Runs all tidiers and answers how many rows or files each has removed. A tidier that fails keeps no other one from its
 * work: the first failure is thrown at the end. The state comes from `checkClock`, just now: everything goes by one
 * instant of the database's clock, which was compared with the last sign of life in the same statement. So a process
 * with a wrong clock removes nothing, and no jump can come in between.
 */
export async function tidy(
  database: Database,
  storage: Storage,
  { archiveDays, changesDays, auditDays }: Days,
  { now: at, waitMs }: ClockState,
): Promise<Record<string, number>> {
  const waits = waitMs > 0;
  const tidying = { database, storage, at, waits, archiveDays, changesDays, auditDays };
  const removed: Record<string, number> = {};
  const failures: unknown[] = [];
  for (const { name, byAge, remove } of TIDIERS) {
    if (byAge && waits) continue;
    try {
      removed[name] = (removed[name] ?? 0) + (await remove(tidying));
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return removed;
}
