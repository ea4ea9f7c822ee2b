// What a machine of a given memory carries: the service with its private database in a cgroup with that limit, 50
// clients who work at once in all garages, then an export and documents with a logo. The table has a column a machine.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pino from 'pino';
import { percentile } from '../../bench/statistics.ts';
import { LISTS } from '../../src/core/trade/lists.ts';
import { Tokens } from '../../src/platform/auth/token.ts';
import { type Base, openBase } from '../../src/platform/base.ts';
import { placeAllOwners } from '../../src/platform/changes/retention.ts';
import { readConfig } from '../../src/platform/config.ts';
import { type Answer, type Json, send } from '../../test/support/client/client.ts';
import { select } from '../../test/support/database/sql.ts';
import { pngOf } from '../../test/support/files/picture.ts';
import {
  COMPILED,
  processEnvironment,
  type StartedProcess,
  startProcess,
} from '../../test/support/process/process.ts';
import { openTenant } from '../../test/support/process/process-garage.ts';
import { until } from '../../test/support/service/until.ts';
import { copyGarage, stepOf } from './garages.ts';
import { type Column, tableOf } from './measured-table.ts';
import { MemoryLimit } from './memory-limit.ts';
import { type Report, seconds } from './report.ts';
import { peakMemoryOf } from './usage.ts';

export interface Machine {
  /** MiB. */
  readonly memory: number;
  readonly garages: number;
}

interface MachinesOptions {
  /** In order of their garages. */
  readonly machines: readonly Machine[];
  /** Orders of each garage, with three lines each on average. */
  readonly orders: number;
  readonly clients: number;
  readonly milliseconds: number;
  /** Invoices that are printed with a logo. */
  readonly documents: number;
}

interface Installation {
  readonly env: NodeJS.ProcessEnv;
  readonly owner: number;
  readonly step: number;
  readonly apiKey: number;
  readonly employee: number;
  /** Records of the first garage. */
  readonly orders: readonly number[];
  readonly lines: readonly number[];
  readonly invoices: readonly number[];
}

/** Pixels: a picture of a camera. */
const LOGO_SIDE = 3_000;
const PATIENCE_MS = 600_000;
export async function machines(report: Report, folder: string, options: MachinesOptions): Promise<void> {
  const env = processEnvironment(join(folder, 'storage'), { TRUST_PROXY: '1', JOB_THREADS: '1' });
  const installation = await firstGarage(env, options);
  const columns: Column[] = [];
  let made = 1;
  for (const machine of options.machines) {
    const began = performance.now();
    await withBase(env, (base) =>
      copyGarage(base.database, installation, { from: made, to: machine.garages - 1 }),
    );
    made = Math.max(made, machine.garages);
    report.say(`  ${machine.garages} garages: copied in ${seconds(performance.now() - began)}`);
    const limit = await MemoryLimit.make(machine.memory);
    if (!limit) return report.say('  not measured: this machine lets nobody make a cgroup');
    try {
      columns.push(await measure(installation, { machine, limit, options }));
    } finally {
      await limit.remove();
    }
  }
  for (const line of tableOf(columns)) report.say(line);
}

async function withBase<T>(env: NodeJS.ProcessEnv, work: (base: Base) => Promise<T>): Promise<T> {
  const base = await openBase(readConfig(env), pino({ level: 'silent' }));
  try {
    return await work(base);
  } finally {
    await base.close();
  }
}

async function firstGarage(
  env: NodeJS.ProcessEnv,
  { orders, documents }: MachinesOptions,
): Promise<Installation> {
  const { owner } = await openTenant(env, { orders });
  return withBase(env, async ({ database }) => {
    await placeAllOwners(database, Number.POSITIVE_INFINITY);
    const ids = async (sql: string) => (await select(database, sql)).map(({ id }) => Number(id));
    const { INVOICE, CANCELLED } = LISTS.orderstatuses;
    const [apiKey = 0] = await ids('SELECT MAX(id) AS id FROM api_keys');
    const [employee = 0] = await ids(
      'SELECT MIN(id) AS id FROM employees WHERE role_kind = 1 AND username IS NOT NULL',
    );
    return {
      env,
      owner,
      step: await stepOf(database),
      apiKey,
      employee,
      orders: await ids('SELECT id FROM orders'),
      lines: await ids(
        `SELECT l.id FROM orderlines l JOIN orders o ON o.owner_id = l.owner_id AND o.id = l.order_id WHERE o.order_type = ${LISTS.ordertypes.WORKSHOP} AND o.order_status NOT IN (${INVOICE}, ${CANCELLED}) AND l.line_kind = ${LISTS.linekinds.ARTICLE}`,
      ),
      invoices: await ids(
        `SELECT id FROM orders WHERE order_status = ${INVOICE} AND order_type = ${LISTS.ordertypes.WORKSHOP} AND credited_order_id IS NULL LIMIT ${documents}`,
      ),
    };
  });
}

interface Measuring {
  readonly machine: Machine;
  readonly limit: MemoryLimit;
  readonly options: MachinesOptions;
}

/** A request of one garage, with its number from 0. */
type Ask = (garage: number, method: string, path: string, body?: Json) => Promise<Answer>;

async function measure(installation: Installation, measuring: Measuring): Promise<Column> {
  const { machine, limit } = measuring;
  const { env } = installation;
  const tokens = await withBase(env, (base) => issueTokens(base, installation, machine.garages));
  const column: Column = { memory: `${machine.memory} MiB`, garages: String(machine.garages) };
  let service: StartedProcess | undefined;
  try {
    const began = performance.now();
    service = await startProcess(env, COMPILED, ({ pid = 0 }) => limit.add(pid));
    column['time to start'] = seconds(performance.now() - began);
    const { url } = service;
    const ask: Ask = (garage, method, path, body) =>
      send(method, `${url}/v2${path}`, {
        headers: { token: tokens[garage] ?? '', 'content-type': 'application/json' },
        body: body && JSON.stringify(body),
      });
    await use(installation, { ...measuring, ask, column });
    column['peak of Node'] = peak(service.child.pid ?? 0);
    column['peak of the database'] = peak(await databasePid(env));
  } catch (error) {
    column['not all worked'] = (error as Error).message.split('\n')[0] ?? '';
  } finally {
    await service?.kill('SIGTERM');
  }
  column['killed by the kernel'] = String(await limit.kills());
  return column;
}

const peak = (pid: number) => `${Math.round(peakMemoryOf(pid))} MiB`;

const databasePid = async ({ STORAGE_DIR = '' }: NodeJS.ProcessEnv) =>
  Number.parseInt(await readFile(join(STORAGE_DIR, 'database/running'), 'utf8'), 10);

async function use(
  installation: Installation,
  { machine, options, ask, column }: Measuring & { ask: Ask; column: Column },
): Promise<void> {
  const { owner, invoices } = installation;
  Object.assign(column, await load(installation, { machine, options, ask }));
  await ask(0, 'PUT', `/owner/${owner}`, { logo: pngOf(LOGO_SIDE, LOGO_SIDE).toString('base64') });
  column['export of its orders'] = await job(ask, '/export', { resource: 'order', format: 'csv' });
  const documents = { order_ids: invoices, document_type: LISTS.documenttypes.INVOICE };
  column[`${invoices.length} invoices as PDF`] = await job(ask, '/document/generate', documents);
}

/** Clients who work in all garages, each request in another one. */
async function load(
  installation: Installation,
  { machine: { garages }, options, ask }: { machine: Machine; options: MachinesOptions; ask: Ask },
): Promise<Column> {
  const took = new Map<string, number[]>();
  let asked = 0;
  let failed = 0;
  const end = performance.now() + options.milliseconds;
  const client = async () => {
    while (performance.now() < end) {
      asked += 1;
      const { name, garage, request } = nextRequest(installation, garages, asked);
      const began = performance.now();
      const { status } = await ask(garage, ...request);
      if (status !== 200) failed += 1;
      took.set(name, [...(took.get(name) ?? []), performance.now() - began]);
    }
  };
  await Promise.all(Array.from({ length: options.clients }, client));
  const times = [...took].map(([name, values]): [string, string] => {
    values.sort((a, b) => a - b);
    return [name, `${percentile(values, 0.5).toFixed(0)} / ${percentile(values, 0.99).toFixed(0)} ms`];
  });
  return {
    'requests a second': String(Math.round(asked / (options.milliseconds / 1000))),
    'not answered with 200': String(failed),
    ...Object.fromEntries(times),
  };
}

type Words = [method: string, path: string, body?: Json];

/** Six reads of one order, two lists, and two changes in ten requests. */
function nextRequest(
  { orders, lines, step }: Installation,
  garages: number,
  number: number,
): { name: string; garage: number; request: Words } {
  const garage = (number * 7_919) % garages;
  const idOf = (ids: readonly number[]) => (ids[(number * 31) % ids.length] ?? 0) + garage * step;
  const kind = number % 10;
  if (kind < 6) return { name: 'GET one', garage, request: ['GET', `/order/${idOf(orders)}`] };
  if (kind < 8)
    return { name: 'GET list of 100', garage, request: ['GET', '/order?sort=-order_date&page_size=100'] };
  const body = { quantity: 1 + (number % 9) };
  return { name: 'PUT of a line', garage, request: ['PUT', `/orderline/${idOf(lines)}`, body] };
}

/** Asks for a job of the first garage, and waits until it is done. */
async function job(ask: Ask, path: string, body: Json): Promise<string> {
  const began = performance.now();
  const asked = await ask(0, 'POST', path, body);
  if (asked.status !== 202) throw new Error(`POST ${path} answered ${asked.status}: ${asked.text}`);
  const { status } = await until(async () => {
    const { data } = await ask(0, 'GET', `/job/${asked.data.job_id}`);
    return /done|failed/.test(String(data?.status)) && (data as Json);
  }, PATIENCE_MS);
  if (status !== 'done') throw new Error(`POST ${path} failed`);
  return seconds(performance.now() - began);
}

async function issueTokens(
  { database }: Base,
  { owner, step, employee, apiKey }: Installation,
  garages: number,
): Promise<string[]> {
  const issuer = new Tokens(database);
  const tokens: string[] = [];
  for (let garage = 0; garage < garages; garage += 1)
    tokens.push(
      (await issuer.issue({ owner: owner + garage, employee: employee + garage * step, apiKey })).token,
    );
  return tokens;
}
