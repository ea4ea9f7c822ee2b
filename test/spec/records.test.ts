// The specification's rules of lists (filtering, field selection) and of record operations.
import { build, buildInvoice } from '../support/build/build.ts';
import { type Answer, type Client, newClient } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { row, says } from './row.ts';

const POST = 'POST (add one item)';
const idsOf = ({ data }: Answer) => data.map(({ id }: { id: number }) => id);

let client: Client;
const useClient = async () => {
  client = await newClient();
};

describe('specification: lists', () => {
  const LIST = 'Filtering and field selection on list endpoints';
  let sale: { id: number };
  let invoice: { id: number };
  before(async () => {
    await useClient();
    sale = await build(client, 'order', { order_type: 2 });
    invoice = await buildInvoice(client, { reference: 'a,b & c' });
  });

  const filtered = (filter: string) => client.get(`/order?filter=${encodeURIComponent(filter)}`);

  row(LIST, 1, async () => {
    expect(idsOf(await filtered(`id[eq]:${sale.id}`))).to.deep.equal([sale.id]);
    expect(idsOf(await filtered('reference[eq]:"a,b & c"'))).to.deep.equal([invoice.id]);
    expect((await filtered('order_type[is]:1')).status).to.equal(400);
  });

  row(LIST, 2, async () => {
    const { data } = await client.get('/order?fields=order_number,is_invoiced');

    for (const order of data) expect(order).to.have.all.keys('id', 'order_number', 'is_invoiced');
  });

  row(LIST, 3, async () => {
    expect(idsOf(await filtered('is_invoiced[eq]:1'))).to.deep.equal([invoice.id]);
    expect(idsOf(await filtered('order_type[eq]:2'))).to.deep.equal([sale.id]);
  });

  row(LIST, 4, async () => {
    expect((await client.get('/order?limit=5')).status).to.equal(400);
    expect((await client.get('/order?fields=id&fields=id')).status).to.equal(400);
  });

  row(LIST, 5, async () => {
    expect((await client.get('/util/list')).status).to.equal(400);
    expect((await client.get('/util/environment')).status).to.equal(400);
  });

  row('Endpoints', 'GET | /order', async () => {
    const query = 'page=2&page_size=1&fields=order_type&filter=order_type[in]:1%7C2';

    const { body } = await client.get(`/order?${query}`);

    expect(body.data).to.deep.equal([{ id: invoice.id, order_type: 1 }]);
    expect(body).to.include({ page: 2, page_size: 1, has_more: false });
  });

  row('Limits', 'page', async () => {
    expect((await client.get('/order?page=1')).status).to.equal(200);
    for (const page of ['0', '-1', '', 'x', '1.5']) {
      expect(await client.get(`/order?page=${page}`)).to.be.refused(
        ...says('GET multiple records', 'page is 0 or less'),
      );
    }
  });
});

describe('specification: record operations', () => {
  const RULES = 'Record operation rules';
  before(useClient);

  row(RULES, 1, async () => {
    const answer = await client.post('/order', { id: 1, is_invoiced: 1, foo: 1 });

    expect(answer.body.errors.map(({ message }: { message: string }) => message)).to.deep.equal([
      says(POST, 'Primary ID supplied', 'id')[1],
      says(POST, 'Readonly field supplied', 'is_invoiced')[1],
      says(POST, 'Field not in model', 'foo')[1],
    ]);
    expect(await client.post('/order', { reference: 'B' })).to.be.refused(
      ...says(POST, 'Required field missing', 'order_type'),
    );
    expect((await client.get('/order')).data).to.deep.equal([]);
  });

  row(RULES, 2, async () => {
    const group = await build(client, 'turnovergroup');

    expect((await client.put('/turnovergroup', { name: 'B' })).status).to.equal(403);
    expect((await client.put('/turnovergroup', { id: group.id, name: '' })).status).to.equal(403);
    expect((await client.get(`/turnovergroup/${group.id}`)).data).to.deep.equal(group);
  });

  row(RULES, 3, async () => {
    const wrong = { order_type: 'x', reference: 'x'.repeat(61), order_date: '2026-13-01', mileage: -1 };

    const { body } = await client.post('/order', wrong);

    expect(body.errors.map(({ code }: { code: string }) => code)).to.deep.equal([
      'value_wrong_type',
      'value_too_long',
      'value_wrong_type',
      'value_invalid',
    ]);
  });

  row(RULES, 4, async () => {
    const { id, contact_id } = await build(client, 'order');

    expect((await client.del(`/contact/${contact_id}`)).status).to.equal(406);
    expect((await client.del(`/order/${id}`)).status).to.equal(200);
    expect((await client.del(`/contact/${contact_id}`)).status, 'no longer').to.equal(200);
  });
});
