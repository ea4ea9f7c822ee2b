// The clock of the machine runs a day ahead for a moment. Nothing that was made in that moment outlasts it.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Json, send } from '../support/client/client.ts';
import { execute, select } from '../support/database/sql.ts';
import { type ClockedService, openClockedService } from '../support/process/clocked-service.ts';
import { cli } from '../support/process/process.ts';
import { until } from '../support/service/until.ts';

const DAY = 24 * 3600;
const HALF_AN_HOUR = 1_800;

describe('a clock that ran a day ahead for a moment', function () {
  this.timeout(120_000);
  let scene: ClockedService;

  before(async () => {
    scene = await openClockedService();
  });
  after(() => scene?.close());
  beforeEach(() => scene.clock.set(DAY));
  afterEach(() => execute(scene.database, 'DELETE FROM login_failures'));

  it('leaves no token', async () => {
    const token = await scene.logIn();
    const ahead = await ask('GET', '/owner', { token });

    await scene.clock.set(0);
    const after = await ask('GET', '/owner', { token });
    await restart();

    expect([ahead.status, after.status]).to.deep.equal([200, 401]);
    expect(
      await select(scene.database, `SELECT * FROM tokens WHERE expires_at > ${TOMORROW}`),
    ).to.have.length(0);
  });

  it('ends no cursor of the feed', async () => {
    await scene.clock.set(0);
    const { next } = (await ask('GET', '/changes?after=now', { token: await scene.logIn() })).body;

    await scene.clock.set(91 * DAY);
    const ahead = await ask('GET', `/changes?after=${next}`, { token: await scene.logIn() });

    expect(ahead.status, ahead.text).to.equal(200);
  });

  it('ends no Idempotency-Key', async () => {
    const body = { code: 'B', name: 'Olie', vat_code: 1 };
    const post = async () =>
      ask('POST', '/turnovergroup', { token: await scene.logIn(), body, 'idempotency-key': 'K-2' });
    await scene.clock.set(0);
    const first = await post();

    await scene.clock.set(91 * DAY);
    const ahead = await post();

    expect([ahead.status, ahead.data], ahead.text).to.deep.equal([first.status, first.data]);
    expect(first.status, first.text).to.equal(201);
  });

  it('leaves nobody locked out', async () => {
    const wrong = { ...scene.tenant.login, password: 'wrong wrong wrong' };
    for (let failures = 0; failures < 5; failures += 1) await ask('POST', '/authenticate', { body: wrong });
    const locked = await ask('POST', '/authenticate', { body: scene.tenant.login });

    await scene.clock.set(0);
    const free = await ask('POST', '/authenticate', { body: scene.tenant.login });
    const again: number[] = [];
    for (let failures = 0; failures < 6; failures += 1)
      again.push((await ask('POST', '/authenticate', { body: wrong })).status);

    expect([locked.status, free.status]).to.deep.equal([429, 200]);
    expect(again).to.deep.equal([401, 401, 401, 401, 401, 429]);
  });

  it('locks nobody out later, once the time that it showed has come', async () => {
    const wrong = { ...scene.tenant.login, password: 'wrong wrong wrong' };
    await scene.clock.set(HALF_AN_HOUR);
    for (let failures = 0; failures < 5; failures += 1) await ask('POST', '/authenticate', { body: wrong });
    await scene.clock.set(0);
    // The start tidies.
    await restart();

    await scene.clock.set(HALF_AN_HOUR + 300);
    const free = await ask('POST', '/authenticate', { body: scene.tenant.login });

    expect(free.status, free.text).to.equal(200);
  });

  it('leaves no link that sets a password, and keeps no user from a new link', async () => {
    await forgot();
    const [ahead = ''] = await links(1);

    await scene.clock.set(0);
    await forgot();
    const found = await links(2);
    const opened = await Promise.all(found.map(async (link) => (await fetch(link)).text()));

    expect(opened.map((page) => page.includes('<form'))).to.deep.equal(found.map((link) => link !== ahead));
  });

  it('leaves no signed address', async () => {
    const { data } = await scene.ask('POST', '/export', { resource: 'turnovergroup' });
    const job = async () => (await scene.ask('GET', `/job/${data.job_id}`)).data;
    const ahead = await until(async () => (await job()).url);

    await scene.clock.set(0);
    const statuses = await Promise.all(
      [ahead, (await job()).url].map(async (url) => (await fetch(url)).status),
    );

    expect(statuses).to.deep.equal([403, 200]);
  });

  it('repeats no request that its key has done, and keeps the key for a day', async () => {
    const body = { code: 'A', name: 'Banden', vat_code: 1 };
    const post = async () =>
      ask('POST', '/turnovergroup', { token: await scene.logIn(), body, 'idempotency-key': 'K-1' });
    const first = await post();

    await scene.clock.set(0);
    const second = await post();
    // The clock went back, so only this ends the doubt about it.
    await cli(scene.environment, 'purge');
    const third = await post();

    expect([second.data, third.data]).to.deep.equal([first.data, first.data]);
    expect(
      await select(scene.database, `SELECT * FROM idempotency_keys WHERE created_at > ${TOMORROW}`),
    ).to.have.length(0);
  });

  /** The service tidies when it starts, and then every few minutes. */
  async function restart(): Promise<void> {
    await scene.process.kill('SIGTERM');
    await scene.start();
  }

  const ask = (
    method: string,
    path: string,
    { body, ...headers }: { body?: Json } & Record<string, unknown>,
  ) =>
    send(method, `${scene.process.url}/v2${path}`, {
      headers: { 'content-type': 'application/json', ...(headers as Record<string, string>) },
      body: body && JSON.stringify(body),
    });

  async function forgot(): Promise<void> {
    const answer = await scene.ask('POST', '/authenticate/forgotpassword', {});
    expect(answer.status).to.equal(200);
  }

  /** The links that were mailed, the oldest first. */
  const links = (count: number) =>
    until(async () => {
      const folder = join(scene.storage, 'mail');
      const files = (await readdir(folder)).filter((name) => name.endsWith('.eml'));
      if (files.length < count) return undefined;
      const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
      return texts.map(
        (text) => /http\S+token=[\w-]+/.exec(text.replace(/=\r?\n/g, '').replaceAll('=3D', '='))?.[0] ?? '',
      );
    });
});

const TOMORROW = 'UTC_TIMESTAMP(3) + INTERVAL 12 HOUR';
