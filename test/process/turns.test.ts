// Owners take turns: however many jobs one owner asks for, another owner's job is the next. One process with one
// thread; a locked table keeps the job of the first owner running.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Connection, createConnection } from 'mysql2/promise';
import type { PrivateServer } from '../../src/platform/database/private-server.ts';
import type { Answer } from '../support/client/client.ts';
import { joinServer } from '../support/database/private-server.ts';
import { processEnvironment, type StartedProcess, startProcess } from '../support/process/process.ts';
import { openTenant, type Tenant } from '../support/process/process-garage.ts';
import { until } from '../support/service/until.ts';

const ASKED = 130;

describe('an owner who asks for many jobs', function () {
  this.timeout(120_000);
  let folder: string;
  let server: PrivateServer;
  let lock: Connection;
  let service: StartedProcess;
  let greedy: Tenant;
  let modest: Tenant;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forecourt-turns-'));
    const env = processEnvironment(folder, { JOB_THREADS: '1' });
    server = await joinServer(join(folder, 'database'));
    lock = await createConnection(server.connection);
    [greedy, modest] = [await openTenant(env, { orders: 20 }), await openTenant(env)];
    service = await startProcess(env);
    for (const tenant of [greedy, modest]) await tenant.ask(service.url, 'GET', '/job');
  });
  after(async () => {
    await lock.end();
    await service.kill('SIGTERM');
    await server.leave();
    await rm(folder, { recursive: true, force: true });
  });

  const backup = (tenant: Tenant, index: number): Promise<Answer> =>
    tenant.ask(service.url, 'POST', '/backup/owner', { webhook_url: `https://127.0.0.1:1/${index}` });
  const list = async (tenant: Tenant, query: string) =>
    (await tenant.ask(service.url, 'GET', `/job?${query}`)).data as { id: string; started_at: string }[];

  it('gets a hundred at most, and the only job of another owner is the next', async () => {
    await lock.query('LOCK TABLES orders WRITE');
    const first = await backup(greedy, 0);
    await until(async () => (await list(greedy, 'filter=status:running')).length === 1);
    const answers = [first];
    for (let index = 1; index < ASKED; index += 1) answers.push(await backup(greedy, index));
    const single = await backup(modest, 0);
    await lock.query('UNLOCK TABLES');

    const done = await until(async () => (await list(modest, 'filter=status:done'))[0], 60_000);
    const started = await list(greedy, 'filter=started_at[null]:0&sort=started_at');

    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 202)).to.have.length(100);
    expect(refused).to.have.length(ASKED - 100);
    for (const { body, headers } of refused) {
      expect(body).to.include({ message: 'Too many jobs', code: 'too_many_jobs' });
      expect(Number(headers.get('retry-after'))).to.be.above(0);
    }
    expect(done.id).to.equal(single.data.job_id);
    const before = started.filter(({ started_at }) => started_at < done.started_at).map(({ id }) => id);
    expect(before, 'only the job that was running').to.deep.equal([first.data.job_id]);
  });

  it('does not keep his own jobs from starting, though he asks for more all the time', async () => {
    let index = ASKED;
    const ask = () => {
      index += 1;
      return backup(greedy, index);
    };
    const done = async () => {
      const { body } = await greedy.ask(service.url, 'GET', '/job?filter=status:done&count=1&page_size=1');
      return Number(body.total);
    };
    await until(async () => (await ask()).status === 429);
    let asking = true;
    const asked = Array.from({ length: 16 }, async () => {
      while (asking) await ask();
    });
    const before = await done();

    const after = await until(async () => {
      const now = await done();
      return now >= before + 3 && now;
    }).finally(async () => {
      asking = false;
      await Promise.all(asked);
    });

    expect(after).to.be.at.least(before + 3);
  });
});
