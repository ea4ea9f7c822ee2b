// The specification's rows about look-ups: documents, employees, models, lists.
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { build } from '../support/build/build.ts';
import { type Answer, type Client, newClient } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { theService } from '../support/service/service.ts';
import { row, says } from './row.ts';

const TABLE = 'Per endpoint';

describe('specification: look-ups', () => {
  let client: Client;
  before(async () => {
    client = await newClient();
  });

  row(TABLE, 'GET /document/info | Document not available', async (says) => {
    const { id } = await build(client, 'document');

    expect(await client.get(`/document/info?id=${id}`)).to.be.refused(...says());
  });

  row('Endpoints', 'GET | /document/info', async () => {
    const content = Buffer.from('hello').toString('base64');
    const { id, file_name } = await build(client, 'document', { content });

    const { data } = await client.get(`/document/info?id=${id}`);

    expect(data).to.include({ id, file_name, size: 5 });
    expect(await (await fetch(data.url)).text()).to.equal('hello');
  });

  row(TABLE, 'GET /empoyee/email | No username given', async (says) => {
    expect(await client.get('/empoyee/email')).to.be.refused(...says());
    expect(await client.get('/empoyee/email?username=')).to.be.refused(...says());
  });

  row('Endpoints', 'GET | /empoyee/email', async () => {
    const { username } = client.garage;

    const { data } = await client.get(`/empoyee/email?username=${username}`);

    expect(data).to.deep.equal({ username, emailaddress: `${username}@garage.example` });
  });

  row(TABLE, 'GET model/{name} | Response body invalid', async (says) => {
    for (const body of ['{"name":', 'order', '[1]']) {
      expect(await getWithBody('/model/order', body)).to.be.refused(...says());
    }
    expect((await getWithBody('/model/order', '{"name":"order"}')).status).to.equal(200);
  });

  row('Endpoints', 'GET | model/{name}', async () => {
    const { data } = await client.get('/model/order');

    expect(data.name).to.equal('order');
    expect(data.fields).to.deep.include({
      ...{
        name: 'order_type',
        datatype: 'int4',
        length: null,
        required: 1,
        readonly: 0,
        primary: 0,
        unique: 0,
      },
      ...{ fixed: 1, reference: null, list: 'ordertypes', validation: 'ordertypes' },
    });
  });

  row('Endpoints', 'GET | /util/environment', async () => {
    const { data } = await client.get(`/util/environment?username=${client.garage.username}`);

    expect(data).to.have.all.keys('environment', 'version', 'base_url', 'owner', 'timezone');
    expect(data.base_url).to.equal(`${theService().url}/v2`);
  });

  row('Endpoints', 'GET | /util/list', async () => {
    expect((await client.get('/util/list?list=vehicleroles')).body).to.have.all.keys('vehicleroles');
    expect(await client.get('/util/list?list=foo')).to.be.refused(
      ...says('POST (add one item)', 'Custom validation fails', 'list', 'foo', 'lists'),
    );
  });

  for (const [name, value] of [
    ['WORKSHOP', 1],
    ['VEHICLE_SALES', 2],
    ['VEHICLE_PURCHASE', 3],
    ['INTERNAL_REVERSAL', 4],
    ['BPM', 5],
  ] as const) {
    row('Order', name, async () => {
      const { body } = await client.get('/util/list?list=ordertypes');

      expect(body.ordertypes[name]).to.equal(value);
      expect(body).to.have.all.keys('ordertypes');
      expect(Object.keys(body.ordertypes)).to.have.length(5);
    });
  }

  row('Order', 'order_type', async () => {
    expect((await build(client, 'order', { order_type: 3 })).order_type).to.equal(3);
    expect(await client.post('/order', { order_type: '3' })).to.be.refused(
      ...says('POST (add one item)', 'Invalid int4', 'order_type', 3),
    );
  });

  row('Order', 'is_invoiced', async () => {
    expect((await build(client, 'order')).is_invoiced).to.equal(0);
  });

  row('Order', 'order_date', async () => {
    const { order_date } = await build(client, 'order', { order_date: '2026-05-01T10:30+02:00' });

    expect(order_date).to.equal('2026-05-01T08:30:00.000Z');
  });

  row('Order', 'order_number', async () => {
    const [first, second] = [await build(client, 'order'), await build(client, 'order')];

    expect(second.order_number).to.equal(first.order_number + 1);
  });

  /** fetch sends no body with GET; HTTP does not forbid it. */
  function getWithBody(path: string, body: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const headers = { token: client.garage.token, 'content-length': Buffer.byteLength(body) };
      const sent = request(`${theService().url}/v2${path}`, { method: 'GET', headers }, async (response) => {
        const answer = await text(response);
        const headers = new Headers(response.headers as Record<string, string>);
        const json = JSON.parse(answer);
        resolve({ status: response.statusCode ?? 0, headers, text: answer, body: json, data: json.data });
      });
      sent.on('error', reject).end(body);
    });
  }
});
