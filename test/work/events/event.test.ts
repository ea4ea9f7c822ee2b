// Events over HTTP: a subscription gets a signed POST for each change that it may see, and stock tools verify it.
import { execFileSync } from 'node:child_process';
import { Webhook } from 'standardwebhooks';
import { seed } from '../../../src/business/seed/seed.ts';
import { type Client, newClient, send } from '../../support/client/client.ts';
import {
  deliveriesOf,
  type Event,
  eventOf,
  eventsOfType,
  placed,
  subscribe,
} from '../../support/client/event.ts';
import { expect } from '../../support/client/expect.ts';
import { waitingFor } from '../../support/database/at-once.ts';
import { select } from '../../support/database/sql.ts';
import { openReceiver, type Received, type Receiver } from '../../support/process/https-receiver.ts';
import { database } from '../../support/service/service.ts';
import { until } from '../../support/service/until.ts';

const GROUP = { code: '10', name: 'Onderdelen', vat_code: 1, external_id: 'K-1' };
const DELIVERED = { status: 'delivered', attempts: 1, last_status: 200, last_error: null, next_at: null };

describe('an event', () => {
  let client: Client;
  let receiver: Receiver;
  beforeEach(async () => {
    client = await newClient();
    receiver = await openReceiver();
  });
  afterEach(() => receiver.close());

  const headersOf = ({ headers }: Received) => headers as Record<string, string>;
  const deliveries = (query?: string) => deliveriesOf(client, query);
  const delivered = (count: number) =>
    until(async () => {
      const found = await deliveries('?filter=status:delivered');
      return found.length >= count && found;
    });

  /** How many events came before that of this record; undefined while it has not come. */
  const positionOf = (record: Pick<Event['data'], 'resource' | 'id'>) => {
    const position = receiver.requests.findIndex((request) => {
      const { resource, id } = eventOf(request).data;
      return resource === record.resource && id === record.id;
    });
    return position < 0 ? undefined : position;
  };

  it('names the record and its version, and is verified by the published library', async () => {
    const { secret } = await subscribe(client, receiver, { resources: ['turnovergroup'] });
    const { id } = (await client.post('/turnovergroup', GROUP)).data;
    await client.put(`/turnovergroup/${id}`, { name: 'Banden' });
    await client.del(`/turnovergroup/${id}`);

    await receiver.waitFor(3);

    const webhook = new Webhook(secret);
    const inOrder = receiver.requests
      .map((request) => webhook.verify(request.body, headersOf(request)) as Event)
      .toSorted((a, b) => a.data.seq - b.data.seq);
    expect(inOrder.map(({ type, data }) => [type, data.action, data.version])).to.deep.equal([
      ['turnovergroup.created', 'created', 1],
      ['turnovergroup.updated', 'updated', 2],
      ['turnovergroup.deleted', 'deleted', 3],
    ]);
    const [first] = inOrder;
    const created = { resource: 'turnovergroup', id, external_id: 'K-1', action: 'created', version: 1 };
    expect(first?.data).to.deep.equal({ seq: first?.data.seq, ...created });
    expect(first?.timestamp).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const [{ method, url, headers } = {} as Received] = receiver.requests;
    expect([method, url, headers['content-type']]).to.deep.equal(['POST', '/events', 'application/json']);
    const forged = `${receiver.requests[0]?.body} `;
    expect(() => webhook.verify(forged, headers as Record<string, string>)).to.throw();
  });

  it('is verified by openssl', async () => {
    const { secret } = await subscribe(client, receiver);
    await client.post('/turnovergroup', GROUP);
    const [{ body, headers } = {} as Received] = await eventsOfType(receiver, 'turnovergroup.created');

    const key = Buffer.from(secret.replace('whsec_', ''), 'base64').toString('hex');
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const args = ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', `hexkey:${key}`, '-binary'];
    const mac = execFileSync('openssl', args, { input: signed }).toString('base64');

    expect(headers['webhook-signature']).to.equal(`v1,${mac}`);
  });

  it('is sent for the resources and actions of the subscription only, and not for what was before', async () => {
    const { id } = (await client.post('/turnovergroup', GROUP)).data;
    await subscribe(client, receiver, { resources: ['turnovergroup'], actions: ['updated'] });
    await client.put(`/turnovergroup/${id}`, { name: 'Banden' });
    await client.put(`/owner/${client.garage.owner}`, { phone: '030 1234567' });
    await client.del(`/turnovergroup/${id}`);
    await client.post('/turnovergroup', GROUP);

    await receiver.waitFor(1);
    await placed(client);

    expect((await deliveries()).map(({ type }: { type: string }) => type)).to.deep.equal([
      'turnovergroup.updated',
    ]);
  });

  it('is sent to each subscription, also for changes of subscriptions themselves', async () => {
    const first = await subscribe(client, receiver);
    const { id } = await subscribe(client, receiver, { actions: ['created'] });
    await client.post('/turnovergroup', GROUP);

    const made = await eventsOfType(receiver, 'webhooksubscription.created', 3);
    const groups = await eventsOfType(receiver, 'turnovergroup.created', 2);

    expect(made.map((one) => eventOf(one).data.id).toSorted((one, other) => one - other)).to.deep.equal([
      first.id,
      id,
      id,
    ]);
    expect(receiver.requests.map(({ body }) => body).join()).to.not.include('whsec_');
    expect(new Set(groups.map(({ headers }) => headers['webhook-id'])).size).to.equal(2);
    const [log] = await select(
      database(),
      "SELECT COUNT(*) AS n FROM changes WHERE owner_id = ? AND changes LIKE '%whsec_%'",
      [client.garage.owner],
    );
    expect(Number(log?.n)).to.equal(0);
  });

  it('is not sent to a blocked subscription, and what happened meanwhile is not sent later', async () => {
    const { id } = await subscribe(client, receiver, { resources: ['turnovergroup'] });
    await client.put(`/webhooksubscription/${id}`, { is_blocked: 1 });
    await client.post('/turnovergroup', GROUP);
    const refused = await client.post('/webhooksubscription/test', { id });
    await client.put(`/webhooksubscription/${id}`, { is_blocked: 0 });
    await client.post('/turnovergroup', { ...GROUP, code: '20', external_id: 'K-2' });

    await receiver.waitFor(1);
    await placed(client);

    expect(refused).to.be.refused(409, '[webhooksubscription] is [blocked], cannot deliver');
    expect((await deliveries()).length).to.equal(1);
    expect(eventOf(receiver.requests[0] as Received).data.external_id).to.equal('K-2');
  });

  it('of a change made just before a block is sent after it', async () => {
    const { id } = await subscribe(client, receiver, { resources: ['turnovergroup'] });
    await placed(client);
    let isBlocked = false;

    const { blocking } = await database().transaction(async (session) => {
      const places = "SELECT value FROM counters WHERE owner_id = ? AND name = 'changes' FOR UPDATE";
      await select(session, places, [client.garage.owner]);
      await client.post('/turnovergroup', GROUP);
      const blocking = client.put(`/webhooksubscription/${id}`, { is_blocked: 1 }).finally(() => {
        isBlocked = true;
      });
      // The service gives places on its own, and the block waits for them.
      await until(async () => isBlocked || (await waitingFor('counters')) >= 2);
      return { blocking };
    });
    await blocking;
    await client.put(`/webhooksubscription/${id}`, { is_blocked: 0 });

    await receiver.waitFor(1);
    expect(eventOf(receiver.requests[0] as Received).data.external_id).to.equal('K-1');
  });

  it('of a change made now overtakes the waiting events of mass work', async () => {
    receiver.answerWith({ status: 200, held: true });
    const subscription = await subscribe(client, receiver);
    await seed(database(), { owner: client.garage.owner, orders: 10 });
    await receiver.waitFor(8);

    const { id } = (await client.post('/turnovergroup', GROUP)).data;
    const [newest] = await until(async () => {
      const found = await deliveries('?sort=-id&page_size=1');
      return found[0].type === 'turnovergroup.created' && found;
    });
    receiver.release();
    const own = { resource: 'turnovergroup', id };
    const sent = await until(async () => positionOf(own));
    await client.put(`/webhooksubscription/${subscription.id}`, { is_blocked: 1 });

    expect(newest.seq).to.be.above(300);
    expect(sent).to.be.below(60);
  });

  it('is listed with its tries, and sent again with the same webhook-id', async () => {
    const { id } = await subscribe(client, receiver, { resources: ['turnovergroup'] });
    await client.post('/turnovergroup', GROUP);
    const [first] = await delivered(1);

    const answer = await client.post('/webhookdelivery/redeliver', { id: first.id });
    await receiver.waitFor(2);

    expect(first).to.include({ subscription_id: id, type: 'turnovergroup.created', ...DELIVERED });
    expect(answer.status).to.equal(202);
    expect(answer.data).to.deep.equal({ id: first.id, status: 'pending' });
    const [one, two] = receiver.requests;
    expect(two?.headers['webhook-id']).to.equal(one?.headers['webhook-id']);
    expect(two?.body).to.equal(one?.body);
    const [again] = await until(async () => {
      const found = await deliveries('?filter=attempts:2');
      return found.length > 0 && found;
    });
    expect(again.status).to.equal('delivered');
    expect(await (await newClient()).post('/webhookdelivery/redeliver', { id: first.id })).to.be.refused(
      404,
      `Field: [id] value: [${first.id}] not found`,
    );
  });

  it('may be a test', async () => {
    const { id, secret } = await subscribe(client, receiver, { resources: ['order'] });

    const answer = await client.post('/webhooksubscription/test', { id });
    const [request = {} as Received] = await receiver.waitFor(1);
    const [delivery] = await delivered(1);

    expect(answer.status).to.equal(202);
    expect(request.body).to.equal('{"type":"test"}');
    expect(new Webhook(secret).verify(request.body, headersOf(request))).to.deep.equal({ type: 'test' });
    expect(delivery).to.include({ id: answer.data.id, type: 'test', seq: null });
    expect(await client.post('/webhooksubscription/test', { id: 2147483647 })).to.be.refused(
      404,
      'Field: [id] value: [2147483647] not found',
    );
  });

  it('has a subscription that shows its secret once, also to a request that is sent again', async () => {
    const key = { 'idempotency-key': 'subscribe' };
    const body = { url: receiver.url() };
    const first = await client.post('/webhooksubscription', body, key);
    const again = await client.post('/webhooksubscription', body, key);

    const read = await client.get(`/webhooksubscription/${first.data.id}`);
    const changed = await client.put(`/webhooksubscription/${first.data.id}`, { description: 'shop' });

    expect(first.data.secret).to.match(/^whsec_[\w+/]{43}=$/);
    expect(again.data).to.deep.equal(first.data);
    for (const { data } of [read, changed]) expect(data).to.not.have.property('secret');
    const stored = await select(database(), 'SELECT body FROM idempotency_keys WHERE owner_id = ?', [
      client.garage.owner,
    ]);
    expect(stored).to.have.length(1);
    expect(JSON.stringify(stored)).to.not.include('whsec_');
  });

  it('leaves the ETag of its subscription alone', async () => {
    const { id } = await subscribe(client, receiver);
    const before = await client.get(`/webhooksubscription/${id}`);
    await client.post('/webhooksubscription/test', { id });

    const after = await until(async () => {
      const answer = await client.get(`/webhooksubscription/${id}`);
      return answer.data.last_delivery_at !== null && answer;
    });

    expect(after.headers.get('etag')).to.equal(before.headers.get('etag'));
    expect(after.data.modified_at).to.equal(before.data.modified_at);
  });

  it('ends with its subscription', async () => {
    receiver.answerWith({ status: 500 });
    const { id } = await subscribe(client, receiver);
    await client.post('/webhooksubscription/test', { id });
    await receiver.waitFor(1);
    await until(async () => (await deliveries('?filter=type:test,attempts:1')).length > 0);

    expect((await client.del(`/webhooksubscription/${id}`)).status).to.equal(200);

    const [delivery] = await deliveries('?filter=type:test');
    expect(delivery).to.include({
      status: 'failed',
      next_at: null,
      last_error: 'the subscription was deleted',
    });
    expect(await client.post('/webhookdelivery/redeliver', { id: delivery.id })).to.be.refused(
      409,
      '[webhooksubscription] is [deleted], cannot deliver',
    );
  });

  it('is described, with its headers', async () => {
    const { body } = await send('GET', '/openapi.json');

    const { post } = body.webhooks.change;
    expect(post.parameters.map(({ name }: { name: string }) => name)).to.deep.equal([
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
    ]);
    const { type } = post.requestBody.content['application/json'].schema.properties;
    expect(type.enum).to.include.members(['order.created', 'order.updated', 'order.deleted']);
    expect(type.enum).to.not.include('invoiceparty.updated');
  });
});
