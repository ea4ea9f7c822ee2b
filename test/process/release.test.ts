// A copy of an installation, or one restored from a dump, calls no integrator and sends no mail until `forecourt
// release`. The copy has the database of the original and a storage without the original's installation ID.
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { PrivateServer } from '../../src/platform/database/private-server.ts';
import { joinServer } from '../support/database/private-server.ts';
import { forecourt, forecourtJson } from '../support/process/forecourt.ts';
import { openReceiver, type Receiver } from '../support/process/https-receiver.ts';
import { processEnvironment, run, type StartedProcess, startProcess } from '../support/process/process.ts';
import { openTenant, type Tenant } from '../support/process/process-garage.ts';
import { PASSWORD } from '../support/service/service.ts';
import { until } from '../support/service/until.ts';

const HELD = 'callbacks, events and mail are held until `forecourt release`';

describe('a copied installation', function () {
  this.timeout(120_000);
  let storage: string;
  let server: PrivateServer;
  let env: NodeJS.ProcessEnv;
  let receiver: Receiver;
  let events: Receiver;
  let mailServer: Server;
  let mails = 0;
  let tenant: Tenant;
  let service: StartedProcess;
  before(async () => {
    storage = await mkdtemp(join(tmpdir(), 'forecourt-copy-'));
    receiver = await openReceiver();
    events = await openReceiver();
    mailServer = createServer((socket) => {
      mails += 1;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(mailServer, 'listening');
    const { port } = mailServer.address() as AddressInfo;
    env = processEnvironment(storage, { SMTP_URL: `smtp://127.0.0.1:${port}` });
    server = await joinServer(join(storage, 'database'));
    tenant = await openTenant(env);
    service = await startProcess(env);
    const subscription = { url: events.url(), resources: ['turnovergroup'] };
    await tenant.ask(service.url, 'POST', '/webhooksubscription', subscription);
    await tenant.backup(service.url, receiver.url('/original'));
    await receiver.waitFor(1);
  });
  after(async () => {
    await service.kill('SIGTERM');
    await Promise.all([receiver.close(), events.close()]);
    mailServer.close();
    await server.leave();
    await rm(storage, { recursive: true, force: true });
  });

  const restart = async () => {
    await service.kill('SIGTERM');
    service = await startProcess(env);
  };
  const held = async () => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    return [...text.matchAll(/^forecourt_held\{what="(\w+)"\} (\d)$/gm)].map(([, what, value]) => [
      what,
      value,
    ]);
  };
  const installation = async () => {
    const { out, code } = await run('cli/main.js', ['doctor', '--offline', '--json'], env);
    const { findings } = JSON.parse(out) as { findings: { check: string; warning?: boolean }[] };
    return { code, warning: findings.find(({ check }) => check === 'installation')?.warning };
  };

  it('is not one that restarts, or that a garage is restored into', async () => {
    const zip = join(storage, 'garage.zip');
    await forecourtJson(env, 'backup', '--owner', String(tenant.owner), '--out', zip);
    await forecourtJson(env, 'restore', zip);
    await restart();

    expect(service.output()).not.to.include(HELD);
    expect(service.output()).to.include('MAIL_FROM is not set');
    expect(await held()).to.deep.equal([
      ['callbacks', '0'],
      ['events', '0'],
      ['mail', '0'],
    ]);
    expect(await forecourtJson(env, 'release')).to.include({ released: false });
    expect(await installation()).to.deep.equal({ code: 0, warning: undefined });
  });

  const doneJob = (id: string) =>
    until(async () => {
      const { data } = await tenant.ask(service.url, 'GET', `/job/${id}`);
      return data.status === 'done' && data;
    });
  const writtenLetters = () =>
    until(async () => {
      const files = (await readdir(join(storage, 'mail'))).filter((file) => file.endsWith('.eml'));
      return files.length > 0 && files;
    });

  it('says so, is ready, and holds callbacks, events and mail', async () => {
    await service.kill('SIGTERM');
    await rm(join(storage, 'installation-id'));
    service = await startProcess(env);
    const id = await tenant.backup(service.url, receiver.url('/copy'));
    const group = { code: 'NEW', name: 'Banden', vat_code: 1 };
    await tenant.ask(service.url, 'POST', '/turnovergroup', group);
    const job = await doneJob(id);
    const forgot = await tenant.ask(service.url, 'POST', '/authenticate/forgotpassword', {});
    const letters = await writtenLetters();
    // Takes longer than the service waits before it looks for due callbacks again.
    const found = await installation();
    const figures = await held();
    const ready = await fetch(`${service.url}/health/ready`);

    expect(service.output()).to.include(HELD);
    expect([ready.status, forgot.status]).to.deep.equal([200, 200]);
    expect(Object.fromEntries(figures)).to.deep.equal({ callbacks: '1', events: '1', mail: '1' });
    expect(letters).to.have.length(1);
    expect(await readFile(join(storage, 'mail', letters[0] ?? ''), 'utf8')).to.include('password-reset');
    expect(service.output()).to.include('mail is held: a message was written to a file');
    expect(found).to.deep.equal({ code: 0, warning: true });
    expect(mails).to.equal(0);
    expect(job.callbacks).to.deep.equal([]);
    expect(receiver.requests).to.have.length(1);
    const { data } = await tenant.ask(service.url, 'GET', '/webhookdelivery');
    expect(data.map(({ status }: { status: string }) => status)).to.deep.equal(['pending']);
    expect(events.requests).to.deep.equal([]);
  });

  it('calls back, and sends events and mail once it is released, without a restart', async () => {
    const { released } = await forecourtJson(env, 'release');
    await receiver.waitFor(2);
    await events.waitFor(1);
    // Another user: one user gets one link a minute.
    const berta = ['--username', 'berta', '--email', 'berta@garage.example', '--role', 'USER'];
    const words = ['--owner', String(tenant.owner), ...berta, '--password', PASSWORD];
    await forecourt(env, ['employee', 'create', ...words]);
    await tenant.ask(service.url, 'POST', '/authenticate/forgotpassword', { username: 'berta' });
    await until(async () => mails > 0);
    await restart();

    expect(released).to.equal(true);
    expect(receiver.requests.map(({ url }) => url.split('?')[0])).to.deep.equal(['/original', '/copy']);
    expect(service.output()).not.to.include(HELD);
  });
});
