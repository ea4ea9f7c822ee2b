// The specification's errors of GET (single and multiple records) and of DELETE.
import { build } from '../support/build/build.ts';
import { type Client, newClient, send } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { row } from './row.ts';

let client: Client;
const useClient = async () => {
  client = await newClient();
};

describe('specification: GET single record', () => {
  before(useClient);

  row('GET single record', 'Field not in model', async (says) => {
    const { id } = await build(client, 'turnovergroup');

    expect(await client.get(`/turnovergroup/${id}?fields=name,foo`)).to.be.refused(...says('foo'));
  });

  row('GET single record', 'Primary ID invalid', async (says) => {
    for (const path of ['/order/abc', '/order/0', '/order?id=-5', '/order?id=', '/job/5', '/webhook?id=5']) {
      expect(await client.get(path)).to.be.refused(...says());
    }
  });

  row('GET single record', 'Primary ID not found', async (says) => {
    for (const path of ['/order/999999999', '/order?id=999999999', '/document/info?id=999999999']) {
      expect(await client.get(path)).to.be.refused(...says('id', 999_999_999));
    }
  });

  row('GET single record', 'No primary ID', async (says) => {
    for (const path of ['/document/info', '/vehicle/publishstart', '/webhook']) {
      expect(await client.get(path)).to.be.refused(...says('id'));
    }
  });
});

describe('specification: GET multiple records', () => {
  before(useClient);

  row('GET multiple records', 'Required parameters missing', async (says) => {
    expect(await client.get('/util/list')).to.be.refused(...says('list'));
    expect(await client.get('/util/environment?username=')).to.be.refused(...says('username'));
    expect(await send('GET', '/authenticate?password=x')).to.be.refused(...says('api_key, username'));
  });

  row('GET multiple records', 'Field not in model', async (says) => {
    for (const query of ['fields=id,foo', 'filter=foo[eq]:1', 'sort=-foo', 'expand=foo']) {
      expect(await client.get(`/order?${query}`)).to.be.refused(...says('foo'));
    }
  });

  row('GET multiple records', 'Query parameter not supported', async (says) => {
    expect(await client.get('/order?order_type=1')).to.be.refused(...says('order_type'));
  });

  row('GET multiple records', 'page is 0 or less', async (says) => {
    for (const page of [0, -1, -999]) {
      expect(await client.get(`/order?page=${page}`)).to.be.refused(...says());
    }
  });
});

describe('specification: DELETE', () => {
  before(useClient);

  row('DELETE', 'Primary ID not valid', async (says) => {
    for (const path of ['/order/abc', '/order/0', '/order?id=-1', '/order/1.5']) {
      expect(await client.del(path)).to.be.refused(...says());
    }
  });

  row('DELETE', 'No primary ID', async (says) => {
    expect(await client.del('/order')).to.be.refused(...says());
  });

  row('DELETE', 'Record not found', async (says) => {
    expect(await client.del('/order/999999999')).to.be.refused(...says('id', 999_999_999));
  });

  row('DELETE', 'Referenced elsewhere', async (says) => {
    const { order_id, id } = await build(client, 'orderline');

    expect(await client.del(`/order/${order_id}`)).to.be.refused(...says('id', 'orderline'));
    expect((await client.get(`/orderline/${id}`)).status).to.equal(200);
  });

  row('DELETE', 'System record', async (says) => {
    expect(await client.del('/country/1')).to.be.refused(...says());
    expect((await client.get('/country/1')).status).to.equal(200);
  });
});
