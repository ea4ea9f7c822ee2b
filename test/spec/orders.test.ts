// The specification's rows about orders and their lines: what a status forbids, and how an order becomes an invoice.
import { LISTS } from '../../src/core/trade/lists.ts';
import { build, buildBuyer, buildInvoice } from '../support/build/build.ts';
import { type Client, type Json, newClient } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { row, says } from './row.ts';

const TABLE = 'Per endpoint';
const { INVOICE, CANCELLED } = LISTS.orderstatuses;

describe('specification: orders', () => {
  let client: Client;
  let invoice: { id: number };
  let cancelled: { id: number };
  let line: Json;
  before(async () => {
    client = await newClient();
    invoice = await buildInvoice(client);
    cancelled = await build(client, 'order');
    await build(client, 'orderline', { order_id: cancelled.id });
    await client.put(`/order/${cancelled.id}`, { order_status: CANCELLED });
    line = { line_kind: 1, description: 'Oil', quantity: 1, price: 10, vat_code: 1 };
  });

  const lineOf = async ({ id }: { id: number }) =>
    (await client.get(`/orderline?filter=order_id:${id}`)).data[0].id as number;

  const onLine = 'POST/PUT/DELETE /orderline | Parent status forbids change';

  row(TABLE, onLine, 'POST', async (says) => {
    const add = ({ id }: { id: number }) => client.post('/orderline', { ...line, order_id: id });

    expect(await add(invoice)).to.be.refused(...says('order', 'invoice'));
    expect(await add(cancelled)).to.be.refused(...says('order', 'cancelled'));
  });

  row(TABLE, onLine, 'PUT', async (says) => {
    const change = async (order: { id: number }) =>
      client.put(`/orderline/${await lineOf(order)}`, { price: 1 });

    expect(await change(invoice)).to.be.refused(...says('order', 'invoice'));
    expect(await change(cancelled)).to.be.refused(...says('order', 'cancelled'));
  });

  row(TABLE, onLine, 'DELETE', async (says) => {
    const remove = async (order: { id: number }) => client.del(`/orderline/${await lineOf(order)}`);

    expect(await remove(invoice)).to.be.refused(...says('order', 'invoice'));
    expect(await remove(cancelled)).to.be.refused(...says('order', 'cancelled'));
  });

  const onOrder = 'POST/PUT/DELETE /order | Status forbids change';

  // A new order has no status that could forbid a line, so POST adds the line to an existing order.
  row(TABLE, onOrder, 'POST', async (says) => {
    const { id } = await build(client, 'flatrate');
    const add = (order: { id: number }) => client.post(`/order/${order.id}/flatrate`, { flatrate_id: id });

    expect(await add(invoice)).to.be.refused(...says('order', 'invoice'));
    expect(await add(cancelled)).to.be.refused(...says('order', 'cancelled'));
  });

  row(TABLE, onOrder, 'PUT', async (says) => {
    for (const body of [{ reference: 'B' }, { order_status: CANCELLED }, { is_archived: 1 }]) {
      expect(await client.put(`/order/${invoice.id}`, body)).to.be.refused(...says('order', 'invoice'));
    }
    expect(await client.put(`/order/${cancelled.id}`, { reference: 'B' })).to.be.refused(
      ...says('order', 'cancelled'),
    );
  });

  row(TABLE, onOrder, 'DELETE', async (says) => {
    expect(await client.del(`/order/${invoice.id}`)).to.be.refused(...says('order', 'invoice'));
    expect(await client.del(`/order/${cancelled.id}`)).to.be.refused(...says('order', 'cancelled'));
  });

  row('States and transitions', 'order, any status before invoice | not shown | not shown', async () => {
    const order = await build(client, 'order', { order_type: 1, contact_id: (await buildBuyer(client)).id });
    await build(client, 'orderline', { ...line, order_id: order.id });

    const { data } = await client.put(`/order/${order.id}`, { order_status: INVOICE });

    expect(data).to.include({ is_invoiced: 1, order_status: INVOICE, total_net: 10 });
    expect((await client.put(`/order/${order.id}`, { reference: 'B' })).status).to.equal(409);
  });

  row('States and transitions', 1, async () => {
    const { data } = await client.get(`/order/${invoice.id}`);

    expect(data.is_invoiced).to.equal(1);
    for (const order_status of Object.values(LISTS.orderstatuses)) {
      expect((await client.put(`/order/${invoice.id}`, { order_status })).status).to.equal(409);
    }
    expect((await client.get(`/order/${invoice.id}`)).data).to.deep.equal(data);
  });

  row('States and transitions', 2, async () => {
    const before = (await client.get(`/order/${invoice.id}?expand=orderline`)).data;
    const id = await lineOf(invoice);

    const answers = [
      await client.post('/orderline', { ...line, order_id: invoice.id }),
      await client.put(`/orderline/${id}`, { price: 1 }),
      await client.del(`/orderline/${id}`),
      await client.put(`/order/${invoice.id}`, { reference: 'B' }),
      await client.del(`/order/${invoice.id}`),
    ];

    for (const answer of answers) expect(answer).to.be.refused(...says(TABLE, onOrder, 'order', 'invoice'));
    expect((await client.get(`/order/${invoice.id}?expand=orderline`)).data).to.deep.equal(before);
  });

  const order = 'POST / PUT / DELETE | /order';
  const orderLine = 'POST / PUT / DELETE | /orderline';

  row('Endpoints', order, 'POST', async () => {
    const { id } = await build(client, 'contact');

    const answer = await client.post('/order', { order_type: 1, order_date: '2026-05-01', contact_id: id });

    expect(answer.status).to.equal(201);
    expect(answer.data).to.include({ order_type: 1, is_invoiced: 0 });
  });

  row('Endpoints', order, 'PUT', async () => {
    const { id } = await build(client, 'order');

    expect((await client.put('/order', { id, reference: 'B' })).data).to.include({ id, reference: 'B' });
  });

  row('Endpoints', order, 'DELETE', async () => {
    const { id } = await build(client, 'order');

    expect((await client.del(`/order/${id}`)).status).to.equal(200);
    expect((await client.get(`/order/${id}`)).status).to.equal(404);
  });

  row('Endpoints', orderLine, 'POST', async () => {
    const order = await build(client, 'order', { order_type: 1 });

    const answer = await client.post('/orderline', { ...line, order_id: order.id });

    expect(answer.status).to.equal(201);
    expect((await client.get(`/order/${order.id}`)).data).to.include({ total_net: 10, total_gross: 12.1 });
  });

  row('Endpoints', orderLine, 'PUT', async () => {
    const { id } = await build(client, 'orderline');

    expect((await client.put(`/orderline/${id}`, { quantity: 3, price: 5 })).data.line_net).to.equal(15);
  });

  row('Endpoints', orderLine, 'DELETE', async () => {
    const { id } = await build(client, 'orderline');

    expect((await client.del(`/orderline/${id}`)).status).to.equal(200);
    expect((await client.get(`/orderline/${id}`)).status).to.equal(404);
  });
});
