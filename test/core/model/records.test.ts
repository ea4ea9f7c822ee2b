// The five operations of a record, their checks and their order, on real resources.

import { build, buildInvoice } from '../../support/build/build.ts';
import type { Client } from '../../support/client/client.ts';
import { newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { select } from '../../support/database/sql.ts';
import { database } from '../../support/service/service.ts';

describe('records', () => {
  let client: Client;
  let stranger: Client;
  before(async () => {
    client = await newClient();
    stranger = await newClient();
  });

  it('adds a record, and answers with the whole record and its address', async () => {
    const contact = await build(client, 'contact');

    const answer = await client.post('/order', {
      order_type: 1,
      order_date: '2026-05-01T10:30+02:00',
      contact_id: contact.id,
    });

    expect(answer.status).to.equal(201);
    expect(answer.body.successCode).to.equal(201);
    expect(answer.data).to.include({
      order_type: 1,
      order_status: 2,
      order_date: '2026-05-01T08:30:00.000Z',
      total_net: 0,
    });
    expect(answer.headers.get('location')).to.match(new RegExp(`/v2/order/${answer.data.id}$`));
    expect((await client.get(`/order/${answer.data.id}`)).data).to.deep.equal(answer.data);
  });

  it('reads, changes and deletes by path and by query', async () => {
    const group = await build(client, 'turnovergroup');

    expect((await client.get(`/turnovergroup?id=${group.id}`)).data).to.deep.equal(group);
    expect((await client.put(`/turnovergroup?id=${group.id}`, { name: 'B' })).data.name).to.equal('B');
    expect((await client.put('/turnovergroup/', { id: group.id, name: 'C' })).data.name).to.equal('C');
    expect((await client.del(`/turnovergroup/${group.id}`)).body).to.deep.equal({
      successCode: 200,
      data: { id: group.id },
    });
    expect(await client.get(`/turnovergroup/${group.id}`)).to.be.refused(
      404,
      `Field: [id] value: [${group.id}] not found`,
    );
  });

  it('keeps the version of a record that a PUT does not change', async () => {
    const group = await build(client, 'turnovergroup');

    const answer = await client.put(`/turnovergroup/${group.id}`, { id: group.id, name: group.name });

    expect(answer.status).to.equal(200);
    expect(answer.data).to.deep.equal(group);
  });

  it('takes another form of the same instant for no change', async () => {
    const order = await build(client, 'order', { order_date: '2026-05-01', appointment_at: '2026-05-02' });

    const same = await client.put(`/order/${order.id}`, { order_date: '2026-05-01T02:00:00+02:00' });

    expect(same.data).to.deep.equal(order);
    expect(await client.put(`/order/${order.id}`, { planned_out_at: '2026-05-02' })).to.be.refused(
      403,
      'Field: [planned_out_at] value: [2026-05-02] date must be after Field: [appointment_at] value: [2026-05-02T00:00:00.000Z]',
    );
  });

  it('names the violations of a stage in the order of the body', async () => {
    const answer = await client.post('/order', {
      foo: 1,
      order_type: 'x',
      id: 3,
      is_invoiced: 1,
      mileage: -1,
    });

    expect(answer).to.be.refused(403, 'Field: [foo] not found in model');
    expect(answer.body.errors.map(({ message }: { message: string }) => message)).to.deep.equal([
      'Field: [foo] not found in model',
      'Field: [order_type] has an invalid value: [x] for datatype: int4',
      'Field: [id] is primary ID do not supply in request',
      'Field: [is_invoiced] is readonly do not supply in request',
      'Field: [mileage] has an invalid value: [-1] for validation: [>=0]',
    ]);
  });

  it('keeps the records of two owners apart, by every method', async () => {
    const order = await build(client, 'order');
    const unknown = `Field: [id] value: [${order.id}] not found`;

    expect(await stranger.get(`/order/${order.id}`)).to.be.refused(404, unknown);
    expect(await stranger.put(`/order/${order.id}`, { reference: 'x' })).to.be.refused(404, unknown);
    expect(await stranger.del(`/order/${order.id}`)).to.be.refused(404, unknown);
    expect((await stranger.get('/order')).data).to.deep.equal([]);
    expect(
      await stranger.post('/order', {
        order_type: 1,
        order_date: '2026-05-01',
        contact_id: order.contact_id,
      }),
    ).to.be.refused(404, `Field: [contact_id] value: [${order.contact_id}] ID not found`);
  });

  it('keeps them apart when both owners read at the same moment', async () => {
    const groups = await Promise.all(Array.from({ length: 8 }, () => build(client, 'turnovergroup')));
    const asked = [...groups, ...groups, ...groups];

    const [own, others] = await Promise.all(
      [client, stranger].map((one) => Promise.all(asked.map(({ id }) => one.get(`/turnovergroup/${id}`)))),
    );

    expect(own?.map(({ data }) => data)).to.deep.equal(asked);
    expect(others?.map(({ status }) => status)).to.deep.equal(asked.map(() => 404));
  });

  it('refuses to delete a record that another one refers to', async () => {
    const order = await build(client, 'order');

    expect(await client.del(`/contact/${order.contact_id}`)).to.be.refused(
      406,
      'Field: [id] in use at: [order]',
    );
    expect((await client.get(`/contact/${order.contact_id}`)).status).to.equal(200);
  });

  it('checks the ID before the body, and the record before its fields', async () => {
    const invoice = await buildInvoice(client);

    expect(await client.put('/order/abc', '')).to.be.refused(400, 'Primary ID is not an valid ID');
    expect(await client.put(`/order/${invoice.id}`, '')).to.be.refused(400, 'Empty body');
    expect(await client.put(`/order/${invoice.id}`, '[1]')).to.be.refused(400, 'Body is not valid JSON');
    expect(await client.put(`/order/${invoice.id}`, { id: invoice.id + 1 })).to.be.refused(
      400,
      'Primary ID is not an valid ID',
    );
    expect(await client.put('/order', { reference: 'x' })).to.be.refused(403, 'No primary ID provided');
    expect(await client.put(`/order/${invoice.id}`, { foo: 1 })).to.be.refused(
      409,
      '[order] is [invoice], cannot add/update/delete',
    );
  });

  it('names every parameter that GET of one record does not support', async () => {
    const answer = await client.get('/order/1?page=1&sort=id');

    expect(answer).to.be.refused(400, 'Invalid request, query parameter is not supported: [page]');
    expect(answer.body.errors[1].message).to.equal(
      'Invalid request, query parameter is not supported: [sort]',
    );
  });

  it('counts characters, not bytes, at the limit of a varchar', async () => {
    const code = '😀'.repeat(10);

    expect((await build(client, 'turnovergroup', { code })).code).to.equal(code);
    expect(await client.post('/turnovergroup', { code: `${code}x`, name: 'n', vat_code: 1 })).to.be.refused(
      403,
      'Field: [code] valuelength: [11] too long for datatype: varchar: [10]',
    );
  });

  it("takes names of JavaScript's object properties for unknown fields", async () => {
    const body = '{"__proto__": 1, "constructor": 2, "toString": 3}';

    const answer = await client.post('/turnovergroup', body);

    expect(answer).to.be.refused(403, 'Field: [__proto__] not found in model');
    expect(answer.body.errors).to.have.length(3);
  });

  it('writes nothing if any part of a request fails', async () => {
    const count = () =>
      select(database(), 'SELECT COUNT(*) AS n FROM orders WHERE owner_id = ?', [client.garage.owner]);
    const before = await count();

    await client.post('/order', { order_type: 1, order_date: '2026-05-01', contact_id: 999_999_999 });

    expect(await count()).to.deep.equal(before);
  });
});
