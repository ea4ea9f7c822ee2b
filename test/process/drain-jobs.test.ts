// Jobs of a process that drains: the running one is finished, no other is begun, and a second signal ends the waiting.
// A locked table keeps a backup running for as long as the test needs.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Connection, createConnection } from 'mysql2/promise';
import type { PrivateServer } from '../../src/platform/database/private-server.ts';
import { joinServer } from '../support/database/private-server.ts';
import { openReceiver, type Receiver } from '../support/process/https-receiver.ts';
import { processEnvironment, type StartedProcess, startProcess } from '../support/process/process.ts';
import { openTenant, type Tenant } from '../support/process/process-garage.ts';
import { until } from '../support/service/until.ts';

describe('a process that drains', function () {
  this.timeout(120_000);
  let folder: string;
  let service: StartedProcess;
  let tenant: Tenant;
  let server: PrivateServer;
  let lock: Connection;
  let receiver: Receiver;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forecourt-drain-jobs-'));
    const env = processEnvironment(folder, { DRAIN_SECONDS: '3600', JOB_THREADS: '2' });
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

  const backup = () => tenant.backup(service.url, receiver.url('/hook'));
  const status = async (id: string) => (await tenant.ask(service.url, 'GET', `/job/${id}`)).data.status;

  it('finishes the running job, begins no other, and ends at the second signal', async () => {
    await tenant.token(service.url);
    await lock.query('LOCK TABLES orders WRITE');
    const running = await backup();
    await until(async () => (await status(running)) === 'running');

    service.child.kill('SIGTERM');
    await until(async () => (await fetch(`${service.url}/health/ready`)).status === 503);
    const queued = await backup();
    await lock.query('UNLOCK TABLES');
    await until(async () => (await status(running)) === 'done');
    await receiver.waitFor(1);
    const statusOfQueued = await status(queued);
    await service.kill('SIGINT');

    expect(statusOfQueued).to.equal('queued');
    expect(service.child.exitCode).to.equal(0);
    expect(service.output()).to.include('"msg":"closing now"').and.include('"msg":"stopped"');
  });
});
