// Lets one process at a time prepare a database: run migrations, make the first garage. The lock is a row with a lease,
// because the locks of a Galera node do not cross nodes. A process that dies leaves a lease that ends by itself.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import { BaseModel } from '../model/base-model.ts';
import { isFree, secondsFromNow } from '../model/fragment.ts';
import { retried } from '../model/retried.ts';

class StartLock extends BaseModel {
  static override tableName = 'start_lock';
  static override idColumn = 'row';
  /** Always 1. */
  declare row: number;
  declare holder: string | null;
  declare lease_until: string | null;
}

const ROW = 1;
const LEASE_SECONDS = 60;
const RENEW_MS = 10_000;
const POLL_MS = 200;

/** Waits for the lock and keeps it while `work` runs. */
export async function withStartLock<T>(knex: Knex, work: () => Promise<T>): Promise<T> {
  const holder = randomUUID();
  await makeRow(knex);
  while (!(await take(knex, holder))) await pause(POLL_MS);
  const renewal = setInterval(() => void renew(knex, holder).catch(() => {}), RENEW_MS);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    await release(knex, holder);
  }
}

/** Made here and not by a migration, since migrations need it. */
async function makeRow(knex: Knex): Promise<void> {
  const name = StartLock.tableName;
  if (!(await knex.schema.hasTable(name)))
    await knex.schema
      .createTable(name, (t) => {
        t.engine('InnoDB');
        t.charset('utf8mb4');
        t.collate('utf8mb4_bin');
        t.integer('row').primary();
        t.string('holder', 36);
        t.datetime('lease_until', { precision: 3 });
      })
      .catch((error: { code?: string }) => {
        // Another process has just made the table.
        if (error.code !== 'ER_TABLE_EXISTS_ERROR') throw error;
      });
  await retried(() => StartLock.query(knex).insert({ row: ROW }).onConflict('row').ignore());
}

/** Whether this process has the lock now. On a cluster several processes may try, and only one can commit. */
async function take(knex: Knex, holder: string): Promise<boolean> {
  const taken = await retried(() =>
    StartLock.query(knex)
      .patch({ holder, lease_until: secondsFromNow(LEASE_SECONDS) })
      .where('row', ROW)
      .where(isFree('lease_until')),
  );
  return taken === 1;
}

const renew = (knex: Knex, holder: string): Promise<number> =>
  retried(() =>
    StartLock.query(knex)
      .patch({ lease_until: secondsFromNow(LEASE_SECONDS) })
      .where({ row: ROW, holder }),
  );

const release = (knex: Knex, holder: string): Promise<number> =>
  retried(() => StartLock.query(knex).patch({ holder: null, lease_until: null }).where({ row: ROW, holder }));
