// A copy of a garage that follows the feed of changes equals the garage in the end. Meanwhile eight writers change
// records, some of their transactions are held open, and the two processes are killed again and again.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { Database } from '../../src/core/model/statements/session.ts';
import { LISTS } from '../../src/core/trade/lists.ts';
import type { Json } from '../../test/support/client/client.ts';
import { openDatabaseServer } from '../../test/support/database/database-server.ts';
import { select } from '../../test/support/database/sql.ts';
import { freePort } from '../../test/support/process/port.ts';
import { processEnvironment, type StartedProcess, startProcess } from '../../test/support/process/process.ts';
import { openTenant } from '../../test/support/process/process-garage.ts';
import { type Ask, makeTargets, type Written, write } from './mirror-writer.ts';
import type { Report } from './report.ts';

const MIRROR = fileURLToPath(new URL('../../../drills/chaos/mirror.py', import.meta.url));
const PROCESSES = 2;
const SHARED = 10;
/** A change that is this much older than one before it committed late. */
const LATE_MS = 900;

/** The database that the processes use. */
export interface MirrorServers {
  /** DATABASE_URL of the process with that number, from 0. */
  url(process: number): string;
  /** One host, which holds transactions open. */
  readonly holderUrl: string;
  readonly database: Database;
  close(): Promise<void>;
}

const openOne = async (folder: string): Promise<MirrorServers> => {
  const { url, database, close } = await openDatabaseServer(folder);
  return { url: () => url, holderUrl: url, database, close };
};

interface MirrorOptions {
  /** A server of its own, if none is given. */
  readonly openServers?: (folder: string) => Promise<MirrorServers>;
  readonly milliseconds: number;
  readonly writers: number;
  /** How often a process is killed, spread over the time. */
  readonly kills: number;
  /** The share of transactions that are held open for two seconds. */
  readonly held: number;
}

/** The last output of the mirror. */
interface Told {
  readonly pages: number;
  readonly empty: number;
  readonly failed: number;
  readonly double: number;
  readonly falling: number;
  readonly seen: readonly number[];
  readonly records: Readonly<Record<string, Readonly<Record<string, Json>>>>;
}

export async function mirror(report: Report, folder: string, options: MirrorOptions): Promise<void> {
  const server = await (options.openServers ?? openOne)(join(folder, 'database'));
  const processes: StartedProcess[] = [];
  try {
    const env = processEnvironment(join(folder, 'storage'), {
      DATABASE_URL: server.url(0),
      JOB_THREADS: '0',
    });
    const tenant = await openTenant(env, { orders: 20 });
    const environments: NodeJS.ProcessEnv[] = [];
    for (let count = 0; count < PROCESSES; count += 1)
      environments.push({ ...env, DATABASE_URL: server.url(count), PORT: String(await freePort()) });
    for (const one of environments) processes.push(await startProcess(one));
    const urls = processes.map(({ url }) => url);
    const [first = ''] = urls;
    const token = await tenant.token(first);
    let next = 0;
    const ask: Ask = (method, path, body) =>
      tenant.ask(urls[next++ % urls.length] ?? first, method, path, body);
    const contacts = await addContacts(ask);
    const targets = await makeTargets(ask, contacts[0] ?? 0, options.writers);
    const garage = { owner: tenant.owner, databaseUrl: server.holderUrl, contacts };

    const copy = startCopy(join(folder, 'mirror.db'), urls, token);
    const end = performance.now() + options.milliseconds;
    const writing = targets.map((target) =>
      write(ask, garage, target, { share: options.held, until: () => performance.now() >= end }),
    );
    const killing = killAgain(processes, environments, options);
    const written = await Promise.all(writing);
    const kills = await killing;
    copy.stop();
    const told = await copy.told;

    const logged = await select(
      server.database,
      'SELECT seq, CAST(at AS CHAR) AS at FROM changes WHERE owner_id = ? ORDER BY seq',
      [tenant.owner],
    );
    sayWhatWasWritten(
      report,
      written,
      kills,
      logged.map(({ at }) => Date.parse(`${at}Z`)),
    );
    report.say(
      `  the mirror: ${told.seen.length} changes in ${told.pages} pages, ${told.empty} of them empty; ` +
        `${told.failed} requests met a killed process`,
    );
    const missing = missingFrom(
      told.seen,
      logged.map(({ seq }) => Number(seq)),
    );
    report.demand(missing === 0, `${missing} changes are missing`);
    report.demand(told.double === 0, `${told.double} changes came twice`);
    report.demand(told.falling === 0, `${told.falling} versions did not rise`);
    await compare(report, ask, told.records);
  } finally {
    for (const one of processes) await one.kill('SIGTERM');
    await server.close();
  }
}

async function addContacts(ask: Ask): Promise<number[]> {
  const contact = { contact_kind: LISTS.contactkinds.PERSON, last_name: 'Shared', country_id: 1 };
  const ids: number[] = [];
  for (let made = 0; made < SHARED; made += 1) ids.push((await ask('POST', '/contact', contact)).data.id);
  return ids;
}

function startCopy(file: string, urls: readonly string[], token: string) {
  const child = spawn('python3', [MIRROR, file, ...urls], {
    env: { ...process.env, TOKEN: token },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return {
    stop: () => void child.kill('SIGTERM'),
    told: said.then(([out, err, [code]]): Told => {
      if (code !== 0) throw new Error(`the mirror ended with ${code}: ${err}`);
      return JSON.parse(out);
    }),
  };
}

/** Kills the processes in turn, at random moments, and starts each again at once. Returns how often. */
async function killAgain(
  processes: StartedProcess[],
  environments: readonly NodeJS.ProcessEnv[],
  { milliseconds, kills }: MirrorOptions,
): Promise<number> {
  const began = performance.now();
  for (let count = 0; count < kills; count += 1) {
    const at = (milliseconds / kills) * (count + Math.random());
    await pause(Math.max(0, began + at - performance.now()));
    const index = count % processes.length;
    await processes[index]?.kill('SIGKILL');
    processes[index] = await startProcess(environments[index] ?? {});
  }
  return kills;
}

function sayWhatWasWritten(
  report: Report,
  written: readonly Written[],
  kills: number,
  times: readonly number[],
): void {
  const answers = new Map<string, number>();
  for (const one of written)
    for (const [status, count] of one.answers) answers.set(status, (answers.get(status) ?? 0) + count);
  const sum = (of: (one: Written) => number) => written.reduce((total, one) => total + of(one), 0);
  const shown = [...answers].sort().map(([status, count]) => `${count} × ${status}`);
  let newest = 0;
  let late = 0;
  for (const time of times) {
    if (time < newest - LATE_MS) late += 1;
    newest = Math.max(newest, time);
  }
  report.say(`${written.length} writers: ${shown.join(', ')}; ${kills} kills`);
  report.say(
    `  ${sum(({ held }) => held)} transactions were held open; ${late} changes got a place behind changes that were made later`,
  );
  report.demand(late > 0, 'no transaction committed late');
  const odd = [...answers.keys()].filter(
    (status) => !['200', '201', '404', '406', '409', '503', 'lost'].includes(status),
  );
  report.demand(odd.length === 0, `unexpected answers: ${odd.join(', ')}`);
}

function missingFrom(seen: readonly number[], places: readonly number[]): number {
  const known = new Set(seen);
  return places.filter((place) => !known.has(place)).length;
}

/** Compares the copy with all lists of the garage. */
async function compare(report: Report, ask: Ask, copies: Told['records']): Promise<void> {
  let equal = 0;
  const { data } = await ask('GET', '/authenticate/component');
  for (const { name } of data as { name: string }[]) {
    // Countries belong to no garage.
    if (name === 'country') continue;
    const copy = new Map(Object.entries(copies[name] ?? {}));
    for (let cursor: string | null = ''; cursor !== null; ) {
      const answer = await ask('GET', `/${name}?page_size=1000${cursor && `&cursor=${cursor}`}`);
      for (const record of answer.data) {
        const same = isDeepStrictEqual(copy.get(String(record.id)), record);
        report.demand(same, `${name} ${record.id} is another one in the mirror`);
        copy.delete(String(record.id));
        equal += Number(same);
      }
      cursor = answer.body.next;
    }
    report.demand(copy.size === 0, `the mirror has ${copy.size} of ${name} that are not there`);
  }
  report.say(`  ${equal} records are equal in the mirror and in the lists`);
}
