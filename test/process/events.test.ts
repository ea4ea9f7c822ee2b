// kill -9 while events are on their way: another process sends them again with the same webhook-id, and none is lost.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { PrivateServer } from '../../src/platform/database/private-server.ts';
import { eventOf } from '../support/client/event.ts';
import { joinServer } from '../support/database/private-server.ts';
import { openReceiver, type Receiver } from '../support/process/https-receiver.ts';
import { processEnvironment, type StartedProcess, startProcess } from '../support/process/process.ts';
import { openTenant, type Tenant } from '../support/process/process-garage.ts';
import { until } from '../support/service/until.ts';

const CHANGES = 20;

describe('a service that is killed while it sends events', function () {
  this.timeout(120_000);
  let storage: string;
  let server: PrivateServer;
  let receiver: Receiver;
  let services: StartedProcess[];
  let tenant: Tenant;

  before(async () => {
    storage = await mkdtemp(join(tmpdir(), 'forecourt-events-'));
    receiver = await openReceiver();
    server = await joinServer(join(storage, 'database'));
    const env = processEnvironment(storage);
    tenant = await openTenant(env);
    services = [await startProcess(env), await startProcess(env)];
  });

  after(async () => {
    for (const service of services) await service.kill('SIGTERM');
    await receiver.close();
    await server.leave();
    await rm(storage, { recursive: true, force: true });
  });

  it('loses none', async () => {
    const [first, second] = services as [StartedProcess, StartedProcess];
    receiver.answerWith({ status: 200, held: true });
    await tenant.ask(first.url, 'POST', '/webhooksubscription', {
      url: receiver.url(),
      resources: ['turnovergroup'],
    });
    const made: number[] = [];
    for (let code = 0; code < CHANGES; code += 1) {
      const body = { code: `${code}`, name: 'Banden', vat_code: 1, external_id: `K-${code}` };
      made.push((await tenant.ask(first.url, 'POST', '/turnovergroup', body)).data.id);
    }
    await receiver.waitFor(1);

    await first.kill('SIGKILL');
    receiver.release();
    // The leases of the killed process have to end first.
    const path = '/webhookdelivery?page_size=100&filter=status:delivered';
    await until(async () => (await tenant.ask(second.url, 'GET', path)).data.length === CHANGES, 90_000);

    const ids = new Map(
      receiver.requests.map((request) => [request.headers['webhook-id'], eventOf(request)]),
    );
    expect([...ids.values()].map(({ data }) => data.id)).to.have.members(made);
    expect(new Set([...ids.values()].map(({ data }) => data.seq)).size).to.equal(CHANGES);
  });
});
