// A POST of a parent takes its children: one body, one transaction, and the texts of each child's own POST.
import { childrenOf } from '../../src/model/writes/children.ts';
import { LISTS } from '../../src/trade/lists.ts';
import { build, sampleBody } from '../support/build/build.ts';
import { follow, latest } from '../support/client/changes.ts';
import { type Client, clientOf, type Json, newClient } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { messages, RESOURCES, taking } from '../support/client/resources.ts';
import { makeGarage } from '../support/service/service.ts';

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
    const body = await sampleBody(client, RESOURCES.find(({ name }) => name === 'flatrate') as never);

    const { data } = await client.post('/flatrate', {
      ...body,
      flatrateline: [
        { description: 'Werk', quantity: 2, price: 40.5 },
        { description: 'Olie', price: 9 },
      ],
    });

    expect(data.total_net).to.equal(90);
  });

  it('are refused for their fields together with the parent, in the order of the body', async () => {
    const before = await count();

    const answer = await client.post('/order', {
      colour: 'red',
      orderline: [
        { ...LINE, price: 'x' },
        { ...LINE, order_id: 5, id: 7, line_net: 3 },
        'line',
        { ...LINE, ...JSON.parse('{"__proto__": 1}'), line_kind: 99 },
      ],
      order_type: 77,
    });

    expect(answer.status).to.equal(403);
    expect(messages(answer)).to.deep.equal([
      'Field: [colour] not found in model',
      'Field: [orderline[0].price] has an invalid value: [x] for datatype: float8',
      'Field: [orderline[1].order_id] is readonly do not supply in request',
      'Field: [orderline[1].id] is primary ID do not supply in request',
      'Field: [orderline[1].line_net] is readonly do not supply in request',
      'Field: [orderline[2]] has an invalid value: [line] for datatype: orderline',
      'Field: [orderline[3].line_kind] has an invalid value: [99] for validation: [linekinds]',
      'Field: [orderline[3].__proto__] not found in model',
      'Field: [order_type] has an invalid value: [77] for validation: [ordertypes]',
    ]);
    expect(answer.body.errors[1]).to.deep.equal({
      code: 'value_wrong_type',
      message: 'Field: [orderline[0].price] has an invalid value: [x] for datatype: float8',
      field: 'orderline[0].price',
      value: 'x',
    });
    expect(await count()).to.equal(before);
  });

  it('are refused stage by stage: required fields, rules, references, uniqueness', async () => {
    const { description: _, ...blank } = LINE;
    const required = await client.post('/order', { order_type: 1, contact_id, orderline: [LINE, blank] });
    const bpm = {
      order_type: LISTS.ordertypes.BPM,
      appointment_at: '2026-05-02',
      planned_out_at: '2026-05-01',
    };
    const rules = await order([LINE, { ...LINE, article_id: 999_999 }], bpm);
    const unknown = { ...LINE, article_id: 999_999 };
    const references = await order(
      [{ ...LINE, external_id: 'same' }, { ...LINE, external_id: 'same' }, unknown],
      {
        invoice_contact_id: 999_999,
      },
    );
    const duplicate = await order([{ ...LINE, sort_order: 1 }, LINE, { ...LINE, sort_order: 1 }]);

    expect(messages(required)).to.deep.equal([
      'Field: [order_date] is required and not supplied in request',
      'Field: [orderline[1].description] is required and not supplied in request',
    ]);
    expect(messages(rules)).to.deep.equal([
      'Field: [planned_out_at] value: [2026-05-01] date must be after Field: [appointment_at] value: [2026-05-02]',
      'Field: [orderline[0].line_kind] has an invalid value: [1] for validation: [BPM order]',
      'Field: [orderline[0].vat_code] has an invalid value: [1] for validation: [BPM order]',
      'Field: [orderline[1].line_kind] has an invalid value: [1] for validation: [BPM order]',
      'Field: [orderline[1].vat_code] has an invalid value: [1] for validation: [BPM order]',
    ]);
    expect(references.status).to.equal(404);
    expect(messages(references)).to.deep.equal([
      'Field: [invoice_contact_id] value: [999999] ID not found',
      'Field: [orderline[2].article_id] value: [999999] ID not found',
    ]);
    expect(duplicate).to.be.refused(
      409,
      'Field: [orderline[2].sort_order] value: [1] has a duplicate illegal value',
    );
  });

  it('name both fields where one must come after the other', async () => {
    const vehicle = await sampleBody(client, RESOURCES.find(({ name }) => name === 'vehicle') as never);
    const role = { contact_id, role_kind: 2, start_date: '2026-05-02', end_date: '2026-05-01' };

    expect(await client.post('/vehicle', { ...vehicle, vehicleroleline: [role] })).to.be.refused(
      403,
      'Field: [vehicleroleline[0].end_date] value: [2026-05-01] date must be after Field: [vehicleroleline[0].start_date] value: [2026-05-02]',
    );
  });

  it('leave nothing behind when one of them is refused, not even a number', async () => {
    const first = (await order([LINE])).data;
    const lines = await count('orderline');

    const refused = await order([LINE, { ...LINE, turnover_group_id: 999_999 }]);
    const next = (await order([LINE])).data;

    expect(refused.status).to.equal(404);
    expect(await count('orderline')).to.equal(lines + 1);
    expect(next.order_number).to.equal(first.order_number + 1);
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

  it('keep the rules between them: one owner, one preferred address, one place', async () => {
    const bodyOf = (name: string) =>
      sampleBody(client, RESOURCES.find((resource) => resource.name === name) as never);
    const owner = { contact_id, role_kind: LISTS.vehicleroles.OWNER, start_date: '2026-05-01' };
    const email = {
      communication_type: LISTS.communicationtypes.EMAIL,
      value: 'a@b.nl',
      is_prefered_email: 1,
    };

    const vehicle = await client.post('/vehicle', {
      ...(await bodyOf('vehicle')),
      vehicleroleline: [owner, owner],
    });
    const contact = await client.post('/contact', {
      ...(await bodyOf('contact')),
      contactcommunication: [email, { ...email, is_prefered_email: 0 }, email],
    });
    const flatRate = await client.post('/flatrate', {
      ...(await bodyOf('flatrate')),
      flatrateline: [{ sort_order: 3 }, { sort_order: 3 }],
    });

    expect(vehicle).to.be.refused(403, 'Vehicleroleline is invalid a Vehicle can only have one owner');
    expect(vehicle.body.errors[0].field).to.equal('vehicleroleline[1]');
    expect(contact).to.be.refused(
      409,
      'Field: [contactcommunication[2].is_prefered_email] value: [1] has a duplicate illegal value',
    );
    expect(flatRate).to.be.refused(403, 'Field: [flatrateline[1].sort_order] has an invalid value [3]');
  });

  it('count for each other only if no key refuses them', async () => {
    const email = { communication_type: LISTS.communicationtypes.EMAIL, value: 'a@b.nl' };
    await build(client, 'contactcommunication', { contact_id, ...email, external_id: 'taken' });
    const body = await sampleBody(client, RESOURCES.find(({ name }) => name === 'contact') as never);

    const refused = await client.post('/contact', {
      ...body,
      contactcommunication: [
        { ...email, is_prefered_email: 1, external_id: 'taken' },
        { ...email, is_prefered_email: 1 },
      ],
    });

    expect(refused).to.be.refused(
      409,
      'Field: [contactcommunication[0].external_id] value: [taken] has a duplicate illegal value',
    );
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

  it('may not make a total that is too large', async () => {
    const huge = { ...LINE, price: 9_999_999_999, quantity: 5_000 };

    expect(await order([huge, huge, huge])).to.be.refused(
      403,
      'Field: [total_gross] has an invalid value: [149999999985000] for validation: [14 digits]',
    );
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
