// Two processes of a release, built from its own sources, are replaced by processes of this version, one after the
// other and under load, as docs/operations.md says. No request may fail, and nothing that was acknowledged may be lost.
import { join } from 'node:path';
import type { Json } from '../../test/support/client/client.ts';
import { type DatabaseServer, openDatabaseServer } from '../../test/support/database/database-server.ts';
import { cli, run } from '../../test/support/process/process.ts';
import { PASSWORD } from '../../test/support/service/service.ts';
import { type Report, seconds } from '../chaos/report.ts';
import { behindProxy } from './behind-proxy.ts';
import { type OpenCluster, openGalera, openGroup } from './cluster.ts';
import { DeskLoad, type Worked } from './desk-load.ts';
import { buildRelease, losesReads, type Release } from './released.ts';

const CLIENTS = 6;
/** Days of work that must be over before the next step. */
const ENOUGH = 40;
const ORDERS = 500;
/** Contacts that are looked for at the end. */
const MOST_SOUGHT = 200;

interface UpgradeOptions {
  readonly from: Release;
  readonly open: (folder: string) => Promise<Servers>;
}

/** The database of each process. */
interface Servers {
  readonly urls: readonly string[];
  readonly isMySql: boolean;
  close(): Promise<void>;
}

export async function openOneServer(folder: string): Promise<Servers> {
  const server: DatabaseServer = await openDatabaseServer(folder);
  const isMySql = process.env.DATABASE_SERVER === 'mysql';
  return { urls: [server.url, server.url], isMySql, close: () => server.close() };
}

export const openGaleraServers = (folder: string) => openNodes(folder, openGalera, false);
export const openGroupServers = (folder: string) => openNodes(folder, openGroup, true);

async function openNodes(folder: string, openCluster: OpenCluster, isMySql: boolean): Promise<Servers> {
  const cluster = await openCluster(folder);
  await cluster.createDatabase('forecourt');
  const urls = [0, 1].map((node) => cluster.url('forecourt', node));
  return { urls, isMySql, close: () => cluster.close() };
}

export async function upgrade(report: Report, folder: string, { from, open }: UpgradeOptions): Promise<void> {
  const old = await buildRelease(from, join(folder, 'release'));
  const servers = await open(join(folder, 'database'));
  const repeats = servers.isMySql && losesReads(from);
  const place = await behindProxy(
    folder,
    servers.urls.map((url) => ({ DATABASE_URL: url, DRAIN_SECONDS: '2', LOG_LEVEL: 'info' })),
  );
  let load: DeskLoad | undefined;
  try {
    const { owner, login } = await makeGarage(place.environment, old);
    await place.start(old);
    const token = tokenAt(`${place.url}/v2`, login);
    load = new DeskLoad(`${place.url}/v2`, token, { repeats });
    load.start(CLIENTS);
    await load.more(ENOUGH);
    const began = performance.now();
    const { migrations } = await cli(place.environment, 'migrate');
    report.say(`  ${(migrations as unknown[]).length} migrations in ${seconds(performance.now() - began)}`);
    await load.more(ENOUGH);
    await place.restart(1);
    await load.more(ENOUGH);
    await place.restart(2);
    await load.more(ENOUGH);
    const worked = await load.stop();
    await judge(report, worked, `${place.url}/v2`, token);
    const { code, out } = await run('cli/main.js', ['doctor', '--offline'], place.environment);
    report.demand(code === 0, `doctor: ${out}`);
    report.say(`  owner ${owner}: doctor ends with ${code}`);
  } finally {
    await load?.stop();
    await place.close();
    await servers.close();
  }
  if (!repeats) for (const line of place.errors()) report.demand(false, `logged: ${line}`);
}

interface Login {
  readonly api_key: string;
  readonly username: string;
  readonly password: string;
}

/** A garage that the release makes by its own command line. */
async function makeGarage(env: NodeJS.ProcessEnv, old: string): Promise<{ owner: number; login: Login }> {
  const command = async (...words: string[]): Promise<Json> => {
    const { code, out, err } = await run('cli/main.js', [...words, '--json'], env, old);
    if (code !== 0) throw new Error(`forecourt ${words.join(' ')} ended with ${code}: ${err}`);
    return JSON.parse(out) as Json;
  };
  await command('migrate');
  const owner = Number((await command('owner', 'create', '--name', 'Garage', '--demo')).owner_id);
  const { api_key } = await command('key', 'create', '--party', 'desk');
  const user = {
    '--username': 'anna',
    '--password': PASSWORD,
    '--email': 'a@garage.example',
    '--role': 'ADMIN',
  };
  await command('employee', 'create', '--owner', String(owner), ...Object.entries(user).flat());
  await command('seed', '--owner', String(owner), '--orders', String(ORDERS));
  return { owner, login: { api_key: String(api_key), username: 'anna', password: PASSWORD } };
}

function tokenAt(url: string, login: Login): () => Promise<string> {
  let token: Promise<string> | undefined;
  return () => {
    token ??= logIn(url, login);
    return token;
  };
}

async function logIn(url: string, login: Login): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/authenticate`, { method: 'POST', headers, body: JSON.stringify(login) });
  if (answer.status !== 200) throw new Error(`no token: ${await answer.text()}`);
  return ((await answer.json()) as { token: string }).token;
}

async function judge(
  report: Report,
  worked: Worked,
  url: string,
  token: () => Promise<string>,
): Promise<void> {
  const { contacts, deleted, orders, invoices, requests, exports, repeated, failures } = worked;
  report.say(
    `  ${requests} requests, ${exports} exports, ${failures.length} failed, ${repeated} reads sent again`,
  );
  report.say(`  acknowledged: ${contacts.size} contacts, ${orders.size} orders, ${invoices.length} invoices`);
  report.demand(failures.length === 0, failures.slice(0, 5).join(' | '));
  const get = async (path: string): Promise<Json> => {
    const answer = await fetch(`${url}${path}`, { headers: { token: await token() } });
    if (!answer.ok) throw new Error(`GET ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Json;
  };
  const lost: string[] = [];
  const step = Math.ceil(contacts.size / MOST_SOUGHT);
  for (const [id, name] of [...contacts].filter((_, index) => index % step === 0)) {
    const found = (await get(`/contact?search=${name}`)).data as Json[];
    if (found.length !== 1 || found[0]?.id !== id) lost.push(`${name} ${id}`);
  }
  report.demand(lost.length === 0, `${lost.length} contacts are not found, such as ${lost[0]}`);
  judgeNumbers(report, invoices);
  await judgeFeed(report, { contacts, deleted, orders }, get);
}

/** The series has no gap and no double. Others than the load make no invoices meanwhile. */
function judgeNumbers(report: Report, invoices: readonly string[]): void {
  const numbers = invoices.map((text) => Number(text.replace(/\D/g, ''))).sort((one, other) => one - other);
  const gaps = numbers.filter((number, at) => at > 0 && number !== (numbers[at - 1] ?? 0) + 1);
  report.demand(gaps.length === 0, `the series has gaps or doubles before ${gaps.slice(0, 3)}`);
}

/** The feed has each record's creation once, and each deletion once. */
async function judgeFeed(
  report: Report,
  { contacts, deleted, orders }: Pick<Worked, 'contacts' | 'deleted' | 'orders'>,
  get: (path: string) => Promise<Json>,
): Promise<void> {
  const times = new Map<string, number>();
  for (let after = '', isOver = false; !isOver; ) {
    const page = await get(`/changes?resource=contact,order&page_size=1000${after}`);
    for (const { resource, id, action } of page.data as Json[]) {
      const name = `${action} ${resource} ${id}`;
      times.set(name, (times.get(name) ?? 0) + 1);
    }
    after = `&after=${page.next}`;
    isOver = !page.has_more;
  }
  const wanted = [
    ...[...contacts.keys(), ...deleted].map((id) => `created contact ${id}`),
    ...[...deleted].map((id) => `deleted contact ${id}`),
    ...[...orders].map((id) => `created order ${id}`),
  ];
  const wrong = wanted.filter((name) => times.get(name) !== 1);
  report.say(`  the feed has ${wanted.length - wrong.length} of ${wanted.length} changes once`);
  report.demand(wrong.length === 0, `the feed has ${times.get(wrong[0] ?? '') ?? 0} times: ${wrong[0]}`);
}
