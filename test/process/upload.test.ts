// kill -9 during uploads: the limit of an owner holds over two processes, the lease of the killed one runs out, and the
// next start removes the bytes.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { PrivateServer } from '../../src/platform/database/private-server.ts';
import { send } from '../support/client/client.ts';
import { RawConnection } from '../support/client/socket.ts';
import { joinServer } from '../support/database/private-server.ts';
import { processEnvironment, type StartedProcess, startProcess } from '../support/process/process.ts';
import { openTenant, type Tenant } from '../support/process/process-garage.ts';
import { until } from '../support/service/until.ts';

const GOOD = 'contact_kind,last_name,country_id\n1,Jansen,1\n';
/** Bytes come this often, so that no upload is too slow. */
const ALIVE_MS = 1_000;

describe('a service that is killed during an upload', () => {
  let folder: string;
  let storage: string;
  let server: PrivateServer;
  let services: StartedProcess[];
  let tenant: Tenant;
  const alive: NodeJS.Timeout[] = [];

  before(async function () {
    this.timeout(120_000);
    folder = await mkdtemp(join(tmpdir(), 'forecourt-upload-'));
    storage = join(folder, 'storage');
    server = await joinServer(join(storage, 'database'));
    const env = processEnvironment(storage);
    tenant = await openTenant(env);
    services = [await startProcess(env), await startProcess(env)];
  });

  after(async function () {
    this.timeout(60_000);
    for (const timer of alive) clearInterval(timer);
    for (const service of services) await service.kill('SIGKILL');
    await server.leave();
    await rm(folder, { recursive: true, force: true });
  });

  /** An upload that goes on and never ends. */
  async function begin({ url }: StartedProcess): Promise<void> {
    const upload = new RawConnection(Number(new URL(url).port)).send(
      `POST /v2/import?resource=contact HTTP/1.1\r\nHost: localhost\r\ntoken: ${await tenant.token(url)}\r\n` +
        `Content-Type: text/csv\r\nContent-Length: ${2 ** 28}\r\n\r\n${GOOD}`,
    );
    alive.push(setInterval(() => upload.send('x'.repeat(10_000)), ALIVE_MS));
  }
  const ask = async ({ url }: StartedProcess) =>
    send('POST', `${url}/v2/import?resource=contact`, {
      headers: { token: await tenant.token(url), 'content-type': 'text/csv' },
      body: GOOD,
    });
  const parts = async () =>
    (await readdir(join(storage, 'uploads'))).filter((name) => name.endsWith('.part'));

  it('gives its place back when the lease ends, and leaves no bytes after the next start', async () => {
    const [first, second] = services as [StartedProcess, StartedProcess];
    await begin(first);
    await begin(second);
    await until(async () => (await parts()).length === 2);
    const refused = await Promise.all([ask(first), ask(second)]);
    await first.kill('SIGKILL');

    const accepted = await until(async () => {
      const answer = await ask(second);
      return answer.status === 202 && answer;
    }, 60_000);
    services[0] = await startProcess(processEnvironment(storage));

    expect(refused.map(({ status, body }) => [status, body.message])).to.deep.equal([
      [429, 'Too many uploads'],
      [429, 'Too many uploads'],
    ]);
    expect(accepted.data.status).to.equal('queued');
    await until(async () => (await parts()).length === 1, 20_000);
  }).timeout(120_000);
});
