// Measures one installation with more and more garages, and shows which costs grow with their number. Each garage has a
// subscription, archives, and a client that waits for changes. The table has a column for each number of garages.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from '../../bench/statistics.ts';
import { loadResources } from '../../src/core/model/records/registry.ts';
import { LISTS } from '../../src/core/trade/lists.ts';
import { databaseNow } from '../../src/core/trade/time/timestamp.ts';
import { Tokens } from '../../src/platform/auth/token.ts';
import { placeAllOwners } from '../../src/platform/changes/retention.ts';
import { type Answer, send } from '../../test/support/client/client.ts';
import { type DatabaseServer, openDatabaseServer } from '../../test/support/database/database-server.ts';
import { select } from '../../test/support/database/sql.ts';
import { openReceiver, type Receiver } from '../../test/support/process/https-receiver.ts';
import { processEnvironment, type StartedProcess, startProcess } from '../../test/support/process/process.ts';
import { openTenant } from '../../test/support/process/process-garage.ts';
import { until } from '../../test/support/service/until.ts';
import { type Copies, copyGarage, stepOf } from './garages.ts';
import { type Column, tableOf } from './measured-table.ts';
import { type Report, seconds } from './report.ts';
import { countsOf, memoryOf, processorSeconds } from './usage.ts';

export interface ScaleOptions {
  /** How many garages each column has, ascending. */
  readonly garages: readonly number[];
  /** The orders of each garage, with three lines each on average. */
  readonly orders: number;
  readonly idleMs: number;
  /** Requests of each kind. */
  readonly requests: number;
  /** Events, waits and jobs that are measured one after the other, each in another garage. */
  readonly samples: number;
}

/** Nightly backups that are kept for a week. */
const ARCHIVES = 7;
/** The service takes 1,000 connections; some are for the other requests. */
const MOST_WAITING = 900;
/** After the start, and after the clients have begun to wait. */
const MOST_SETTLE_MS = 5_000;
/** A request for changes waits no longer than this. A client leaves when its last request has ended. */
const LONGEST_WAIT_MS = 25_000;
const PATIENCE_MS = 120_000;
const { DONE, QUEUED } = LISTS.jobstatuses;

/** The database that is measured. */
export type ScaleServer = Pick<DatabaseServer, 'url' | 'pid' | 'database' | 'close'>;

interface Installation extends Copies {
  readonly server: ScaleServer;
  readonly receiver: Receiver;
  readonly env: NodeJS.ProcessEnv;
  readonly storage: string;
  readonly apiKey: number;
  readonly employee: number;
  /** Records of the first garage. */
  readonly contact: number;
  readonly order: number;
}

export async function scale(
  report: Report,
  folder: string,
  options: ScaleOptions,
  openServer: (folder: string) => Promise<ScaleServer> = openDatabaseServer,
): Promise<void> {
  await loadResources();
  const server = await openServer(join(folder, 'database'));
  const receiver = await openReceiver();
  const columns: Column[] = [];
  try {
    const installation = await firstGarage(report, { folder, server, receiver }, options);
    let made = 1;
    for (const garages of options.garages) {
      const began = performance.now();
      await copyGarage(server.database, installation, { from: made, to: garages - 1 });
      await addArchives(installation, made - 1, garages - 1);
      made = garages;
      report.say(`${garages} garages: copied in ${seconds(performance.now() - began)}`);
      columns.push(await measure(report, installation, garages, options));
    }
  } finally {
    await receiver.close();
    await server.close();
  }
  for (const line of tableOf(columns)) report.say(line);
}

/** Makes the garage that is copied. */
async function firstGarage(
  report: Report,
  { folder, server, receiver }: { folder: string; server: ScaleServer; receiver: Receiver },
  { orders }: ScaleOptions,
): Promise<Installation> {
  const storage = join(folder, 'storage');
  // One address has all connections of a trusted proxy.
  const env = processEnvironment(storage, { DATABASE_URL: server.url, TRUST_PROXY: '1' });
  const began = performance.now();
  const tenant = await openTenant(env, { orders });
  const service = await startProcess(env);
  const body = { url: receiver.url('/events'), resources: ['contact'], actions: ['updated'] };
  const subscribed = await tenant.ask(service.url, 'POST', '/webhooksubscription', body);
  await service.kill('SIGTERM');
  if (subscribed.status !== 201) throw new Error(`no subscription: ${subscribed.text}`);
  await placeAllOwners(server.database, Number.POSITIVE_INFINITY);
  const one = async (sql: string) => Number((await select(server.database, sql))[0]?.id);
  report.say(`the first garage: ${orders} orders made in ${seconds(performance.now() - began)}`);
  return {
    server,
    receiver,
    env,
    storage,
    owner: tenant.owner,
    step: await stepOf(server.database),
    apiKey: await one('SELECT MAX(id) AS id FROM api_keys'),
    employee: await one(
      'SELECT id FROM employees WHERE role_kind = 1 AND username IS NOT NULL ORDER BY id LIMIT 1',
    ),
    contact: await one('SELECT MIN(id) AS id FROM contacts'),
    order: await one('SELECT MIN(id) AS id FROM orders'),
  };
}

/** Adds the backups of a week to the garages from `from` to `to`. */
async function addArchives(
  { server, storage, owner, apiKey }: Installation,
  from: number,
  to: number,
): Promise<void> {
  const archives = join(storage, 'archives');
  await mkdir(archives, { recursive: true });
  const at = databaseNow();
  for (let garage = from; garage <= to; garage += 1) {
    const jobs = Array.from({ length: ARCHIVES }, () => {
      const id = crypto.randomUUID();
      return {
        id,
        owner_id: owner + garage,
        api_key_id: apiKey,
        kind: 'backup',
        endpoint: 'POST /backup/owner',
        params: '{}',
        params_hash: id,
        secret: crypto.randomUUID(),
        status: DONE,
        fence: 1,
        run_at: at,
        created_at: at,
        finished_at: at,
        file_name: `backup-${id}-1.zip`,
      };
    });
    await server.database.knex('jobs').insert(jobs);
    for (const { file_name } of jobs) await writeFile(join(archives, file_name), '');
  }
}

async function measure(
  report: Report,
  installation: Installation,
  garages: number,
  options: ScaleOptions,
): Promise<Column> {
  const { server, env } = installation;
  const tokens = await issueTokens(installation, garages);
  const before = await countsOf(server.database);
  const began = performance.now();
  const service = await startProcess(env);
  const start = performance.now() - began;
  const after = await countsOf(server.database);
  const column: Column = {
    garages: String(garages),
    'time to start': seconds(start),
    'statements of the start': String(after.statements - before.statements),
    'rows read by the start': String(after.rows - before.rows),
  };
  const settle = () => pause(Math.min(MOST_SETTLE_MS, options.idleMs));
  try {
    await settle();
    Object.assign(column, await usage(installation, service, options.idleMs, 'idle'));
    const asker = { installation, service, tokens, garages };
    const waiters = new Waiters(asker, options);
    await waiters.open();
    await settle();
    Object.assign(column, await usage(installation, service, options.idleMs, 'all wait'));
    Object.assign(column, await changesSeen(report, asker, waiters, options));
    await waiters.close();
    Object.assign(column, await reads(report, asker, options));
    Object.assign(column, await firstTurns(report, asker, options));
  } finally {
    await service.kill('SIGTERM');
  }
  return column;
}

/** A token for each garage. */
async function issueTokens(
  { server, owner, step, employee, apiKey }: Installation,
  garages: number,
): Promise<string[]> {
  const issuer = new Tokens(server.database);
  const tokens: string[] = [];
  for (let garage = 0; garage < garages; garage += 1) {
    const who = { owner: owner + garage, employee: employee + garage * step, apiKey };
    tokens.push((await issuer.issue(who)).token);
  }
  return tokens;
}

/** Measures the use of processor, memory and database for some seconds. `when`: the first words of the table's rows. */
async function usage(
  { server }: Installation,
  { child }: StartedProcess,
  milliseconds: number,
  when: string,
): Promise<Column> {
  const pid = child.pid ?? 0;
  const read = async () => ({
    ...(await countsOf(server.database)),
    service: processorSeconds(pid),
    database: processorSeconds(server.pid),
    at: performance.now(),
  });
  const first = await read();
  await pause(milliseconds);
  const last = await read();
  const length = (last.at - first.at) / 1000;
  const rate = (name: 'statements' | 'rows' | 'service' | 'database') => (last[name] - first[name]) / length;
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  return {
    [`${when}: statements a second`]: rate('statements').toFixed(1),
    [`${when}: rows read a second`]: rate('rows').toFixed(0),
    [`${when}: processor, service`]: percent(rate('service')),
    [`${when}: processor, database`]: percent(rate('database')),
    [`${when}: memory, service`]: `${memoryOf(pid).toFixed(0)} MiB`,
    [`${when}: memory, database`]: `${memoryOf(server.pid).toFixed(0)} MiB`,
  };
}

interface Asker {
  readonly installation: Installation;
  readonly service: StartedProcess;
  readonly tokens: readonly string[];
  readonly garages: number;
}

const ask = (
  { service, tokens }: Asker,
  garage: number,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> =>
  send(method, `${service.url}/v2${path}`, {
    headers: { token: tokens[garage] ?? '', 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });

/** The clients that wait for changes, one of each garage. */
class Waiters {
  /** When each garage last got changes. */
  readonly seen = new Map<number, number>();
  private readonly asker: Asker;
  private readonly loops: Promise<void>[] = [];
  /** In seconds, at least as long as clients are measured. */
  private readonly longest: number;
  private waiting = 0;
  private isOpen = true;

  constructor(asker: Asker, { idleMs }: ScaleOptions) {
    this.asker = asker;
    this.longest = Math.ceil(Math.min(LONGEST_WAIT_MS, 2 * idleMs) / 1_000);
  }

  async open(): Promise<void> {
    const count = Math.min(this.asker.garages, MOST_WAITING);
    for (let garage = 0; garage < count; garage += 1) this.loops.push(this.wait(garage));
    await until(async () => this.waiting === count, PATIENCE_MS);
  }

  async close(): Promise<void> {
    this.isOpen = false;
    await Promise.all(this.loops);
  }

  private async wait(garage: number): Promise<void> {
    let after = (await ask(this.asker, garage, 'GET', '/changes?after=now')).body.next;
    this.waiting += 1;
    while (this.isOpen) {
      const path = `/changes?after=${after}&wait=${this.longest}`;
      const { status, text, body } = await ask(this.asker, garage, 'GET', path);
      if (status !== 200) throw new Error(`GET /changes answered ${status}: ${text}`);
      after = body.next;
      if (body.data.length > 0) this.seen.set(garage, performance.now());
    }
  }
}

/** Changes a contact in one garage after the other: when do the waiting client and the receiver of events see it? */
async function changesSeen(
  report: Report,
  asker: Asker,
  { seen }: Waiters,
  { samples }: ScaleOptions,
): Promise<Column> {
  const { receiver, contact, step } = asker.installation;
  const waits: number[] = [];
  const events: number[] = [];
  for (const garage of spreadOver(Math.min(asker.garages, MOST_WAITING), samples)) {
    const id = contact + garage * step;
    const city = `Utrecht ${crypto.randomUUID().slice(0, 8)}`;
    const count = receiver.requests.length;
    const began = performance.now();
    const answer = await ask(asker, garage, 'PUT', `/contact/${id}`, { city });
    report.demand(answer.status === 200, `PUT answered ${answer.status}: ${answer.text}`);
    const seenAt = await until(async () => {
      const at = seen.get(garage) ?? 0;
      return at > began && at;
    }, PATIENCE_MS);
    const event = await until(
      async () => receiver.requests.slice(count).find(({ body }) => JSON.parse(body).data.id === id),
      PATIENCE_MS,
    );
    waits.push(seenAt - began);
    events.push(event.at - began);
  }
  return { 'GET /changes?wait=: PUT to answer': p50p99(waits), 'event: PUT to call': p50p99(events) };
}

async function reads(report: Report, asker: Asker, { requests }: ScaleOptions): Promise<Column> {
  const { order, step } = asker.installation;
  const time = async (path: (garage: number) => string): Promise<string> => {
    const took: number[] = [];
    for (const garage of spreadOver(asker.garages, requests)) {
      const began = performance.now();
      const answer = await ask(asker, garage, 'GET', path(garage));
      took.push(performance.now() - began);
      report.demand(answer.status === 200, `GET answered ${answer.status}: ${answer.text}`);
    }
    return p50p99(took);
  };
  // The first requests of each kind compile their statements.
  await time((garage) => `/order/${order + garage * step}`);
  return {
    'GET one': await time((garage) => `/order/${order + garage * step}`),
    'GET list of 100': await time(() => '/order?sort=-order_date&page_size=100'),
  };
}

/** Asks for a small export in one garage after the other: how long does each wait for its turn? */
async function firstTurns(report: Report, asker: Asker, { samples }: ScaleOptions): Promise<Column> {
  const { database } = asker.installation.server;
  const waits: number[] = [];
  for (const garage of spreadOver(asker.garages, samples)) {
    const answer = await ask(asker, garage, 'POST', '/export', { resource: 'turnovergroup', format: 'csv' });
    report.demand(answer.status === 202, `POST /export answered ${answer.status}: ${answer.text}`);
    const id = String(answer.data.job_id);
    const job = await until(async () => {
      const [row] = await select(database, 'SELECT status, created_at, started_at FROM jobs WHERE id = ?', [
        id,
      ]);
      return row?.status !== QUEUED && row;
    }, PATIENCE_MS);
    waits.push(Date.parse(`${job.started_at}Z`) - Date.parse(`${job.created_at}Z`));
    await until(async () => {
      const [row] = await select(database, 'SELECT status FROM jobs WHERE id = ?', [id]);
      return row?.status === DONE;
    }, PATIENCE_MS);
  }
  return { "a job's wait for its first turn": p50p99(waits) };
}

/** A number of garages, spread evenly over all `count`. */
const spreadOver = (count: number, samples: number): number[] =>
  Array.from({ length: samples }, (_, index) => Math.floor((index * count) / samples) % count);

function p50p99(values: number[]): string {
  values.sort((a, b) => a - b);
  return `${percentile(values, 0.5).toFixed(1)} / ${percentile(values, 0.99).toFixed(1)} ms`;
}
