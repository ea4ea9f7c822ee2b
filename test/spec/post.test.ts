// The specification's errors of POST (add one item).
import { build } from '../support/build/build.ts';
import { type Client, type Json, newClient } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { row } from './row.ts';
import { WRONG_NAMES, WRONG_VALUES } from './wrong-values.ts';

const TABLE = 'POST (add one item)';

describe(`specification: ${TABLE}`, () => {
  let client: Client;
  let order: Json;
  before(async () => {
    client = await newClient();
    order = { order_type: 1, order_date: '2026-05-01', contact_id: (await build(client, 'contact')).id };
  });

  row(TABLE, 'Body empty', async (says) => {
    for (const body of [undefined, '', ' \n', '{}']) {
      expect(await client.post('/order', body)).to.be.refused(...says());
    }
  });

  row(TABLE, 'Body not JSON', async (says) => {
    for (const body of ['order_type=1', '{"order_type":1', '[1]', 'null', '"text"']) {
      expect(await client.post('/order', body)).to.be.refused(...says());
    }
    expect(await client.post('/order', order, { 'content-type': 'text/plain' })).to.be.refused(...says());
  });

  row(TABLE, 'Field not in model', async (says) => {
    expect(await client.post('/order', { ...order, foo: 1 })).to.be.refused(...says('foo'));
  });

  row(TABLE, 'Readonly field supplied', async (says) => {
    for (const field of ['is_invoiced', 'order_number', 'total_gross', 'is_system', 'created_at']) {
      expect(await client.post('/order', { ...order, [field]: 1 })).to.be.refused(...says(field));
    }
  });

  row(TABLE, 'Required field missing', async (says) => {
    for (const field of ['order_type', 'order_date', 'contact_id']) {
      const { [field]: _, ...rest } = order;
      expect(await client.post('/order', rest)).to.be.refused(...says(field));
    }
  });

  row(TABLE, 'Primary ID supplied', async (says) => {
    expect(await client.post('/order', { ...order, id: 5 })).to.be.refused(...says('id'));
  });

  row(TABLE, 'Related ID not found', async (says) => {
    const answer = await client.post('/order', { ...order, vehicle_id: 999_999_999 });

    expect(answer).to.be.refused(...says('vehicle_id', 999_999_999));
  });

  row(TABLE, 'Array needs an element', async (says) => {
    const asked = { document_type: 1, order_ids: [], webhook_url: 'https://localhost/hook' };

    expect(await client.post('/document/generate', asked)).to.be.refused(...says('order_ids'));
  });

  for (const name of WRONG_NAMES) {
    row(TABLE, name, async (says) => {
      const { resource, body, values } = WRONG_VALUES[name];

      expect(await client.post(`/${resource}`, body)).to.be.refused(...says(...values));
    });
  }

  // The field is write-only, so its value is never shown.
  row(TABLE, 'Invalid bytea', async (says) => {
    expect(await client.post('/document', { content: '***' })).to.be.refused(...says('content', '...'));
  });

  row(TABLE, 'Duplicate unique value', async (says) => {
    const { code } = await build(client, 'turnovergroup');

    const answer = await client.post('/turnovergroup', { code, name: 'Again', vat_code: 1 });

    expect(answer).to.be.refused(...says('code', code));
  });

  row(TABLE, 'Custom validation fails', async (says) => {
    const refused = (body: Json) => client.post('/contact', body);

    expect(await refused({ postcode: '0123 AB' })).to.be.refused(...says('postcode', '0123 AB', 'postcode'));
    expect(await refused({ kvk_number: '1' })).to.be.refused(...says('kvk_number', 1, 'kvk_number'));
    expect(await refused({ is_customer: 2 })).to.be.refused(...says('is_customer', 2, '0,1'));
  });

  row(TABLE, "Date not after other field's date", async (says) => {
    const [planned_out_at, appointment_at] = ['2026-05-01', '2026-05-02T10:30'];

    const answer = await client.post('/order', { ...order, planned_out_at, appointment_at });

    expect(answer).to.be.refused(...says('planned_out_at', planned_out_at, 'appointment_at', appointment_at));
  });
});
