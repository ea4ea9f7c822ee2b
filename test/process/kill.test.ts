// kill -9 during a backup: the next start finishes the job, calls back once, and leaves no half file.
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { PrivateServer } from '../../src/platform/database/private-server.ts';
import { joinServer } from '../support/database/private-server.ts';
import { openReceiver, type Receiver } from '../support/process/https-receiver.ts';
import { cli, processEnvironment, type StartedProcess, startProcess } from '../support/process/process.ts';
import { openTenant, type Tenant } from '../support/process/process-garage.ts';
import { until } from '../support/service/until.ts';

/** Seconds of work: a test that stands still for a moment must still find the backup unfinished. */
const ORDERS = 6_000;

describe('a service that is killed during a backup', () => {
  let folder: string;
  let storage: string;
  let server: PrivateServer;
  let receiver: Receiver;
  let service: StartedProcess;
  let tenant: Tenant;

  before(async function () {
    this.timeout(120_000);
    folder = await mkdtemp(join(tmpdir(), 'forecourt-kill-'));
    storage = join(folder, 'storage');
    receiver = await openReceiver();
    server = await joinServer(join(storage, 'database'));
    const env = processEnvironment(storage);
    tenant = await openTenant(env, { orders: ORDERS });
    service = await startProcess(env);
  });

  after(async function () {
    this.timeout(60_000);
    await service?.kill('SIGTERM');
    await receiver.close();
    await server.leave();
    await rm(folder, { recursive: true, force: true });
  });

  it('finishes the job, calls back once, and leaves no half file', async () => {
    const id = await tenant.backup(service.url, receiver.url('/hook'));
    const job = async () => (await tenant.ask(service.url, 'GET', `/job/${id}`)).data;
    await until(async () =>
      (await readdir(join(storage, 'archives'))).some((file) => file.endsWith('.part')),
    );
    await service.kill('SIGKILL');
    const halves = await readdir(join(storage, 'archives'));

    service = await startProcess(processEnvironment(storage));
    // The lease of the killed process has to end first.
    const done = await until(async () => {
      const current = await job();
      return current.callbacks.length > 0 && current;
    }, 60_000);

    expect(halves.filter((file) => file.endsWith('.part'))).to.have.length(1);
    expect(done).to.include({ status: 'done' });
    expect(done.callbacks).to.have.length(1);
    expect(receiver.requests).to.have.length(1);
    const files = await readdir(join(storage, 'archives'));
    expect(files).to.have.length(1);
    expect(files[0]).to.match(/-2\.zip$/);
  }).timeout(120_000);

  it('has made an archive that other programs read, with every row', async () => {
    const secret = new URL(receiver.requests[0]?.url ?? '', 'https://localhost').searchParams.get('id');
    const { data } = await tenant.ask(service.url, 'GET', `/webhook?id=${secret}`);
    const file = join(folder, 'backup.zip');
    await writeFile(file, Buffer.from(await (await fetch(data.url)).arrayBuffer()));

    const tested = execFileSync('unzip', ['-t', file], { encoding: 'utf8' });
    const orders = execFileSync('python3', ['-c', COUNT_ORDERS, file], { encoding: 'utf8' });
    const verified = await cli(processEnvironment(storage), 'verify', file);

    expect(tested).to.include('No errors detected');
    expect(Number(orders)).to.be.at.least(ORDERS);
    expect((verified.rows as Record<string, number>).order).to.equal(Number(orders));
  }).timeout(60_000);
});

const COUNT_ORDERS = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as z:
    assert z.testzip() is None
    print(len(z.read('data/order.ndjson').splitlines()))
`;
