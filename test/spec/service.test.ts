// The specification's rules about the service, the states of a record, and all resources.
import { resourceNamed } from '../../src/core/model/records/registry.ts';
import { build, buildInvoice } from '../support/build/build.ts';
import { type Client, type Json, newClient, send } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { force } from '../support/client/resources.ts';
import { theService } from '../support/service/service.ts';
import { row, says } from './row.ts';

let client: Client;
const useClient = async () => {
  client = await newClient();
};

describe('specification: what the service does', () => {
  before(useClient);

  row('What the service does', 1, async () => {
    const { data } = await client.get('/authenticate/acces');
    const open: string[] = [];

    for (const { method, endpoint } of data as { method: string; endpoint: string }[]) {
      if ((await send(method, endpoint)).status !== 401) open.push(endpoint);
    }

    expect(data).to.have.length.above(50);
    expect([...new Set(open)]).to.deep.equal(['/authenticate']);
  });

  row('What the service does', 2, async () => {
    const added = await client.post('/turnovergroup', { code: 'A', name: 'Labour', vat_code: 1 });
    const { id } = added.data;
    const fetched = await client.get(`/turnovergroup?id=${id}`);
    const updated = await client.put(`/turnovergroup?id=${id}`, { name: 'Parts' });
    const listed = await client.get('/turnovergroup');
    const removed = await client.del(`/turnovergroup?id=${id}`);

    expect(added.status).to.equal(201);
    expect(fetched.data).to.deep.equal(added.data);
    expect(updated.data).to.include({ id, name: 'Parts' });
    expect(listed.data).to.deep.equal([updated.data]);
    expect(removed.data).to.deep.equal({ id });
    expect((await client.get('/turnovergroup')).data).to.deep.equal([]);
  });

  row('What the service does', 4, async () => {
    const invoice = await buildInvoice(client);

    const orders = await client.get('/order');

    expect(orders.data).to.deep.include(invoice);
    expect(await client.get('/invoice')).to.be.refused(400, 'Invalid endpoint: [/invoice]');
  });

  row('What the service does', 5, async () => {
    const page = await send('GET', `${theService().url}/swagger/`);

    expect(page.status, page.text).to.equal(200);
    expect(page.headers.get('content-type')).to.include('text/html');
    expect(page.text)
      .to.match(/<html[^>]* lang="en"/)
      .and.match(/swagger/i);
  });
});

describe('specification: states', () => {
  before(useClient);

  row('States and transitions', 3, async () => {
    const { id } = await build(client, 'turnovergroup');
    const at = `/turnovergroup/${id}`;

    for (const flag of ['is_blocked', 'is_archived']) {
      await client.put(at, { [flag]: 1 });
      expect((await client.put(at, { name: 'B' })).status).to.equal(409);
      expect((await client.put(at, { [flag]: 0, name: 'B' })).status).to.equal(409);
      expect((await client.put(at, { [flag]: 0 })).status).to.equal(200);
    }
    await force(resourceNamed('turnovergroup'), id, { is_system: 1 });
    expect(await client.put(at, { is_blocked: 1 })).to.be.refused(...says('PUT', 'System record'));
    expect(await client.del(at)).to.be.refused(...says('DELETE', 'System record'));
  });

  row('Other resources', 'any record', async () => {
    const { id } = await build(client, 'turnovergroup', { is_blocked: 1, is_archived: 1 });
    const put = (body: Json) => client.put(`/turnovergroup/${id}`, body);

    expect(await put({ is_archived: 0 })).to.be.refused(...says('PUT', 'Blocked record'));
    expect((await put({ is_blocked: 0 })).data).to.include({ is_blocked: 0, is_archived: 1 });
    expect(await put({ is_blocked: 1 })).to.be.refused(...says('PUT', 'Archived record'));
    expect((await put({ is_archived: 0 })).data).to.include({ is_blocked: 0, is_archived: 0 });
  });

  row('Other resources', 'flatrateline', async () => {
    const line = await build(client, 'flatrateline');

    expect(line).to.include.keys(
      ...['article_id', 'article_number', 'article_kind', 'unit_type', 'quantity', 'price'],
      ...['turnover_group_id', 'is_manual_input', 'is_no_article_price', 'sort_order'],
    );
  });
});
