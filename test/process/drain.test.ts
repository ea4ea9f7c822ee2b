// SIGTERM during a request: the service answers this request, takes no other, and ends with 0.
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Connection, createConnection } from 'mysql2/promise';
import type { PrivateServer } from '../../src/platform/database/private-server.ts';
import { send } from '../support/client/client.ts';
import { joinServer } from '../support/database/private-server.ts';
import { processEnvironment, type StartedProcess, startProcess } from '../support/process/process.ts';
import { until } from '../support/service/until.ts';

describe('a service that is stopped during a request', () => {
  let folder: string;
  let service: StartedProcess;
  let server: PrivateServer;
  let holder: Connection;
  before(async function () {
    this.timeout(90_000);
    folder = await mkdtemp(join(tmpdir(), 'forecourt-drain-'));
    server = await joinServer(join(folder, 'database'));
    service = await startProcess(processEnvironment(folder));
    holder = await createConnection(server.connection);
  });
  after(async function () {
    this.timeout(60_000);
    await holder.end();
    await server.leave();
    await service.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  /** The key and the login that the first run printed. */
  const printed = (what: string) => new RegExp(`${what} +(\\S+)`).exec(service.output())?.[1] ?? '';

  const refusesConnections = () =>
    fetch(`${service.url}/health/live`).then(
      () => false,
      ({ cause }: { cause: { code: string } }) => cause.code === 'ECONNREFUSED',
    );
  /** True while a request waits for the row that the holder has locked. */
  const waitsForLock = async () => {
    const [waiting] = await holder.query(
      "SELECT id FROM information_schema.processlist WHERE id <> CONNECTION_ID() AND info LIKE '%turnovergroups%FOR UPDATE%'",
    );
    return (waiting as unknown[]).length > 0;
  };

  it('answers it, refuses new connections, and ends with 0', async () => {
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    const login = { api_key: printed('API key'), username: 'demo', password: printed('password') };
    const post = (path: string, body: object) =>
      send('POST', `${service.url}/v2${path}`, { body: JSON.stringify(body), headers });
    headers.token = (await post('/authenticate', login)).body.token;
    const { data } = await post('/turnovergroup', { code: '1', name: 'Work', vat_code: 1 });
    // As a browser does.
    const inAdvance = connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => {});
    const waiting = fetch(`${service.url}/v2/changes?after=now&wait=25`, { headers });
    await holder.beginTransaction();
    await holder.query('SELECT id FROM turnovergroups WHERE id = ? FOR UPDATE', [data.id]);

    const answer = put(`${service.url}/v2/turnovergroup/${data.id}`, { name: 'New' }, headers);
    await until(waitsForLock);
    const ended = service.kill('SIGTERM');
    await until(refusesConnections);
    await holder.commit();

    expect((await answer).status).to.equal(200);
    expect((await waiting).status).to.equal(200);
    expect((await answer).body.data.name).to.equal('New');
    await ended;
    expect(service.child.exitCode).to.equal(0);
    // The service does not wait for connections that the client keeps open, with or without a request.
    inAdvance.destroy();
    expect(service.output()).to.include('"msg":"stopped"').and.not.include('cut off');
  }).timeout(60_000);
});

/** On a connection that is kept open when the answer is there. */
function put(url: string, body: object, headers: Record<string, string>) {
  const agent = new Agent({ keepAlive: true });
  // biome-ignore lint/suspicious/noExplicitAny: answers have any shape; a test that reads a wrong one fails
  return new Promise<{ status?: number; body: any }>((resolve, reject) => {
    const sending = request(url, { method: 'PUT', headers, agent }, async (response) => {
      const text = (await response.toArray()).join('');
      resolve({ status: response.statusCode, body: JSON.parse(text) });
    });
    sending.on('error', reject).end(JSON.stringify(body));
  });
}
