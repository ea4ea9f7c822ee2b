// Two processes behind haproxy are restarted in turn under load: no request may fail, and each POST that was answered
// has made one row. `node dist/drills/cluster/rolling.js` runs it alone; `… 4 0` makes four restarts with
// DRAIN_SECONDS=0, and shows the use of the drain.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isReady, restartInTurn } from '../../src/cli/rolling-restart.ts';
import { databaseAddress } from '../../src/platform/config-value.ts';
import { connectDatabase } from '../../src/platform/database/connect.ts';
import { openDatabaseServer } from '../../test/support/database/database-server.ts';
import { NO_FILES } from '../../test/support/database/no-files.ts';
import { select } from '../../test/support/database/sql.ts';
import { processEnvironment, type StartedProcess, startProcess } from '../../test/support/process/process.ts';
import { openTenant } from '../../test/support/process/process-garage.ts';
import { until } from '../../test/support/service/until.ts';
import { Report } from '../chaos/report.ts';
import { RollingLoad, type Tally } from './rolling-load.ts';

const HOST = '127.0.0.1';
const START_MS = 60_000;
/** haproxy asks every 200 ms whether a process is ready. */
const PAUSE_MS = 1_000;

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
  const ports = await freePorts(environments.length + 1);
  const proxyPort = ports.pop() ?? 0;
  const processes = environments.map((changes, index) => {
    const shared = { DRAIN_SECONDS: String(drainSeconds), HOST, LOG_LEVEL: 'info' };
    const env = { ...shared, PORT: String(ports[index]), ...changes };
    return new Restartable(ports[index] ?? 0, processEnvironment(join(folder, 'storage'), env));
  });
  let proxy: ChildProcess | undefined;
  let load: RollingLoad | undefined;
  try {
    const tenant = await openTenant(processes[0]?.env ?? {});
    for (const process of processes) await process.start();
    proxy = await startProxy(folder, proxyPort, ports);
    const url = `http://${HOST}:${proxyPort}`;
    load = new RollingLoad(`${url}/v2`, await tenant.token(url));
    const began = performance.now();
    load.start(rate);
    await restartAll(processes, restarts);
    const seconds = (performance.now() - began) / 1000;
    const tally = await load.stop();
    const pace = `${(tally.sent / seconds).toFixed(0)} requests a second`;
    report.say(`${restarts} restarts of ${processes.length} processes in ${seconds.toFixed(0)} s, ${pace}`);
    judge(report, tally, await rowsOf(tenant.owner, environments[0]?.DATABASE_URL ?? ''));
  } finally {
    await load?.stop();
    proxy?.kill('SIGKILL');
    for (const process of processes) await process.stop();
    for (const line of processes.flatMap(({ errors }) => errors)) report.say(`  ${line}`);
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

/** As `forecourt rolling-restart` does it, with a signal in place of systemctl. */
function restartAll(processes: readonly Restartable[], restarts: number): Promise<void> {
  const named = new Map(processes.map((process) => [String(process.port), process]));
  const names = Array.from({ length: restarts }, (_, index) => [...named.keys()][index % named.size] ?? '');
  return restartInTurn(names, {
    restart: async (name) => named.get(name)?.restart(),
    isReady: (name) => isReady(HOST, Number(name)),
    waitMs: START_MS,
    pauseMs: PAUSE_MS,
    signal: new AbortController().signal,
  });
}

class Restartable {
  readonly port: number;
  readonly env: NodeJS.ProcessEnv;
  /** The lines of its log about errors, of each run that has ended. */
  readonly errors: string[] = [];
  private started?: StartedProcess;

  constructor(port: number, env: NodeJS.ProcessEnv) {
    this.port = port;
    this.env = env;
  }

  async start(): Promise<void> {
    this.started = await startProcess(this.env);
  }

  async stop(): Promise<void> {
    await this.started?.kill('SIGTERM');
    const lines = this.started?.output().split('\n') ?? [];
    this.errors.push(...lines.filter((line) => line.startsWith('{"level":50')));
    this.started = undefined;
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }
}

async function startProxy(folder: string, port: number, to: readonly number[]): Promise<ChildProcess> {
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, configuration(port, to));
  const child = spawn('/usr/sbin/haproxy', ['-db', '-f', file], { stdio: 'ignore' });
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`haproxy ended with ${child.exitCode}`);
    return isReady(HOST, port);
  });
  return child;
}

/**
 * No retries of requests, so that nothing hides a failure of the service. Without `timeout check` a process that takes
 * longer than 200 ms for once would count as down.
 */
const configuration = (port: number, to: readonly number[]): string => `
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  timeout http-keep-alive 60s
  timeout check 5s
  option redispatch

frontend callers
  bind ${HOST}:${port}
  default_backend processes

backend processes
  balance roundrobin
  http-reuse always
  option httpchk GET /health/ready
  http-check expect status 200
  default-server check inter 200ms fall 1 rise 1
${to.map((each) => `  server process${each} ${HOST}:${each}`).join('\n')}
`;

async function freePorts(count: number): Promise<number[]> {
  const probes = Array.from({ length: count }, () => createServer().listen(0, HOST));
  await Promise.all(probes.map((probe) => probe.listening || once(probe, 'listening')));
  const ports = probes.map((probe) => (probe.address() as AddressInfo).port);
  for (const probe of probes) {
    probe.close();
    await once(probe, 'close');
  }
  return ports;
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
