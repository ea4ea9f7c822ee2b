// Lets one process at a time prepare a database: run migrations, make the first garage. The lock is a row with a lease,
// because the locks of a Galera node do not cross nodes. A process that dies leaves a lease that ends by itself.
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import { BaseModel } from '../../core/model/statements/base-model.ts';
import { isFree, secondsFromNow } from '../../core/model/statements/fragment.ts';
import { retried } from '../../core/model/statements/retried.ts';

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
const RENEW_MS = 2_000;
/** A holder that lives has renewed its lease by then, whatever the clock did meanwhile. */
const SILENT_MS = 3 * RENEW_MS;
const POLL_MS = 200;
const SAY_MS = 10_000;

type Seen = Pick<StartLock, 'holder' | 'lease_until'>;

/** Waits for the lock and keeps it while `work` runs. `log` gets a line now and then while this process waits. */
export async function withStartLock<T>(
  knex: Knex,
  work: () => Promise<T>,
  log: (line: string) => void = () => {},
): Promise<T> {
  const holder = newHolder();
  await makeRow(knex);
  await waitForLock(knex, holder, log);
  const renewal = setInterval(() => void renew(knex, holder).catch(() => {}), RENEW_MS);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    await release(knex, holder);
  }
}

async function waitForLock(knex: Knex, holder: string, log: (line: string) => void): Promise<void> {
  let seen = await read(knex);
  let changedAt = performance.now();
  let saidAt = Number.NEGATIVE_INFINITY;
  for (;;) {
    // A clock that jumps ends leases of holders that live. So a lease must have ended, and its holder be silent.
    const isSilent = seen.holder === null || performance.now() - changedAt > SILENT_MS;
    if (isSilent && (await take(knex, holder, seen))) return;
    await pause(POLL_MS);
    const row = await read(knex);
    if (row.holder !== seen.holder || row.lease_until !== seen.lease_until) changedAt = performance.now();
    seen = row;
    if (seen.holder !== null && performance.now() - saidAt > SAY_MS) {
      log(`the start waits for ${described(seen.holder)}, which prepares the database`);
      saidAt = performance.now();
    }
  }
}

/** 36 characters at most: `123@garage-vm@mhb9x1c0`, the number of the process, its machine, and the time. */
const newHolder = () => `${process.pid}@${hostname().slice(0, 18)}@${Date.now().toString(36)}`;

function described(holder: string): string {
  const [, id, host, since = ''] = /^(\d+)@(.*)@([0-9a-z]+)$/.exec(holder) ?? [];
  // Version 1.0.0 gave itself a UUID.
  if (id === undefined) return 'another process';
  return `process ${id} on ${host}, since ${new Date(Number.parseInt(since, 36)).toISOString()}`;
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

async function read(knex: Knex): Promise<Seen> {
  const row = await StartLock.query(knex).select('holder', 'lease_until').where('row', ROW).first();
  return row ?? { holder: null, lease_until: null };
}

/**
 * Whether this process has the lock now: it was free, and as it was seen. On a cluster several processes may try,
 * and only one can commit.
 */
async function take(knex: Knex, holder: string, { holder: other, lease_until }: Seen): Promise<boolean> {
  const taken = await retried(() =>
    StartLock.query(knex)
      .patch({ holder, lease_until: secondsFromNow(LEASE_SECONDS) })
      .where({ row: ROW, holder: other, lease_until })
      .where(isFree('lease_until', LEASE_SECONDS)),
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
