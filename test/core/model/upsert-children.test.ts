// An upsert of a record with its children, each by a key of its own: one request for a whole web order.
import { childrenOf } from '../../../src/core/model/writes/children.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build, sampleBody } from '../../support/build/build.ts';
import { follow, latest } from '../../support/client/changes.ts';
import { type Client, clientOf, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { messages, taking } from '../../support/client/resources.ts';
import { makeGarage } from '../../support/service/service.ts';

const { HIGH } = LISTS.vatcodes;
const line = (external_id: unknown, more: Json = {}): Json => ({
  external_id,
  line_kind: 1,
  description: 'Olie',
  quantity: 2,
  price: 10,
  vat_code: HIGH,
  ...more,
});
const duplicate = (field: string, value: unknown) =>
  `Field: [${field}] value: [${value}] has a duplicate illegal value`;

let keys = 0;
const newKey = () => {
  keys += 1;
  return `W-${keys}`;
};

describe('an upsert with children', () => {
  let client: Client;
  let contact_id: number;
  before(async () => {
    client = await newClient();
    contact_id = (await build(client, 'contact')).id;
  });
  const put = (key: string, body: Json, as = client) => as.put(`/order?external_id=${key}`, body);
  const whole = (orderline: unknown, more: Json = {}): Json => ({
    order_type: 1,
    order_date: '2026-05-01',
    contact_id,
    ...more,
    orderline,
  });
  const linesOf = async (id: number): Promise<Json[]> =>
    (await client.get(`/order/${id}?expand=orderline`)).data.orderline;

  for (const resource of taking('PUT').filter((one) => childrenOf(one).length > 0)) {
    it(`adds ${resource.name} with them, and then changes both`, async () => {
      const kinds = childrenOf(resource);
      const body: Json = await sampleBody(client, resource);
      for (const { name, other, field } of kinds) {
        const { [field]: _, ...child } = await sampleBody(client, other, { [field]: 0 });
        body[name] = [{ ...child, external_id: `first ${resource.name}` }];
      }
      const path = `/${resource.name}?external_id=family`;
      const names = kinds.map(({ name }) => name).join();

      const added = await client.put(path, body);
      const again = await client.put(path, body);
      const archived = { external_id: `first ${resource.name}`, is_archived: 1 };
      const changed = await client.put(path, Object.fromEntries(kinds.map(({ name }) => [name, [archived]])));
      const stored = await client.get(`/${resource.name}/${added.data?.id}?expand=${names}`);

      expect([added.status, again.status, changed.status], changed.text).to.deep.equal([201, 200, 200]);
      expect(added.headers.get('location')).to.match(new RegExp(`/v2/${resource.name}/${added.data.id}$`));
      expect(again.data).to.deep.equal(added.data);
      expect(again.headers.get('etag')).to.equal(added.headers.get('etag'));
      expect(changed.data).to.deep.equal(stored.data);
      for (const { name } of kinds) {
        expect(changed.data[name].map((child: Json) => [child.id, child.is_archived])).to.deep.equal([
          [added.data[name][0].id, 1],
        ]);
      }
    });
  }

  it('changes the children with its keys, adds others, and leaves the rest', async () => {
    const key = newKey();
    const added = (await put(key, whole([line('a-1'), line('a-2', { price: 20 })]))).data;
    const own = (await client.post('/orderline', { ...line('a-own'), order_id: added.id })).data;

    const { status, data } = await put(key, {
      orderline: [line('a-3', { price: 5 }), { external_id: 'a-2', quantity: 3 }],
    });

    const [first, second] = added.orderline;
    expect(status).to.equal(200);
    expect(data.orderline.map(({ id, quantity, price }: Json) => [id, quantity, price])).to.deep.equal([
      [first.id, 2, 10],
      [second.id, 3, 20],
      [own.id, 2, 10],
      [data.orderline[3].id, 2, 5],
    ]);
    expect(data.total_net).to.equal(110);
    expect(data).to.deep.equal((await client.get(`/order/${data.id}?expand=orderline`)).data);
  });

  it('logs each change by itself', async () => {
    const key = newKey();
    const { id, orderline } = (await put(key, whole([line('h-1'), line('h-2')]))).data;
    const start = await latest(client);

    const { data } = await put(key, { orderline: [line('h-3'), line('h-2', { quantity: 3 }), line('h-1')] });
    const logged = await follow(client, start);

    const amounts = ['line_gross', 'line_net', 'line_vat', 'quantity'];
    expect(logged.map((one) => [one.resource, one.id, one.action, one.fields.sort()])).to.deep.equal([
      ['orderline', orderline[1].id, 'updated', amounts],
      ['orderline', data.orderline[2].id, 'created', []],
      ['order', id, 'updated', ['total_gross', 'total_net', 'total_vat']],
    ]);
  });

  it('shows the kinds of children that the body names, and no others', async () => {
    const key = newKey();
    const { id } = (await put(key, whole([line('shown')]))).data;

    const named = await put(key, { orderline: null });
    const unnamed = await put(key, { reference: 'x' });

    expect(named.data.orderline.map(({ external_id }: Json) => external_id)).to.deep.equal(['shown']);
    expect(unnamed.data).to.not.have.property('orderline');
    expect(named.data.id).to.equal(id);
  });

  it('needs a key of each child', async () => {
    const key = newKey();
    const required = (name: string) => `Field: [orderline${name}] is required and not supplied in request`;
    const lines = [line(undefined), line(null), line(''), { external_id: 'new' }, line('b-5')];

    const adding = await put(key, whole(lines));
    await put(key, whole([line('b-1')]));
    const changing = await put(key, { orderline: lines });

    for (const answer of [adding, changing])
      expect(messages(answer)).to.deep.equal([
        ...[0, 1, 2].map((index) => required(`[${index}].external_id`)),
        ...['line_kind', 'description', 'quantity', 'price', 'vat_code'].map((name) =>
          required(`[3].${name}`),
        ),
      ]);
  });

  it('refuses the ID of a child, its parent, and what is no list of children', async () => {
    const key = newKey();
    await put(key, whole([line('b-1')]));
    const wrong = [line(5), line('b-1', { id: 7, order_id: 8, line_net: 1 }), 'line', line('b-2', { id: 9 })];

    const fields = await put(key, { orderline: wrong });
    const none = await put(key, { orderline: [] });
    const many = await put(key, { orderline: Array(40_000).fill({ external_id: 'x' }) });

    expect(messages(fields)).to.deep.equal([
      'Field: [orderline[0].external_id] has an invalid value: [5] for datatype: varchar',
      'Field: [orderline[1].id] is primary ID do not supply in request',
      'Field: [orderline[1].order_id] is readonly do not supply in request',
      'Field: [orderline[1].line_net] is readonly do not supply in request',
      'Field: [orderline[2]] has an invalid value: [line] for datatype: orderline',
      'Field: [orderline[3].id] is primary ID do not supply in request',
    ]);
    expect(none).to.be.refused(403, 'Field: [orderline] minimum 1 element is required in array');
    expect(many).to.be.refused(
      403,
      'Field: [orderline] has an invalid value: [40000] for validation: [at most 1000]',
    );
  });

  it('is refused as a whole, stage by stage, with the texts of PUT and POST', async () => {
    const key = newKey();
    const { id } = (await put(key, whole([line('c-1')]))).data;
    const before = await client.get(`/order/${id}?expand=orderline`);

    const empty = await put(key, { order_date: null, orderline: [{ external_id: 'c-1', price: null }] });
    const rules = await put(key, { order_status: 5, orderline: [line('c-2', { article_id: 999_998 })] });
    const references = await put(key, {
      vehicle_id: 999_999,
      orderline: [line('c-2', { article_id: 999_998 }), { external_id: 'c-1', turnover_group_id: 999_997 }],
    });
    const unique = await put(key, { orderline: ['c-1', 'c-2'].map((one) => line(one, { sort_order: 1 })) });

    expect(messages(empty)).to.deep.equal([
      'Field: [order_date] is required and cannot be empty',
      'Field: [orderline[0].price] is required and cannot be empty',
    ]);
    expect(messages(rules)).to.deep.equal([
      'Field: [order_status] has an invalid value: [5] for validation: [orderstatus transition from 2]',
    ]);
    expect(messages(references)).to.deep.equal([
      'Field: [vehicle_id] value: [999999] ID not found',
      'Field: [orderline[0].article_id] value: [999998] ID not found',
      'Field: [orderline[1].turnover_group_id] value: [999997] ID not found',
    ]);
    expect(unique).to.be.refused(409, duplicate('orderline[1].sort_order', 1));
    expect((await client.get(`/order/${id}?expand=orderline`)).text).to.equal(before.text);
  });

  it('refuses a key that another parent has a child with, and a key twice in a body', async () => {
    const [one, other] = [newKey(), newKey()];
    const { orderline } = (await put(one, whole([line('d-1')]))).data;

    const adding = await put(other, whole([line('d-2'), line('d-1')]));
    await put(other, whole([line('d-2')]));
    const changing = await put(other, { orderline: [line('d-1')] });
    const twice = await put(newKey(), whole([line('d-3'), line('d-3')]));
    const again = await put(one, { orderline: [line('d-1'), line('d-4'), line('d-1')] });

    const taken = { resource: 'orderline', id: orderline[0].id };
    expect(adding).to.be.refused(409, duplicate('orderline[1].external_id', 'd-1'));
    expect(adding.body.errors[0]).to.include(taken);
    expect(changing).to.be.refused(409, duplicate('orderline[0].external_id', 'd-1'));
    expect(changing.body.errors[0]).to.include(taken);
    expect(twice).to.be.refused(409, duplicate('orderline[1].external_id', 'd-3'));
    expect(again).to.be.refused(409, duplicate('orderline[2].external_id', 'd-1'));
    for (const { body } of [twice, again]) expect(body.errors[0]).to.not.have.any.keys('resource', 'id');
    expect((await client.get('/orderline?filter=external_id[in]:d-3|d-4')).data).to.deep.equal([]);
  });

  it('needs the permission to POST and to PUT each kind of child', async () => {
    const garage = await makeGarage();
    const { id } = await build(clientOf(garage), 'contact');
    const body = whole([line('e-1')], { contact_id: id });
    const weak = async (...allow: string[]) =>
      clientOf(await makeGarage({ owner: garage.owner, allow: ['* /order', ...allow] }));

    const none = await put('E', body, await weak());
    const reading = await put('E', body, await weak('GET /orderline', 'POST /orderline'));
    const both = await put('E', body, await weak('POST /orderline', 'PUT /orderline'));

    expect(messages(none)).to.deep.equal([
      'Endpoint: [POST /orderline] is not allowed for this api_key',
      'Endpoint: [PUT /orderline] is not allowed for this api_key',
    ]);
    expect(reading).to.be.refused(403, 'Endpoint: [PUT /orderline] is not allowed for this api_key');
    expect(both.status, both.text).to.equal(201);
  });

  it('demands the version of If-Match of the parent', async () => {
    const key = newKey();
    const { headers } = await put(key, whole([line('f-1')]));
    const tag = headers.get('etag') ?? '';
    const send = (match: string) =>
      client.put(
        `/order?external_id=${key}`,
        { orderline: [line('f-1', { price: 11 })] },
        { 'if-match': match },
      );

    expect((await send(`W/${tag}`)).status).to.equal(200);
    expect(await send(tag)).to.be.refused(412, 'Record was changed by another request');
  });

  it('is no PUT by ID', async () => {
    const { id } = (await put(newKey(), whole([line('g-1')]))).data;

    for (const answer of [
      await client.put(`/order/${id}`, { orderline: [line('g-1')] }),
      await client.put('/order', { id, orderline: [line('g-1')] }),
    ])
      expect(answer).to.be.refused(403, 'Field: [orderline] not found in model');
    expect(await linesOf(id)).to.have.length(1);
  });
});
