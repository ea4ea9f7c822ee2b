// Events over HTTP: a subscription gets a signed POST for each change that it may see, and stock tools verify it.
import { execFileSync } from 'node:child_process';
import { Webhook } from 'standardwebhooks';
import { seed } from '../../src/seed/seed.ts';
import { build } from '../support/build/build.ts';
import { type Client, newClient, send } from '../support/client/client.ts';
import { type Event, eventOf, eventsOfType, subscribe } from '../support/client/event.ts';
import { expect } from '../support/client/expect.ts';
import { userOf } from '../support/client/garage-user.ts';
import { select } from '../support/database/sql.ts';
import { openReceiver, type Received, type Receiver } from '../support/process/https-receiver.ts';
import { database } from '../support/service/service.ts';
import { until } from '../support/service/until.ts';

const GROUP = { code: '10', name: 'Onderdelen', vat_code: 1, external_id: 'K-1' };
const NARROW = ['* /webhooksubscription', 'GET /turnovergroup', 'POST /webhookdelivery/redeliver'];
const FORBIDDEN = 'for validation: [https, publicly accessible]';

describe('an event', () => {
  let client: Client;
  let receiver: Receiver;
  beforeEach(async () => {
    client = await newClient();
    receiver = await openReceiver();
  });
  afterEach(() => receiver.close());

  const headersOf = ({ headers }: Received) => headers as Record<string, string>;
  const deliveries = async (query = '') => (await client.get(`/webhookdelivery${query}`)).data;
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

  const tried = (type: string) =>
    until(async () => (await deliveries(`?filter=type:${type},attempts[gt]:0`))[0]);

  it('names the record and its version, and is verified by the published library', async () => {
    const { secret } = await subscribe(client, receiver, { resources: ['turnovergroup'] });
    const { id } = (await client.post('/turnovergroup', GROUP)).data;
    await client.put(`/turnovergroup/${id}`, { name: 'Banden' });
    await client.del(`/turnovergroup/${id}`);

    await receiver.waitFor(3);

    const webhook = new Webhook(secret);
    const events = receiver.requests.map(
      (request) => webhook.verify(request.body, headersOf(request)) as Event,
    );
    const inOrder = events.toSorted((a, b) => a.data.seq - b.data.seq);
    expect(inOrder.map(({ type, data }) => [type, data.action, data.version])).to.deep.equal([
      ['turnovergroup.created', 'created', 1],
      ['turnovergroup.updated', 'updated', 2],
      ['turnovergroup.deleted', 'deleted', 3],
    ]);
    const [first] = inOrder;
    expect(first?.data).to.deep.equal({
      seq: first?.data.seq,
      resource: 'turnovergroup',
      id,
      external_id: 'K-1',
      action: 'created',
      version: 1,
    });
    expect(first?.timestamp).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const [{ method, url, headers } = {} as Received] = receiver.requests;
    expect([method, url, headers['content-type']]).to.deep.equal(['POST', '/events', 'application/json']);
    expect(() =>
      webhook.verify(`${receiver.requests[0]?.body} `, headers as Record<string, string>),
    ).to.throw();
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
    await until(async () => (await unplaced()) === 0);

    expect((await deliveries()).map(({ type }: { type: string }) => type)).to.deep.equal([
      'turnovergroup.updated',
    ]);
  });

  const unplaced = async () => {
    const sql = 'SELECT COUNT(*) AS n FROM change_outbox WHERE owner_id = ?';
    return Number((await select(database(), sql, [client.garage.owner]))[0]?.n);
  };

  it('is sent to each subscription, also for changes of subscriptions themselves', async () => {
    await subscribe(client, receiver);
    const { id } = await subscribe(client, receiver, { actions: ['created'] });
    await client.post('/turnovergroup', GROUP);

    const [own] = await eventsOfType(receiver, 'webhooksubscription.created', 2);
    const groups = await eventsOfType(receiver, 'turnovergroup.created', 2);

    expect(own && eventOf(own).data.id).to.be.at.most(id);
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
    await until(async () => (await unplaced()) === 0);

    expect(refused).to.be.refused(409, '[webhooksubscription] is [blocked], cannot deliver');
    expect((await deliveries()).length).to.equal(1);
    expect(eventOf(receiver.requests[0] as Received).data.external_id).to.equal('K-2');
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

    expect(first).to.include({
      subscription_id: id,
      type: 'turnovergroup.created',
      status: 'delivered',
      attempts: 1,
      last_status: 200,
      last_error: null,
      next_at: null,
    });
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

  it('stays within what the key could read, also with "*"', async () => {
    const patterns = ['* /webhooksubscription', 'GET /turnovergroup', 'GET /webhookdelivery'];
    const narrow = await newClient({ owner: client.garage.owner, allow: patterns });
    const { id } = await subscribe(narrow, receiver);
    await client.put(`/owner/${client.garage.owner}`, { phone: '030 7654321' });
    await client.post('/turnovergroup', GROUP);
    await eventsOfType(receiver, 'turnovergroup.created');

    const refused = await narrow.put(`/webhooksubscription/${id}`, { resources: ['order', 'turnovergroup'] });
    const added = await narrow.post('/webhooksubscription', { url: receiver.url(), resources: ['contact'] });

    const types = receiver.requests.map((request) => eventOf(request).type);
    expect(types).to.not.include('owner.updated');
    expect(refused).to.be.refused(403, 'Endpoint: [GET /order] is not allowed for this api_key');
    expect(added).to.be.refused(403, 'Endpoint: [GET /contact] is not allowed for this api_key');
  });

  it('does not go to a narrow key that turns the subscription of a wide one to itself', async () => {
    const narrow = await newClient({ owner: client.garage.owner, allow: ['* /webhooksubscription'] });
    const wide = await subscribe(client, receiver);
    const named = await subscribe(client, receiver, { resources: ['turnovergroup'] });

    const taken = await narrow.put(`/webhooksubscription/${wide.id}`, { url: receiver.url('/mine') });
    const refused = await narrow.put(`/webhooksubscription/${named.id}`, { url: receiver.url('/mine') });
    await client.post('/turnovergroup', GROUP);
    await eventsOfType(receiver, 'turnovergroup.created');
    await until(async () => (await unplaced()) === 0);

    expect(taken.status).to.equal(200);
    expect(refused).to.be.refused(403, 'Endpoint: [GET /turnovergroup] is not allowed for this api_key');
    const paths = receiver.requests
      .filter((request) => eventOf(request).type === 'turnovergroup.created')
      .map(({ url }) => url);
    expect(paths).to.deep.equal(['/events']);
  });

  it('stays within what the key of whoever unblocks the subscription could read', async () => {
    const narrow = await newClient({ owner: client.garage.owner, allow: NARROW });
    const all = await subscribe(client, receiver);
    const named = await subscribe(client, receiver, { resources: ['turnovergroup', 'contact'] });
    for (const { id } of [all, named]) await client.put(`/webhooksubscription/${id}`, { is_blocked: 1 });

    const refused = await narrow.put(`/webhooksubscription/${named.id}`, { is_blocked: 0 });
    const taken = await narrow.put(`/webhooksubscription/${all.id}`, { is_blocked: 0 });
    await build(client, 'contact');
    await client.post('/turnovergroup', GROUP);
    await eventsOfType(receiver, 'turnovergroup.created');
    await until(async () => (await unplaced()) === 0);

    expect(refused).to.be.refused(403, 'Endpoint: [GET /contact] is not allowed for this api_key');
    expect(taken.status).to.equal(200);
    expect(await deliveries('?filter=type:contact.created')).to.deep.equal([]);
    const [sent] = await deliveries('?filter=type:turnovergroup.created');
    expect(sent.subscription_id).to.equal(all.id);
  });

  it('that waits or is sent again stays within what the new key could read', async () => {
    receiver.answerWith({ status: 500 });
    const narrow = await newClient({ owner: client.garage.owner, allow: NARROW });
    const { id } = await subscribe(client, receiver, { actions: ['created'] });
    await build(client, 'contact');
    await client.post('/turnovergroup', GROUP);
    const ofContact = await tried('contact.created');
    await tried('turnovergroup.created');
    await client.put(`/webhooksubscription/${id}`, { is_blocked: 1 });

    await narrow.put(`/webhooksubscription/${id}`, { is_blocked: 0 });
    const again = await narrow.post('/webhookdelivery/redeliver', { id: ofContact.id });

    expect(again).to.be.refused(403, 'Endpoint: [GET /contact] is not allowed for this api_key');
    expect((await deliveries('?filter=type:contact.created'))[0]).to.include({
      status: 'failed',
      next_at: null,
    });
    expect((await deliveries('?filter=type:turnovergroup.created'))[0].status).to.equal('pending');
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

  it('goes to public https addresses only', async () => {
    const { id } = await subscribe(client, receiver);
    for (const url of ['http://shop.example/', 'https://10.1.2.3/', 'https://u:p@shop.example/', 'shop']) {
      const message = `Field: [url] has an invalid value: [${url}] ${FORBIDDEN}`;
      expect(await client.post('/webhooksubscription', { url })).to.be.refused(403, message);
      expect(await client.put(`/webhooksubscription/${id}`, { url })).to.be.refused(403, message);
    }
    const both = await client.post('/webhooksubscription', { url: 'https://10.1.2.3/', actions: ['sold'] });
    expect(both.body.errors).to.have.length(2);
  });

  it('is for resources and actions that exist', async () => {
    const post = (body: object) => client.post('/webhooksubscription', { url: receiver.url(), ...body });

    expect(await post({ resources: ['orders'] })).to.be.refused(
      403,
      'Field: [resources] has an invalid value: [orders] for validation: [resources]',
    );
    expect(await post({ actions: ['sold'] })).to.be.refused(
      403,
      'Field: [actions] has an invalid value: [sold] for validation: [created,updated,deleted]',
    );
    expect(await post({ actions: [] })).to.be.refused(
      403,
      'Field: [actions] minimum 1 element is required in array',
    );
    expect(await post({ resources: [5] })).to.be.refused(
      403,
      'Field: [resources] has an invalid value: [5] for datatype: varchar',
    );
  });

  it('is the affair of an ADMIN', async () => {
    const { id } = await subscribe(client, receiver);
    const { client: user } = await userOf(client);

    const answers = await Promise.all([
      user.get('/webhooksubscription'),
      user.post('/webhooksubscription', { url: receiver.url() }),
      user.put(`/webhooksubscription/${id}`, { is_blocked: 1 }),
      user.del(`/webhooksubscription/${id}`),
      user.post('/webhooksubscription/test', { id }),
      user.get('/webhookdelivery'),
      user.post('/webhookdelivery/redeliver', { id: 1 }),
    ]);

    expect(answers.map(({ body }) => body.code)).to.deep.equal(Array(7).fill('role_forbids'));
  });

  it('ends with its subscription', async () => {
    receiver.answerWith({ status: 500 });
    const { id } = await subscribe(client, receiver);
    await client.post('/webhooksubscription/test', { id });
    await receiver.waitFor(1);
    await until(async () => (await deliveries('?filter=attempts:1')).length > 0);

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
