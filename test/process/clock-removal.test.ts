// A wrong clock makes the service lose nothing: it removes, expires and anonymises nothing until it has run for 24
// hours, or until `forecourt purge`.
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readConfig } from '../../src/platform/config.ts';
import { type Json, send } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { joinServer } from '../support/database/private-server.ts';
import { type FakeClock, openFakeClock } from '../support/process/fake-clock.ts';
import {
  cli,
  processEnvironment,
  run,
  type StartedProcess,
  startProcess,
} from '../support/process/process.ts';
import { openTenant, type Tenant } from '../support/process/process-garage.ts';
import { until } from '../support/service/until.ts';

const execute = promisify(execFile);
const HOUR = 3600;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;
const PERSON = {
  contact_kind: 1,
  first_name: 'Zoë',
  last_name: 'Jansen',
  street: 'Lijsterbeslaan',
  huisnummer: 1,
  postcode: '3581 KL',
  city: 'Utrecht',
  country_id: 1,
};

describe('a clock that was wrong', function () {
  this.timeout(180_000);
  let folder: string;
  let storage: string;
  let clock: FakeClock;
  let tenant: Tenant;
  let env: NodeJS.ProcessEnv;
  const running: { stop(): Promise<void> }[] = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forecourt-removal-'));
    clock = await openFakeClock(folder);
    tenant = await openTenant(processEnvironment(join(folder, 'first')));
  });
  after(async () => {
    await clock.close();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    await clock.set(0);
    storage = join(folder, 'storage');
    await cp(join(folder, 'first'), storage, { recursive: true });
    env = processEnvironment(storage, clock.environment);
  });
  afterEach(async () => {
    for (const one of running.splice(0).reverse()) await one.stop();
    await rm(storage, { recursive: true, force: true });
  });

  const start = async (environment = env): Promise<StartedProcess> => {
    const service = await startProcess(environment);
    running.push({ stop: () => service.kill('SIGTERM') });
    return service;
  };
  /** Work while that environment's service runs. */
  const during = async <T>(work: (service: StartedProcess) => Promise<T>, environment = env): Promise<T> => {
    const service = await start(environment);
    const result = await work(service);
    await service.kill('SIGTERM');
    return result;
  };
  const ask = async (url: string, method: string, path: string, body?: Json) => {
    // Not with a kept token: it ends with the clock.
    const answer = await send('POST', `${url}/v2/authenticate`, {
      body: JSON.stringify(tenant.login),
      headers: { 'content-type': 'application/json' },
    });
    return send(method, `${url}/v2${path}`, {
      headers: { 'content-type': 'application/json', token: answer.body.token },
      body: body && JSON.stringify(body),
    });
  };

  /** The invoice of a contact who was then anonymised, an archive, and their audit. */
  async function work(service: StartedProcess) {
    const { url } = service;
    const { data: contact } = await ask(url, 'POST', '/contact', PERSON);
    const { data: order } = await ask(url, 'POST', '/order', {
      order_type: 1,
      order_date: new Date().toISOString(),
      contact_id: contact.id,
      orderline: [{ line_kind: 2, description: 'Beurt', quantity: 1, price: 100, vat_code: 1 }],
    });
    const invoiced = await ask(url, 'PUT', `/order/${order.id}`, { order_status: 7 });
    expect(invoiced.status, invoiced.text).to.equal(200);
    expect((await ask(url, 'PUT', `/contact/anonymise?id=${contact.id}`)).status).to.equal(200);
    const { data: asked } = await ask(url, 'POST', '/export', { resource: 'contact' });
    await until(async () => (await ask(url, 'GET', `/job/${asked.job_id}`)).data.status === 'done', 60_000);
    const made = { order: order.id as number, job: asked.job_id as string };
    return { ...made, left: await left(service, made) };
  }

  /** What is left of that work. */
  async function left({ url }: StartedProcess, { order, job }: { order: number; job: string }) {
    const { data: found } = await ask(url, 'GET', `/order/${order}?expand=invoiceparty`);
    const archive = await ask(url, 'GET', `/job/${job}`);
    const bytes = archive.data?.url ? await send('GET', archive.data.url) : undefined;
    const { data: audit } = await ask(url, 'GET', '/audit?page_size=1000');
    return {
      buyer: found.invoiceparty[0].buyer.last_name,
      archive: [archive.data?.status, bytes?.status],
      audit: audit.length,
    };
  }

  /** The metric, in hours. */
  async function waits({ url }: StartedProcess): Promise<number> {
    const { text } = await send('GET', `${url}/metrics`);
    return Number(/^forecourt_clock_wait_seconds\{.*\} (\S+)$/m.exec(text)?.[1]) / HOUR;
  }

  const finding = async (environment = env): Promise<Json> => {
    const { out } = await run('cli/main.js', ['doctor', '--offline', '--json'], environment);
    return JSON.parse(out).findings.find(({ check }: Json) => check === 'clock');
  };

  it('for some seconds loses nothing, which log, metric and doctor tell', async () => {
    const made = await during(work);
    const before = made.left;
    await clock.set(9 * YEAR);
    const ahead = await during(async (service) => [await waits(service), service.output()] as const);
    await clock.set(0);

    const service = await start();
    const after = await left(service, made);

    expect(before).to.deep.include({ buyer: 'Jansen', archive: ['done', 200] });
    expect(after).to.deep.equal(before);
    for (const [hours, output] of [ahead, [await waits(service), service.output()] as const]) {
      expect(hours).to.be.within(23.9, 24);
      expect(output).to.match(/nothing is removed by its age for 24\.0 hours of running/);
    }
    expect(service.output()).to.match(/the clock went back from 20[34]\d-/);
    expect((await finding()).detail).to.match(/nothing is removed by its age for 2[34]\.\d hours of running/);
  });

  it('is named by doctor: behind the newest change, or ahead of the last sign of life', async () => {
    await during(work);
    await clock.set(-HOUR);
    const behind = await finding();
    await clock.set(2 * DAY);
    const ahead = await finding();
    await clock.set(0);

    expect(behind)
      .to.include({ warning: true })
      .and.have.property('detail')
      .match(/^is 1\.0 hours behind the newest change \(\S+Z\); the clock went back/);
    expect(ahead).to.include({ warning: true });
    expect(ahead.detail).to.match(/^is 2 days ahead of the last sign of life \(\S+Z\)$/);
    expect(await finding()).to.include({ detail: "agrees with the database's" });
  });

  it('is trusted again after `forecourt purge`', async () => {
    const made = await during(work);
    await clock.set(2 * DAY);
    await during(async () => {});
    // The archive is older than a day now, but the clock has gone back.
    await clock.set(2 * DAY - HOUR);
    const short = { ...env, ARCHIVE_DAYS: '1' };
    const held = await during((service) => left(service, made), short);

    const purged = await cli(short, 'purge');

    expect(held.archive).to.deep.equal(['done', 200]);
    expect(purged.archives).to.equal(1);
    await during(async (service) => {
      expect(await waits(service)).to.equal(0);
      expect((await left(service, made)).archive[0]).to.equal('expired');
    }, short);
  });

  it('that goes back while the service runs begins 24 hours, which go on over restarts', async () => {
    await during(async (service) => {
      await clock.set(-HOUR);
      // Each process looks at the clock once a minute.
      await until(async () => service.output().includes('the clock went back'), 90_000);
    });

    const first = await during(waits);
    const later = await during(waits);

    expect(first).to.be.below(24);
    expect(later).to.be.below(first).and.above(23.9);
  });

  for (const [whose, ofService, ofDatabase] of [
    ['the service', true, false],
    ['the database', false, true],
  ] as const)
    it(`harms nothing if only the clock of ${whose} is wrong`, async () => {
      const right = processEnvironment(storage);
      const made = await during(work, right);
      await clock.set(200 * DAY);
      const leave = await keepDatabase(ofDatabase ? env : right);

      const hours = await during(waits, ofService ? env : right);
      await leave();
      const after = await during(async (service) => [await waits(service), await left(service, made)], right);

      expect(hours).to.be.within(23.9, 24);
      expect(after[0]).to.be.within(23.9, 24);
      expect(after[1]).to.deep.equal(made.left);
    });

  /** Whether MariaDB starts at the time of the clock. */
  const takesDate = () =>
    execute('mariadbd', ['--no-defaults', '--version'], { env: { ...env, PATH: `${env.PATH}:/usr/sbin` } })
      .then(() => true)
      .catch(() => false);

  /** Keeps the private database running with the clock of that environment. */
  async function keepDatabase(environment: NodeJS.ProcessEnv): Promise<() => Promise<void>> {
    const keeper = await startProcess({ ...environment, JOB_THREADS: '0' });
    const server = await joinServer(join(storage, 'database'));
    await keeper.kill('SIGTERM');
    return () => server.leave();
  }

  it('that the database server refuses is told at the start, with the words of the server', async () => {
    await clock.set(12 * YEAR);
    // MySQL and newer versions of MariaDB take later dates.
    if (readConfig().databaseServer === 'mysql' || (await takesDate())) return;

    const { code, err } = await run('main.js', [], env);

    expect(code).to.equal(1);
    expect(err).to.match(
      /^forecourt: The database server \S+mariadbd can't run: .*This server doesn't support dates later than 2038$/m,
    );
  });

  it('does not end before the two clocks agree', async () => {
    await during(async () => {}, processEnvironment(storage));
    const server = await joinServer(join(storage, 'database'));
    running.push({ stop: () => server.leave() });
    await clock.set(HOUR);

    const { code, err } = await run('cli/main.js', ['purge'], env);

    expect(code).to.equal(1);
    expect(err).to.match(
      /^forecourt: Nothing was removed: the clocks of \S+ and of the database are 60 minutes apart\.$/m,
    );
    expect(await finding()).to.include({ ok: false });
  });
});
