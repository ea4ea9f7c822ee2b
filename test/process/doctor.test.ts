// forecourt doctor after a restore: do the files belong to the database?
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { PrivateServer } from '../../src/platform/database/private-server.ts';
import { joinServer } from '../support/database/private-server.ts';
import { forecourt, forecourtJson } from '../support/process/forecourt.ts';
import { fillDisk, mountSmallDisk } from '../support/process/full-disk.ts';
import { processEnvironment, run, startProcess } from '../support/process/process.ts';

/** Enough for a copy of the data folder of the run. */
const SMALL_MB = 400;
/** Less than the twentieth that files leave free. */
const LEFT_BYTES = 10_000_000;

describe('forecourt doctor', function () {
  this.timeout(60_000);
  let storage: string;
  let server: PrivateServer;
  beforeEach(async () => {
    storage = await mkdtemp(join(tmpdir(), 'forecourt-doctor-'));
    server = await joinServer(join(storage, 'database'));
  });
  afterEach(async () => {
    await server.leave();
    await rm(storage, { recursive: true, force: true });
  });

  it('finds a disk that is nearly full, and all that works on it', async function () {
    const small = join(storage, 'small');
    const unmount = await mountSmallDisk(small, SMALL_MB);
    if (!unmount) return this.skip();
    try {
      const there = await joinServer(join(small, 'database'));
      await fillDisk(join(small, 'filler'), LEFT_BYTES);

      const { storage: disk, database } = await findings({ STORAGE_DIR: small });
      await there.leave();

      expect(disk).to.deep.include({ ok: false, detail: `only 0.0 GiB free in ${small}` });
      expect(database).to.include({ ok: true });
    } finally {
      unmount();
    }
  });

  it('finds a signing secret that does not belong to the keys', async () => {
    const { id } = await forecourtJson(processEnvironment(storage), 'key', 'create', '--party', 'planner');

    const before = await findings();
    const after = await findings({ SIGNING_SECRET: 'not the generated one' });

    expect(before.database).to.include({ ok: true });
    expect(before['signing secret']).to.include({ ok: true });
    expect(after['signing secret'])
      .to.include({ ok: false })
      .and.have.property('detail')
      .include(`keys ${id}`);
  });

  it('makes neither a signing secret nor an installation-id, and says that they are missing', async () => {
    const { id } = await forecourtJson(processEnvironment(storage), 'key', 'create', '--party', 'planner');
    const made = ['installation-id', 'signing-secret'];
    for (const name of made) await rm(join(storage, name));

    const { 'signing secret': secret, installation } = await findings();

    expect(secret).to.include({ ok: false });
    expect(secret?.detail).to.include(`is missing, and the keys ${id} need it`);
    expect(installation).to.include({ ok: true, warning: true });
    expect(installation?.detail).to.include('has no installation-id');
    expect((await readdir(storage)).filter((name) => made.includes(name))).to.deep.equal([]);
  });

  it('only warns of a missing signing secret if no key needs it', async () => {
    await forecourtJson(processEnvironment(storage), 'migrate');
    await rm(join(storage, 'signing-secret'));

    const { 'signing secret': secret } = await findings();

    expect(secret).to.include({ ok: true, warning: true });
    expect(secret?.detail).to.equal('is missing: the next start makes a new one');
  });

  it('names the same keys as the start of a service with another signing secret', async () => {
    const { id } = await forecourtJson(processEnvironment(storage), 'key', 'create', '--party', 'planner');
    const env = processEnvironment(storage, { SIGNING_SECRET: 'not the generated one', LOG_LEVEL: 'info' });

    const service = await startProcess(env);
    await service.kill('SIGTERM');

    const lines = service.output().split('\n');
    const line = lines.find((one) => one.includes('"msg":"the signing secret is not'));
    expect(line).to.include('"level":40').and.include(`of the keys ${id}: their callbacks can't be signed`);
  });

  it('warns of a PUBLIC_URL that is still the example', async () => {
    const example = await findings({ PUBLIC_URL: 'https://garage.example' });
    const own = await findings({ PUBLIC_URL: 'https://forecourt.garage.example' });

    expect(example.configuration).to.include({ ok: true, warning: true });
    expect(example.configuration?.detail).to.include('PUBLIC_URL is still the example');
    expect(own.configuration).to.not.have.property('warning');
  });

  it('warns where mail has no sender that other servers take', async () => {
    const SMTP_URL = 'smtp://127.0.0.1:1';

    const unset = await findings({ SMTP_URL });
    const set = await findings({ SMTP_URL, MAIL_FROM: 'garage@garage.example' });

    expect(unset.configuration).to.include({ ok: true, warning: true });
    expect(unset.configuration?.detail).to.match(/^MAIL_FROM is not set: .*forecourt@localhost/);
    expect(set.configuration).to.include({ ok: true }).and.not.have.property('warning');
  });

  it('warns where the world outside is away, and leaves it out with --offline', async () => {
    const env = processEnvironment(storage, { NODE_OPTIONS: NO_HANDSHAKE });
    await forecourtJson(env, 'migrate');

    const [warned, offline] = [
      await run('cli/main.js', ['doctor'], env),
      await run('cli/main.js', ['doctor', '--offline', '--json'], env),
    ];

    expect(warned.out).to.match(/^ {2}WARN {2}outgoing HTTPS +https:\/\/www\.rdw\.nl\/ can't be reached/m);
    expect(warned.code).to.equal(0);
    const { ok, findings: all } = JSON.parse(offline.out) as { ok: boolean; findings: Finding[] };
    expect([offline.code, ok]).to.deep.equal([0, true]);
    expect(all.map(({ check }) => check))
      .to.include('clock')
      .and.not.include('outgoing HTTPS');
  });

  async function findings(changes: NodeJS.ProcessEnv = {}): Promise<Record<string, Finding>> {
    const { out } = await forecourt(processEnvironment(storage, changes), ['doctor', '--json']);
    const { findings: all } = JSON.parse(out) as { findings: Finding[] };
    return Object.fromEntries(all.map((finding) => [finding.check, finding]));
  }
});

/** No server takes such a cipher, so no HTTPS call succeeds on any machine. */
const NO_HANDSHAKE = '--tls-max-v1.2 --tls-cipher-list=PSK-AES128-CBC-SHA';

interface Finding {
  check: string;
  ok: boolean;
  detail: string;
}
