// The specification's errors of PUT.
import { build } from '../support/build/build.ts';
import { type Client, type Json, newClient } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { row } from './row.ts';
import { WRONG_NAMES, WRONG_VALUES } from './wrong-values.ts';

describe('specification: PUT', () => {
  let client: Client;
  let id: number;
  before(async () => {
    client = await newClient();
    id = (await build(client, 'order', { order_type: 1 })).id;
  });

  const put = (body: Json | string) => client.put(`/order/${id}`, body);

  row('PUT', 'Body empty', async (says) => {
    for (const body of ['', ' \n', '{}']) expect(await put(body)).to.be.refused(...says());
  });

  row('PUT', 'Body not JSON', async (says) => {
    for (const body of ['reference=B', '{"reference":', '[1]', '5']) {
      expect(await put(body)).to.be.refused(...says());
    }
  });

  row('PUT', 'Primary ID not valid', async (says) => {
    for (const address of ['/order/abc', '/order/0', '/order?id=-1', '/order/2147483648']) {
      expect(await client.put(address, { reference: 'B' })).to.be.refused(...says());
    }
    expect(await client.put('/order', { id: 'abc', reference: 'B' })).to.be.refused(...says());
    expect(await put({ id: id + 1, reference: 'B' }), 'another one than the path').to.be.refused(...says());
  });

  row('PUT', 'No primary ID', async (says) => {
    expect(await client.put('/order', { reference: 'B' })).to.be.refused(...says());
  });

  row('PUT', 'Field not in model', async (says) => {
    expect(await put({ foo: 1 })).to.be.refused(...says('foo'));
  });

  row('PUT', 'Readonly field', async (says) => {
    expect(await put({ is_invoiced: 1 })).to.be.refused(...says('is_invoiced'));
  });

  row('PUT', 'Required field missing', async (says) => {
    const person = await build(client, 'contact', { contact_kind: 1, last_name: 'de Boer' });

    const answer = await client.put(`/contact/${person.id}`, { contact_kind: 2 });

    expect(answer).to.be.refused(...says('company_name'));
  });

  row('PUT', 'Required field empty', async (says) => {
    expect(await put({ order_date: null })).to.be.refused(...says('order_date'));
    expect(await put({ order_date: '' })).to.be.refused(...says('order_date'));
  });

  row('PUT', 'Related ID not found', async (says) => {
    expect(await put({ contact_id: 999_999_999 })).to.be.refused(...says('contact_id', 999_999_999));
  });

  row('PUT', 'Array needs an element', async (says) => {
    expect(await put({ order_status: 7 }), 'an invoice without lines').to.be.refused(...says('orderline'));
  });

  row('PUT', 'Record not found', async (says) => {
    const answer = await client.put('/order/999999999', { reference: 'B' });

    expect(answer).to.be.refused(...says('id', 999_999_999));
  });

  for (const name of WRONG_NAMES) {
    row('PUT', 'varchar or text too long, invalid timestamp, float8, int4, varchar', name, async (says) => {
      const { resource, body, values } = WRONG_VALUES[name];
      const record = await build(client, resource);

      expect(await client.put(`/${resource}/${record.id}`, body)).to.be.refused(...says(...values));
    });
  }

  row('PUT', 'Custom validation fails', async (says) => {
    expect(await put({ mileage: -1 })).to.be.refused(...says('mileage', -1, '>=0'));
    expect(await put({ order_status: 99 })).to.be.refused(...says('order_status', 99, 'orderstatuses'));
  });

  row('PUT', 'Duplicate unique value', async (says) => {
    const [first, second] = [await build(client, 'turnovergroup'), await build(client, 'turnovergroup')];

    const answer = await client.put(`/turnovergroup/${second.id}`, { code: first.code });

    expect(answer).to.be.refused(...says('code', first.code));
  });

  row('PUT', 'System record', async (says) => {
    expect(await client.put('/country/1', { name: 'Holland' })).to.be.refused(...says());
  });

  row('PUT', 'Blocked record', async (says) => {
    const group = await build(client, 'turnovergroup', { is_blocked: 1 });

    expect(await client.put(`/turnovergroup/${group.id}`, { name: 'B' })).to.be.refused(...says());
  });

  row('PUT', 'Archived record', async (says) => {
    const group = await build(client, 'turnovergroup', { is_archived: 1 });

    expect(await client.put(`/turnovergroup/${group.id}`, { name: 'B' })).to.be.refused(...says());
  });

  row('PUT', 'Field cannot be updated', async (says) => {
    for (const order_type of [2, 99]) expect(await put({ order_type })).to.be.refused(...says('order_type'));
  });
});
