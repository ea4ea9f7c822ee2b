// A process of this version keeps serving while the next version migrates its database and serves beside it. The next
// version is a copy of this one with a new field and a new resource.
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from '../support/client/expect.ts';
import { type DatabaseServer, openDatabaseServer } from '../support/database/database-server.ts';
import {
  COMPILED,
  processEnvironment,
  run,
  type StartedProcess,
  startProcess,
} from '../support/process/process.ts';
import { openTenant, type Tenant } from '../support/process/process-garage.ts';
import { until } from '../support/service/until.ts';

const CLIENTS = 4;
/** Requests of each kind that must have been answered before the next step. */
const ENOUGH = 20;

describe('a rolling upgrade', function () {
  this.timeout(180_000);
  let work: string;
  let server: DatabaseServer;
  let env: NodeJS.ProcessEnv;
  let tenant: Tenant;
  const running: StartedProcess[] = [];
  before(async () => {
    work = await mkdtemp(join(tmpdir(), 'forecourt-rolling-'));
    server = await openDatabaseServer(join(work, 'database'));
    env = processEnvironment(join(work, 'storage'), { DATABASE_URL: server.url });
    tenant = await openTenant(env, { orders: 10 });
  });
  after(async () => {
    for (const process of running) await process.kill('SIGTERM');
    await server.close();
    await rm(work, { recursive: true, force: true });
  });

  it('fails no request of either version', async () => {
    const next = await nextVersion(join(work, 'next'));
    const old = await startProcess(env);
    running.push(old);
    const load = new Load(tenant);
    load.start(old.url);
    await load.more();

    const migrated = await run('cli/main.js', ['migrate', '--json'], env, next);
    await load.more();
    const beside = await startProcess(env, next);
    running.push(beside);
    load.start(beside.url);
    await load.more();
    // Not by `ask`, which demands that the document of this version describes the answer.
    const courtesy = await fetch(`${beside.url}/v2/courtesy`, {
      headers: { token: await tenant.token(beside.url) },
    });
    const { data } = await tenant.ask(beside.url, 'POST', '/contact', { ...CONTACT, nickname: 'Jan' });
    await tenant.ask(old.url, 'PUT', `/contact/${data.id}`, { city: 'Utrecht' });
    const changed = await tenant.ask(beside.url, 'GET', `/contact/${data.id}`);
    await load.stop();

    expect(migrated.code, migrated.err).to.equal(0);
    expect(JSON.parse(migrated.out).migrations).to.have.length(1);
    expect(courtesy.status).to.equal(200);
    expect(changed.data).to.include({ nickname: 'Jan', city: 'Utrecht' });
    expect(load.failures).to.deep.equal([]);
  });
});

const CONTACT = { contact_kind: 1, last_name: 'Rolling', country_id: 1 };

/** Clients who add, change, list and read contacts, one request after the other. */
class Load {
  readonly failures: string[] = [];
  readonly #tenant: Tenant;
  readonly #clients: Promise<void>[] = [];
  #answered = 0;
  #isOver = false;

  constructor(tenant: Tenant) {
    this.#tenant = tenant;
  }

  start(url: string): void {
    for (let client = 0; client < CLIENTS; client += 1) this.#clients.push(this.#run(url));
  }

  /** Waits until some more requests were answered. */
  async more(): Promise<void> {
    const wanted = this.#answered + CLIENTS * ENOUGH;
    await until(async () => this.#answered >= wanted, 60_000);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#clients);
  }

  async #run(url: string): Promise<void> {
    while (!this.#isOver) {
      const { id } = await this.#ask(url, 'POST', '/contact', CONTACT);
      await this.#ask(url, 'PUT', `/contact/${id}`, { city: 'Delft' });
      await this.#ask(url, 'GET', `/contact/${id}?expand=contactcommunication`);
      await this.#ask(url, 'GET', '/order?page_size=20&expand=contact');
      await this.#ask(url, 'DELETE', `/contact/${id}`);
    }
  }

  async #ask(url: string, method: string, path: string, body?: object) {
    const answer = await this.#tenant.ask(url, method, path, body && { ...body });
    this.#answered += 1;
    if (answer.status >= 300) this.failures.push(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.data ?? {};
  }
}

/** A copy of this version with a field, a resource and their migration; its compiled folder. */
async function nextVersion(folder: string): Promise<string> {
  const compiled = join(folder, 'dist');
  await cp(COMPILED, compiled, { recursive: true });
  await symlink(
    fileURLToPath(new URL('../node_modules', `file://${COMPILED}`)),
    join(folder, 'node_modules'),
  );
  const copy = async (from: string, to: string, change: (source: string) => string) =>
    writeFile(join(folder, to), change(await readFile(join(folder, from), 'utf8')));
  await copy('dist/src/core/resources/contact.js', 'dist/src/core/resources/contact.js', (source) =>
    source.replace('first_name: varchar', 'nickname: varchar(20, { personal: true }), first_name: varchar'),
  );
  await copy('dist/src/core/resources/turnover-group.js', 'dist/src/core/resources/courtesy.js', (source) =>
    source.replace('class TurnoverGroup', 'class Courtesy').replace("'turnovergroup'", "'courtesy'"),
  );

  await cp(join(COMPILED, '../migrations'), join(folder, 'migrations'), { recursive: true });
  const made = await run('cli/make-migration.js', ['next'], process.env, compiled);
  const [, file = ''] = /Written: (\S+)\.ts/.exec(made.out) ?? expect.fail(made.err);
  await copy(`${file}.ts`, `dist/${file}.js`, (source) => source.replace("'./table.ts'", "'./table.js'"));
  return compiled;
}
