// WORKERS=2: two processes share the port and are one service, also when one of them is killed.
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Connection, createConnection } from 'mysql2/promise';
import manifest from '../../package.json' with { type: 'json' };
import { shareOfThreads } from '../../src/cluster/message.ts';
import type { PrivateServer } from '../../src/platform/database/private-server.ts';
import type { Json } from '../support/client/client.ts';
import { exchange } from '../support/client/socket.ts';
import { joinServer } from '../support/database/private-server.ts';
import { openReceiver, type Receiver } from '../support/process/https-receiver.ts';
import { processEnvironment, run, type StartedProcess, startProcess } from '../support/process/process.ts';
import { openTenant, type Tenant } from '../support/process/process-garage.ts';
import { workersOf } from '../support/process/workers.ts';
import { until } from '../support/service/until.ts';

const HELLO = 'GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

describe('two workers', function () {
  this.timeout(120_000);
  let folder: string;
  let env: NodeJS.ProcessEnv;
  let service: StartedProcess;
  let tenant: Tenant;
  let server: PrivateServer;
  let lock: Connection;
  let receiver: Receiver;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forecourt-workers-'));
    env = processEnvironment(folder, { WORKERS: '2', JOB_THREADS: '1', LOG_LEVEL: 'info' });
    server = await joinServer(join(folder, 'database'));
    tenant = await openTenant(env);
    service = await startProcess(env);
    lock = await createConnection(server.connection);
    receiver = await openReceiver();
  });
  after(async () => {
    await service.kill('SIGKILL');
    await receiver.close();
    await lock.end();
    await server.leave();
    await rm(folder, { recursive: true, force: true });
  });

  const lines = (msg: string) =>
    service
      .output()
      .split('\n')
      .filter((line) => line.endsWith(`"msg":"${msg}"}`))
      .map((line) => JSON.parse(line) as Json);
  const port = () => Number(new URL(service.url).port);
  const workers = () => workersOf(service.child.pid ?? 0);
  const metric = async (name: string) => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    const line = text.split('\n').find((each) => each.startsWith(`${name} `));
    return Number(line?.slice(name.length));
  };
  /** Sends requests on new connections until both workers have answered one. Returns how many it sent. */
  const bothAnswer = async () => {
    const from = lines('request').length;
    let sent = 0;
    await until(async () => {
      expect((await exchange(port(), HELLO)).status).to.equal(200);
      sent += 1;
      const answered = new Set(
        lines('request')
          .slice(from)
          .map(({ worker }) => worker),
      );
      return answered.size === 2;
    });
    return sent;
  };

  it('share one port, which the log names once', async () => {
    await bothAnswer();

    expect(lines('listening')).to.have.length(1);
    expect(lines('listening')[0]).to.include({ workers: 2, url: service.url });
    expect([...(await workers()).keys()].sort()).to.deep.equal([1, 2]);
  });

  it('answer /metrics together', async () => {
    const name = 'forecourt_http_request_seconds_count{route="GET /health/live",status="200"}';
    const before = await metric(name);

    const sent = await bothAnswer();

    // Any of the workers may answer.
    for (let times = 1; times <= 4; times += 1) expect((await metric(name)) - before).to.equal(sent);
    // Workers of one version are one sample.
    expect(await metric(`forecourt_build_info{version="${manifest.version}"}`)).to.equal(1);
  });

  it('run jobs on JOB_THREADS threads in all, and count each job once', async () => {
    await tenant.token(service.url);
    await lock.query('LOCK TABLES orders WRITE');
    const ids = [1, 2].map((each) => tenant.backup(service.url, receiver.url(`/${each}`)));
    await Promise.all(ids);

    await until(async () => (await metric('forecourt_jobs{status="running"}')) === 1);
    expect(await metric('forecourt_jobs{status="queued"}')).to.equal(1);
    expect(await metric('forecourt_worker_threads{what="running"}')).to.equal(1);
    await lock.query('UNLOCK TABLES');
    await receiver.waitFor(2);

    expect(lines('job started').map(({ worker }) => worker)).to.deep.equal([1, 1]);
    expect(await metric('forecourt_jobs{status="done"}')).to.equal(2);
  });

  it('get a new worker where one is killed, which answers and runs jobs', async () => {
    const killed = (await workers()).get(1) ?? 0;
    const known = receiver.requests.length;
    process.kill(killed, 'SIGKILL');

    await until(async () => ![undefined, killed].includes((await workers()).get(1)), 30_000);
    await bothAnswer();
    await tenant.backup(service.url, receiver.url('/after'));
    await receiver.waitFor(known + 1);

    expect(lines('a worker has ended, another one takes its place')).to.have.length(1);
    expect(lines('job started').at(-1)).to.include({ worker: 1 });
  });

  it('all end with the primary, and the private database last', async () => {
    const pids = [...(await workers()).values()];
    await lock.end();
    await server.leave();

    await service.kill('SIGTERM');

    expect(service.child.exitCode).to.equal(0);
    for (const pid of pids) expect(() => process.kill(pid, 0), String(pid)).to.throw('ESRCH');
    expect(await readFile(join(folder, 'database/error.log'), 'utf8')).to.match(/shutdown complete/i);
    expect(lines('stopped')).to.have.length(1);
  });

  it('all end with the primary, also one that has just begun', async () => {
    service = await startProcess(env);
    const killed = (await workers()).get(1) ?? 0;
    process.kill(killed, 'SIGKILL');
    await until(async () => ![undefined, killed].includes((await workers()).get(1)));

    await service.kill('SIGTERM');

    expect(service.child.exitCode).to.equal(0);
    expect(lines('stopped')).to.have.length(1);
  });

  it('refuse a port in use with one line', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address() as { port: number };

    const { code, err } = await run('main.js', [], { ...env, PORT: String(address.port) });
    taken.close();

    expect(code).to.equal(1);
    expect(err).to.match(/^forecourt: PORT \d+ is in use on 127\.0\.0\.1, take another one: PORT=\d+\n$/);
  });

  it('share out all threads, whatever their number', () => {
    const shares = (threads: number) => [1, 2, 3].map((slot) => shareOfThreads(threads, 3, slot));

    expect([0, 1, 2, 3, 7].map(shares)).to.deep.equal([
      [0, 0, 0],
      [1, 0, 0],
      [1, 1, 0],
      [1, 1, 1],
      [3, 2, 2],
    ]);
  });
});
