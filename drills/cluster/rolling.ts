// Two processes behind haproxy are restarted in turn under load: no request may fail, and each POST that was answered
// has made one row. `node dist/drills/cluster/rolling.js` runs it alone; `… 4 0` makes four restarts with
// DRAIN_SECONDS=0, and shows the use of the drain.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { databaseAddress } from '../../src/platform/config-value.ts';
import { connectDatabase } from '../../src/platform/database/connect.ts';
import { openDatabaseServer } from '../../test/support/database/database-server.ts';
import { NO_FILES } from '../../test/support/database/no-files.ts';
import { select } from '../../test/support/database/sql.ts';
import { openTenant } from '../../test/support/process/process-garage.ts';
import { Report } from '../chaos/report.ts';
import { behindProxy } from './behind-proxy.ts';
import { RollingLoad, type Tally } from './rolling-load.ts';

interface RollingOptions {
  readonly restarts: number;
  /** Requests a second. */
  readonly rate: number;
  readonly drainSeconds: number;
  /**
   * The environment of each process, with DATABASE_URL. Without it there are two processes, on a private database of
   * their own.
   */
  readonly environments?: readonly NodeJS.ProcessEnv[];
}

export async function rolling(report: Report, folder: string, options: RollingOptions): Promise<void> {
  const { restarts, rate, drainSeconds } = options;
  const server = options.environments ? undefined : await openDatabaseServer(join(folder, 'database'));
  const own = { DATABASE_URL: server?.url };
  const environments = options.environments ?? [own, own];
  const shared = { DRAIN_SECONDS: String(drainSeconds), LOG_LEVEL: 'info' };
  const place = await behindProxy(
    folder,
    environments.map((changes) => ({ ...shared, ...changes })),
  );
  let load: RollingLoad | undefined;
  try {
    const tenant = await openTenant(place.environment);
    await place.start();
    load = new RollingLoad(`${place.url}/v2`, await tenant.token(place.url));
    const began = performance.now();
    load.start(rate);
    await place.restart(restarts);
    const seconds = (performance.now() - began) / 1000;
    const tally = await load.stop();
    const pace = `${(tally.sent / seconds).toFixed(0)} requests a second`;
    report.say(
      `${restarts} restarts of ${environments.length} processes in ${seconds.toFixed(0)} s, ${pace}`,
    );
    judge(report, tally, await rowsOf(tenant.owner, environments[0]?.DATABASE_URL ?? ''));
  } finally {
    await load?.stop();
    await place.close();
    for (const line of place.errors()) report.say(`  ${line}`);
    await server?.close();
  }
}

/** The rows that the load has made. */
async function rowsOf(owner: number, url: string): Promise<number> {
  const database = connectDatabase(databaseAddress()(url), NO_FILES);
  try {
    const sql = "SELECT COUNT(*) AS made FROM contacts WHERE owner_id = ? AND last_name = 'Rolling'";
    return Number((await select(database, sql, [owner]))[0]?.made);
  } finally {
    await database.close();
  }
}

function judge(report: Report, tally: Tally, rows: number): void {
  const { sent, not2xx, resets, acknowledged, failures } = tally;
  report.say(`requests sent ${sent}, non-2xx ${not2xx}, resets ${resets}`);
  report.say(`POSTs acknowledged ${acknowledged}, rows in the database ${rows}`);
  for (const [what, times] of failures) report.say(`  ${times} x ${what}`);
  report.demand(not2xx === 0, `${not2xx} answers were not 2xx`);
  report.demand(resets === 0, `${resets} requests met a broken connection`);
  report.demand(rows === acknowledged, `${rows} rows for ${acknowledged} acknowledgements`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const report = new Report();
  const folder = await mkdtemp(join(tmpdir(), 'forecourt-rolling-'));
  const [restarts = 20, drainSeconds = 2] = process.argv.slice(2).map(Number);
  try {
    await rolling(report, folder, { restarts, drainSeconds, rate: 300 });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  process.exitCode = report.wrong.length === 0 ? 0 : 1;
}
