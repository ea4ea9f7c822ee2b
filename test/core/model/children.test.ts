// A POST of a parent takes its children: one body, one transaction, and the texts of each child's own POST.
import { resourceNamed } from '../../../src/core/model/records/registry.ts';
import { childrenOf } from '../../../src/core/model/writes/children.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build, sampleBody } from '../../support/build/build.ts';
import { follow, latest } from '../../support/client/changes.ts';
import { type Client, clientOf, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { messages, RESOURCES, taking } from '../../support/client/resources.ts';
import { makeGarage } from '../../support/service/service.ts';

const { HIGH, LOW } = LISTS.vatcodes;
const LINE = { line_kind: 1, description: 'Olie', quantity: 2, price: 10, vat_code: HIGH };

describe('children in one go', () => {
  let client: Client;
  let contact_id: number;
  before(async () => {
    client = await newClient();
    contact_id = (await build(client, 'contact')).id;
  });
  const order = (orderline: unknown, more: Json = {}) =>
    client.post('/order', { order_type: 1, order_date: '2026-05-01', contact_id, ...more, orderline });
  const bodyOf = (name: string) => sampleBody(client, resourceNamed(name));
  const count = async (resource = 'order') =>
    (await client.get(`/${resource}?count=1&page_size=1`)).body.total;

  it('are taken by these resources', () => {
    const kinds = RESOURCES.flatMap((resource) =>
      childrenOf(resource).map(({ name }) => `${resource.name} ${name}`),
    );

    expect(kinds).to.deep.equal([
      'contact contactcommunication',
      'flatrate flatrateline',
      'order appointment',
      'order orderline',
      'tyreset tyre',
      'vehicle vehicleadvertisementsite',
      'vehicle vehicleroleline',
    ]);
  });

  for (const resource of taking('POST').filter((one) => childrenOf(one).length > 0)) {
    it(`are stored with ${resource.name}, and answered as expand shows them`, async () => {
      const kinds = childrenOf(resource);
      const children: Json = {};
      for (const { name, other, field } of kinds) {
        const { [field]: _, ...child } = await sampleBody(client, other, { [field]: 0 });
        children[name] = [child];
      }

      const answer = await client.post(`/${resource.name}`, {
        ...(await sampleBody(client, resource)),
        ...children,
      });
      const names = kinds.map(({ name }) => name).join();
      const stored = await client.get(`/${resource.name}/${answer.data?.id}?expand=${names}`);

      expect(answer.status, answer.text).to.equal(201);
      expect(answer.data).to.deep.equal(stored.data);
      expect(answer.headers.get('location')).to.match(new RegExp(`/v2/${resource.name}/${answer.data.id}$`));
      expect(stored.headers.get('etag')).to.match(
        new RegExp(`^"${answer.headers.get('etag')?.slice(1, -1)}-`),
      );
      for (const { name, field } of kinds) {
        expect(answer.data[name]).to.have.length(1);
        expect(answer.data[name][0][field]).to.equal(answer.data.id);
      }
    });
  }

  it('are part of the totals, and in the order of their sort_order', async () => {
    const { status, data } = await order([
      { ...LINE, sort_order: 2 },
      { ...LINE, sort_order: 1, price: 30, vat_code: LOW },
    ]);

    expect(status).to.equal(201);
    expect(data).to.include({ total_net: 80, total_vat: 9.6, total_gross: 89.6 });
    expect(data.orderline.map(({ price }: { price: number }) => price)).to.deep.equal([30, 10]);
    const more = await client.post('/orderline', { ...LINE, order_id: data.id });
    expect(more.status).to.equal(201);
    expect((await client.get(`/order/${data.id}`)).data.total_net).to.equal(100);
  });

  it('add up to the total of a flat rate', async () => {
    const { data } = await client.post('/flatrate', {
      ...(await bodyOf('flatrate')),
      flatrateline: [
        { description: 'Werk', quantity: 2, price: 40.5 },
        { description: 'Olie', price: 9 },
      ],
    });

    expect(data.total_net).to.equal(90);
  });

  it('are an array of 1 to 1000 objects; null is none', async () => {
    expect(await order([])).to.be.refused(403, 'Field: [orderline] minimum 1 element is required in array');
    expect(await order(Array(1001).fill('x'))).to.be.refused(
      403,
      'Field: [orderline] has an invalid value: [1001] for validation: [at most 1000]',
    );
    expect(await order({ 0: LINE })).to.be.refused(
      403,
      `Field: [orderline] has an invalid value: [${JSON.stringify({ 0: LINE })}] for datatype: orderline[]`,
    );
    expect((await order(null)).data.orderline).to.deep.equal([]);
    const thousand = await order(Array(1000).fill(LINE));
    expect(thousand.status).to.equal(201);
    expect(thousand.data.orderline).to.have.length(1000);
    expect(thousand.data.total_net).to.equal(20_000);
  });

  it('are logged behind their parent, in the order of the body', async () => {
    const start = await latest(client);

    const { data } = await order([
      { ...LINE, sort_order: 2 },
      { ...LINE, sort_order: 1 },
    ]);
    const logged = await follow(client, start);

    const [second, first] = data.orderline.map(({ id }: { id: number }) => id);
    expect(first).to.be.lessThan(second);
    expect(logged.map(({ resource, id, action }) => [resource, id, action])).to.deep.equal([
      ['order', data.id, 'created'],
      ['orderline', first, 'created'],
      ['orderline', second, 'created'],
    ]);
  });

  it('need the permission to POST each of them', async () => {
    const weak = clientOf(await makeGarage({ allow: ['* /contact', 'POST /order'] }));
    const contact = await build(weak, 'contact');
    const body = { order_type: 1, order_date: '2026-05-01', contact_id: contact.id };

    expect(await weak.post('/order', { ...body, orderline: [LINE] })).to.be.refused(
      403,
      'Endpoint: [POST /orderline] is not allowed for this api_key',
    );
    expect((await weak.post('/order', body)).status).to.equal(201);
  });

  it('are answered again to the same Idempotency-Key', async () => {
    const body = { order_type: 1, order_date: '2026-05-01', contact_id, orderline: [LINE, LINE] };
    const before = await count('orderline');

    const [first, again] = [
      await client.post('/order', body, { 'idempotency-key': 'family' }),
      await client.post('/order', body, { 'idempotency-key': 'family' }),
    ];

    expect(again.text).to.equal(first.text);
    expect(again.headers.get('idempotent-replayed')).to.equal('true');
    expect(await count('orderline')).to.equal(before + 2);
  });

  it('are unknown on PUT, and on the POST of another resource', async () => {
    const { data } = await order([LINE]);

    expect(await client.put(`/order/${data.id}`, { orderline: [LINE] })).to.be.refused(
      403,
      'Field: [orderline] not found in model',
    );
    expect(messages(await client.post('/contact', { orderline: [LINE] }))).to.deep.equal([
      'Field: [orderline] not found in model',
    ]);
  });
});
