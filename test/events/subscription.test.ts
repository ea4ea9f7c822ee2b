// What becomes of a subscription when its key is revoked, and when its garage is restored.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { restoreOwner } from '../../src/archive/restore.ts';
import { writeBackup } from '../support/backup.ts';
import { type Client, newClient } from '../support/client.ts';
import { subscribe } from '../support/event.ts';
import { expect } from '../support/expect.ts';
import { openReceiver, type Receiver } from '../support/https-receiver.ts';
import { cli, processEnvironment } from '../support/process.ts';
import { database, theService } from '../support/service.ts';
import { select } from '../support/sql.ts';

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

  it('is blocked when its key is revoked, and no other is', async () => {
    const other = await newClient({ owner: client.garage.owner });
    const mine = await subscribe(client, receiver);
    const theirs = await subscribe(other, receiver);
    const sql = 'SELECT api_key_id FROM webhooksubscriptions WHERE id = ?';
    const [row] = await select(database(), sql, [mine.id]);

    const env = processEnvironment(theService().base.storage.directory);
    const revoked = await cli(env, 'key', 'revoke', String(row?.api_key_id));

    const { data } = await other.get('/webhooksubscription?sort=id&fields=is_blocked');
    expect(revoked.blocked_subscriptions).to.deep.equal([mine.id]);
    expect(data).to.deep.equal([
      { id: mine.id, is_blocked: 1 },
      { id: theirs.id, is_blocked: 0 },
    ]);
  }).timeout(20_000);

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
});
