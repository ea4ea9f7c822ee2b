// What a subscription may ask for, and that its events stay within what its key could read.
import { garageOf } from '../../../src/core/model/statements/garage.ts';
import { lockPlaces, placeAllChanges } from '../../../src/platform/changes/place.ts';
import { build } from '../../support/build/build.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { deliveriesOf, eventOf, eventsOfType, placed, subscribe } from '../../support/client/event.ts';
import { expect } from '../../support/client/expect.ts';
import { userOf } from '../../support/client/garage-user.ts';
import { waitingFor } from '../../support/database/at-once.ts';
import { openReceiver, type Receiver } from '../../support/process/https-receiver.ts';
import { database } from '../../support/service/service.ts';
import { until } from '../../support/service/until.ts';

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

  const deliveries = (query?: string) => deliveriesOf(client, query);

  const tried = (type: string) =>
    until(async () => (await deliveries(`?filter=type:${type},attempts[gt]:0`))[0]);

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
    await placed(client);

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
    await placed(client);

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

  it('that is being made stays within what the new key could read', async () => {
    const narrow = await newClient({ owner: client.garage.owner, allow: NARROW });
    const { id } = await subscribe(client, receiver, { actions: ['created'] });
    await placed(client);
    let isTaken = false;

    const { taking } = await database().transaction(async (session) => {
      const garage = garageOf(session, client.garage.owner);
      await lockPlaces(garage);
      await build(client, 'contact');
      await placeAllChanges(garage);
      const taking = narrow.put(`/webhooksubscription/${id}`, { url: receiver.url('/mine') }).finally(() => {
        isTaken = true;
      });
      // The service gives places on its own, and the PUT waits for them.
      await until(async () => isTaken || (await waitingFor('counters')) >= 2);
      return { taking };
    });
    const taken = await taking;
    await placed(client);
    await until(async () => (await deliveries('?filter=status:pending')).length === 0);

    const mine = receiver.requests.filter(({ url }) => url === '/mine');
    expect(taken.status).to.equal(200);
    expect(mine.map((request) => eventOf(request).type)).to.not.include('contact.created');
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

  it('is for a thousand names at most, and one name counts once', async () => {
    const post = (resources: string[]) =>
      client.post('/webhooksubscription', { url: receiver.url(), resources });

    const most = await post(Array(1_000).fill('order'));
    const more = await post(Array.from({ length: 1_001 }, (_, index) => `order${index}`));

    expect(most.data.resources).to.deep.equal(['order']);
    expect(more.body.errors).to.have.length(1);
    expect(more).to.be.refused(
      403,
      'Field: [resources] has an invalid value: [1001] for validation: [at most 1000]',
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
});
