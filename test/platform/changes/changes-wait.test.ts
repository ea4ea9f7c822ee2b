// Long polling of GET /changes: a change in any process wakes the waiting request, which holds nothing meanwhile.
import { request } from 'node:http';
import { resourceNamed } from '../../../src/core/model/records/registry.ts';
import { garageOf } from '../../../src/core/model/statements/garage.ts';
import type { Database } from '../../../src/core/model/statements/session.ts';
import { addRecord } from '../../../src/core/model/writes/store.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { Feed } from '../../../src/platform/changes/feed.ts';
import { connectDatabase } from '../../../src/platform/database/connect.ts';
import { build } from '../../support/build/build.ts';
import { changes, latest } from '../../support/client/changes.ts';
import { type Answer, type Client, newClient, send } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { userOf } from '../../support/client/garage-user.ts';
import { type Aside, openAside } from '../../support/service/second-service.ts';
import { database, theService } from '../../support/service/service.ts';
import { until } from '../../support/service/until.ts';

const MOST_WAITING = 50;

describe('a request that waits for a change', function () {
  // Less than the requests wait: the end of its time must not pass for a wake.
  this.timeout(15_000);
  let client: Client;
  let aside: Aside;
  let other: Database;
  let feed: Feed;
  let start: string;
  before(async () => {
    const { connection, storage } = theService().base;
    other = connectDatabase(connection, storage.files);
    feed = new Feed(database());
    aside = await openAside({ services: { feed } });
  });
  beforeEach(async () => {
    client = await newClient();
    start = await latest(client);
  });
  after(async () => {
    feed.close();
    await aside.close();
    await other.close();
  });

  const wait = (parameters: Record<string, string> = {}, caller = client) =>
    caller.get(`${aside.url}/v2/changes?${new URLSearchParams({ after: start, wait: '20', ...parameters })}`);
  const waiting = (count: number) =>
    until(async () => feed.waitingCount(client.garage.owner) === count && true);
  const names = ({ data }: Answer) => data.map(({ resource }: { resource: string }) => resource);

  it('is answered at once where there is a change', async () => {
    await build(client, 'contact');

    expect(names(await wait())).to.deep.equal(['contact']);
  });

  it('is answered when its own process commits a change', async () => {
    const answer = wait();
    await waiting(1);
    await build(client, 'contact');

    expect(names(await answer)).to.deep.equal(['contact']);
  });

  it('is answered when another process commits a change, and when it gave the place too', async () => {
    for (const places of [false, true]) {
      start = await latest(client);
      const answer = wait();
      await waiting(1);
      const { owner } = client.garage;
      const group = { code: `${places}`, name: 'x', vat_code: 1 };
      await other.transaction((session) =>
        addRecord(garageOf(session, owner), resourceNamed('turnovergroup'), group),
      );
      if (places) await new Feed(other).place(owner);

      expect(names(await answer)).to.deep.equal(['turnovergroup']);
    }
  });

  it('goes on waiting where the change is of another resource', async () => {
    const answer = wait({ resource: 'contact' });
    await waiting(1);
    await build(client, 'turnovergroup');
    await build(client, 'contact');

    const { body } = await answer;
    expect(body.data.map(({ resource }: { resource: string }) => resource)).to.deep.equal(['contact']);
  });

  it('is answered empty when the time is up, and goes on behind what it has skipped', async () => {
    await build(client, 'turnovergroup');

    const { body } = await wait({ resource: 'contact', wait: '1' });

    expect(body).to.deep.include({ data: [], has_more: false });
    expect((await changes(client, { after: body.next })).data).to.deep.equal([]);
  });

  it('holds no connection, and is no slow request', async () => {
    const logged = aside.lines.length;
    const answer = wait({ wait: '2' });
    await waiting(1);
    await until(async () => database().connections().used === 0);
    await answer;

    const line = await until(async () => aside.lines[logged]);
    expect(line).to.include({ level: 30, msg: 'request' });
    expect(line).to.have.property('waited_ms');
  });

  it('ends when its caller leaves', async () => {
    const { token } = client.garage;
    const sent = request(`${aside.url}/v2/changes?after=${start}&wait=25`, { headers: { token } });
    sent.on('error', () => {});
    sent.end();
    await waiting(1);

    sent.destroy();

    await waiting(0);
  });

  it('is refused where 50 of its owner wait', async () => {
    const all = Array.from({ length: MOST_WAITING }, () => wait());
    await waiting(MOST_WAITING);

    const refused = await wait();
    await build(client, 'contact');

    expect(refused).to.be.refused(429, 'Too many requests of this owner wait');
    expect(refused.headers.get('retry-after')).to.match(/^\d+$/);
    for (const answer of await Promise.all(all)) expect(names(answer)).to.deep.equal(['contact']);
  });

  it('is refused when its token ends meanwhile', async () => {
    const answer = wait();
    await waiting(1);
    await client.get('/authenticate/logout');
    const { owner } = client.garage;
    await database().transaction((session) =>
      addRecord(garageOf(session, owner), resourceNamed('turnovergroup'), {
        code: 'x',
        name: 'x',
        vat_code: 1,
      }),
    );

    expect(await answer).to.be.refused(401, 'Not authorized');
  });

  it('is answered empty when the role of its caller changes', async () => {
    const demoted = await userOf(client, 'ADMIN');
    const asked = { resource: 'webhooksubscription', expand: 'record' };
    const answer = wait(asked, demoted.client);
    await waiting(1);

    await client.put(`/employee/${demoted.id}`, { role_kind: LISTS.rolekinds.READONLY });
    await build(client, 'webhooksubscription');

    const { body } = await answer;
    expect(body).to.deep.include({ successCode: 200, data: [], has_more: false });
    expect(await wait({ ...asked, after: body.next }, demoted.client)).to.be.refused(
      403,
      'Endpoint: [GET /webhooksubscription] is not allowed for this user',
    );
  });

  it('does not wait for HEAD', async () => {
    const { status } = await send('HEAD', `${aside.url}/v2/changes?after=${start}&wait=25`, {
      headers: { token: client.garage.token },
    });

    expect(status).to.equal(200);
    expect(feed.waitingCount(client.garage.owner)).to.equal(0);
  });

  it('is answered empty when the process drains, and then nobody waits', async () => {
    const answer = wait();
    await waiting(1);

    feed.close();

    expect((await answer).body).to.deep.include({ data: [], has_more: false });
    expect((await wait()).body).to.deep.include({ data: [] });
  });
});
