// A subscription: the changes that it begins with, a key that is revoked, a garage that is restored.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { garageOf } from '../../../src/core/model/statements/garage.ts';
import { logCreated } from '../../../src/core/model/writes/change-log.ts';
import { TurnoverGroup } from '../../../src/core/resources/turnover-group.ts';
import { revokeKey } from '../../../src/platform/auth/key.ts';
import { seal } from '../../../src/platform/auth/secret.ts';
import { restoreOwner } from '../../../src/work/archive/restore.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { deliveriesOf, eventOf, placed, type Subscribed, subscribe } from '../../support/client/event.ts';
import { expect } from '../../support/client/expect.ts';
import { waitingFor } from '../../support/database/at-once.ts';
import { execute, select } from '../../support/database/sql.ts';
import { writeBackup } from '../../support/files/backup.ts';
import { forecourtJson } from '../../support/process/forecourt.ts';
import { openReceiver, type Receiver } from '../../support/process/https-receiver.ts';
import { processEnvironment } from '../../support/process/process.ts';
import { database, theService } from '../../support/service/service.ts';
import { until } from '../../support/service/until.ts';

/** Subscriptions of one owner. */
const MOST = 20;

describe('a subscription', () => {
  let client: Client;
  let receiver: Receiver;
  let folder: string;
  beforeEach(async () => {
    client = await newClient();
    receiver = await openReceiver();
    folder = await mkdtemp(join(tmpdir(), 'forecourt-subscription-'));
  });
  afterEach(async () => {
    await receiver.close();
    await rm(folder, { recursive: true });
  });

  const keyOf = async ({ id }: Subscribed) => {
    const sql = 'SELECT api_key_id FROM webhooksubscriptions WHERE id = ?';
    return Number((await select(database(), sql, [id]))[0]?.api_key_id);
  };

  it('is blocked when its key is revoked, and no other is', async () => {
    const other = await newClient({ owner: client.garage.owner });
    const mine = await subscribe(client, receiver);
    const theirs = await subscribe(other, receiver);

    const env = processEnvironment(theService().base.storage.directory);
    const revoked = await forecourtJson(env, 'key', 'revoke', String(await keyOf(mine)));

    const { data } = await other.get('/webhooksubscription?sort=id&fields=is_blocked');
    expect(revoked.blocked_subscriptions).to.deep.equal([mine.id]);
    expect(data).to.deep.equal([
      { id: mine.id, is_blocked: 1 },
      { id: theirs.id, is_blocked: 0 },
    ]);
  });

  it('is not made or moved by a revoked key, also while processes still know its tokens', async () => {
    const mine = await subscribe(client, receiver);
    const key = await keyOf(mine);
    await client.get('/webhooksubscription');
    await revokeKey(database(), key);

    const answers = await Promise.all([
      client.post('/webhooksubscription', { url: receiver.url('/late') }),
      client.put(`/webhooksubscription/${mine.id}`, { url: receiver.url('/late') }),
    ]);

    for (const answer of answers) expect(answer).to.be.refused(401, 'Not authorized');
  });

  it('waits for the key that is being revoked', async () => {
    const mine = await subscribe(client, receiver);
    const key = await keyOf(mine);
    let isAdded = false;

    const { adding } = await database().transaction(async (session) => {
      await revokeKey(session, key);
      // With this header it writes before it waits: the monitor of MySQL leaves out who has written nothing.
      const header = { 'idempotency-key': 'late' };
      const body = { url: receiver.url('/late') };
      const adding = client.post('/webhooksubscription', body, header).finally(() => {
        isAdded = true;
      });
      await until(async () => isAdded || (await waitingFor('api_keys')) > 0);
      return { adding };
    });

    expect(await adding).to.be.refused(401, 'Not authorized');
  });

  it('gets what is committed after it, and nothing that was committed before', async () => {
    const before = { code: '10', name: 'Onderdelen', vat_code: 1 };

    await database().transaction(async (session) => {
      // As mass work does it: its entries are written long before it commits.
      const late = { id: 1, version: 1, external_id: 'late' };
      await logCreated(garageOf(session, client.garage.owner), TurnoverGroup.resource, [late]);
      await select(session, 'SELECT 1');
      await client.post('/turnovergroup', before);
      await subscribe(client, receiver, { resources: ['turnovergroup'] });
    });

    const [request] = await receiver.waitFor(1);
    await placed(client);
    expect(request && eventOf(request).data.external_id).to.equal('late');
    expect(await deliveriesOf(client)).to.have.length(1);
  });

  it('is one of 20 at most, however many are requested at once', async () => {
    const add = () => client.post('/webhooksubscription', { url: receiver.url('/events') });

    const answers = await Promise.all(Array.from({ length: MOST + 5 }, add));

    const taken = answers.filter(({ status }) => status === 201);
    expect(taken).to.have.length(MOST);
    for (const answer of answers.filter((one) => !taken.includes(one)))
      expect(answer).to.be.refused(409, 'Too many subscriptions');
    expect((await client.get('/webhooksubscription?count=1')).body.total).to.equal(MOST);
  });

  it('counts while it is blocked or archived, and no longer once it is deleted', async () => {
    const made: Subscribed[] = [];
    for (let count = 0; count < MOST; count += 1) made.push(await subscribe(client, receiver));
    const [blocked, archived, deleted] = made.map(({ id }) => `/webhooksubscription/${id}`);
    await client.put(`${blocked}`, { is_blocked: 1 });
    await client.put(`${archived}`, { is_archived: 1 });
    const add = () => client.post('/webhooksubscription', { url: receiver.url('/events') });

    const refused = await add();
    await client.del(`${deleted}`);
    const answers = [await add(), await add()];

    expect(refused).to.be.refused(409, 'Too many subscriptions');
    expect(answers.map(({ status }) => status)).to.deep.equal([201, 409]);
  });

  it('does not count where it came with a backup: it sends nothing and stays blocked', async () => {
    for (let count = 0; count < MOST; count += 1) await subscribe(client, receiver);
    await writeBackup(client.garage.owner, join(folder, 'backup.zip'));
    const { documents } = theService().base.storage;
    const { owner, rows } = await restoreOwner(database(), join(folder, 'backup.zip'), { documents });
    const restored = await newClient({ owner });

    await subscribe(restored, receiver);

    expect(rows.webhooksubscription).to.equal(MOST);
    expect((await restored.get('/webhooksubscription?count=1')).body.total).to.equal(MOST + 1);
  });

  it('is blocked in a garage that is restored, since a backup holds no secret', async () => {
    await subscribe(client, receiver, { resources: ['order', 'contact'], actions: ['created'] });
    await writeBackup(client.garage.owner, join(folder, 'backup.zip'));

    const { documents } = theService().base.storage;
    const { owner } = await restoreOwner(database(), join(folder, 'backup.zip'), { documents });

    const restored = await newClient({ owner });
    const [subscription] = (await restored.get('/webhooksubscription')).data;
    expect(subscription).to.deep.include({
      is_blocked: 1,
      url: receiver.url('/events'),
      resources: ['order', 'contact'],
      actions: ['created'],
    });
    const path = `/webhooksubscription/${subscription.id}`;
    expect(await restored.put(path, { is_blocked: 0 })).to.be.refused(
      403,
      'Field: [is_blocked] has an invalid value: [0] for validation: [subscription with a secret]',
    );
    expect((await restored.put(path, { is_blocked: 1 })).status).to.equal(200);
  });

  it('stays blocked if its secret was sealed under another signing secret', async () => {
    const { id } = await subscribe(client, receiver);
    const path = `/webhooksubscription/${id}`;
    const readable = [await client.put(path, { is_blocked: 1 }), await client.put(path, { is_blocked: 0 })];
    await execute(database(), 'UPDATE webhooksubscriptions SET sealed_secret = ? WHERE id = ?', [
      seal('the signing secret of before', 'whsec_1'),
      id,
    ]);

    const other = await client.put(path, { is_blocked: 0, description: 'Not blocked yet' });
    await client.put(path, { is_blocked: 1 });
    const unblocked = await client.put(path, { is_blocked: 0 });

    expect([...readable, other].map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    expect(unblocked).to.be.refused(
      403,
      'Field: [is_blocked] has an invalid value: [0] for validation: [subscription with a readable secret]',
    );
  });
});
