// Payments of invoices: which orders take them, which amount stays open, and that the sum stays between 0 and the
// total, also with requests at once.

import { findWrongAmounts } from '../../../src/business/invoicing/payment/amount-open.ts';
import { amountProblem } from '../../../src/cli/doctor-records.ts';
import { resourceNamed } from '../../../src/core/model/records/registry.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build, buildBuyer, buildInvoice } from '../../support/build/build.ts';
import { addLine, change, invoiceIt, orderIn } from '../../support/build/order.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { force } from '../../support/client/resources.ts';
import { AT_ONCE, atOnce } from '../../support/database/at-once.ts';
import { database } from '../../support/service/service.ts';

const { orderstatuses, ordertypes, paymentmethods } = LISTS;

describe('a payment', () => {
  let client: Client;
  let invoice: { id: number };
  beforeEach(async () => {
    client = await newClient();
    // € 121
    invoice = await buildInvoice(client);
  });

  const body = (amount: number, changes: Json = {}) => ({
    order_id: invoice.id,
    amount,
    paid_at: '2026-05-01',
    method: paymentmethods.PIN,
    ...changes,
  });
  const post = (amount: number, changes: Json = {}) => client.post('/payment', body(amount, changes));
  const pay = async (amount: number, changes: Json = {}) => {
    const answer = await post(amount, changes);
    expect(answer.status, answer.text).to.equal(201);
    return answer.data.id as number;
  };
  const open = async (id = invoice.id) => (await client.get(`/order/${id}`)).data.amount_open;
  const tooMuch = (amount: number) =>
    `Field: [amount] has an invalid value: [${amount}] for validation: [amount open]`;

  it('lowers the open amount of its invoice, and changes no other field', async () => {
    const { data: before, headers } = await client.get(`/order/${invoice.id}`);

    await pay(21);
    const first = await pay(50.5);
    const { data: after } = await client.get(`/order/${invoice.id}?expand=payment`);
    const tag = { 'if-none-match': String(headers.get('etag')) };

    expect(before.amount_open).to.equal(121);
    const { payment, modified_at, ...rest } = after;
    const { modified_at: earlier, ...same } = before;
    expect(rest).to.deep.equal({ ...same, amount_open: 49.5 });
    expect(payment.map(({ amount }: { amount: number }) => amount)).to.deep.equal([21, 50.5]);
    expect(payment[1]).to.include({ id: first, order_id: invoice.id, reference: null });
    expect(modified_at > earlier).to.equal(true);
    expect((await client.get(`/order/${invoice.id}`, tag)).status).to.equal(200);
  });

  it('is logged with the change of its invoice', async () => {
    const id = await pay(21);

    const { data } = await client.get('/audit?sort=-seq&page_size=2');

    expect(data.map(({ resource, record_id }: Json) => [resource, record_id])).to.deep.equal([
      ['order', invoice.id],
      ['payment', id],
    ]);
    expect(data[0].changes).to.deep.equal({ amount_open: [121, 100] });
  });

  it('has a null amount open until the order is invoiced, and the total from then on', async () => {
    const order = await orderIn(client, orderstatuses.READY);
    expect(order.amount_open).to.equal(null);

    const { data } = await invoiceIt(client, order.id);

    expect(data.amount_open).to.equal(121);
  });

  it('can be changed, refunded and deleted, and the open amount follows to the cent', async () => {
    const id = await pay(120.99);
    expect((await client.put(`/payment/${id}`, { amount: 0.1, reference: 'kas' })).status).to.equal(200);
    expect(await open()).to.equal(120.9);

    const second = await pay(0.2);
    await pay(-0.3);
    expect(await open()).to.equal(121);

    expect(await client.del(`/payment/${second}`)).to.be.refused(403, tooMuch(0.2));
    expect(await open()).to.equal(121);
  });

  it('never brings the paid sum above the total or below 0', async () => {
    expect(await post(121.01)).to.be.refused(403, tooMuch(121.01));
    expect(await post(-0.01)).to.be.refused(403, tooMuch(-0.01));
    const id = await pay(121);

    expect(await open()).to.equal(0);
    expect(await post(0.01)).to.be.refused(403, tooMuch(0.01));
    expect(await client.put(`/payment/${id}`, { amount: 121.004 })).to.have.property('status', 200);
    expect(await client.put(`/payment/${id}`, { amount: 121.005 })).to.be.refused(403, tooMuch(121.005));
    expect(await client.put(`/payment/${id}`, { amount: -1 })).to.be.refused(403, tooMuch(-1));
    expect(await open()).to.equal(0);
  });

  it("can't be deleted while refunds depend on it", async () => {
    const id = await pay(100);
    const refund = await pay(-30);

    expect(await client.del(`/payment/${id}`)).to.be.refused(403, tooMuch(100));
    expect((await client.del(`/payment/${refund}`)).status).to.equal(200);
    expect((await client.del(`/payment/${id}`)).status).to.equal(200);
    expect(await open()).to.equal(121);
  });

  it('of a credit note has an amount below 0', async () => {
    const { contact_id } = (await client.get(`/order/${invoice.id}`)).data;
    // The invoice has no open amount, so the credit note is to be paid back.
    await pay(121);
    const note = await build(client, 'order', {
      order_type: ordertypes.INTERNAL_REVERSAL,
      contact_id,
      credited_order_id: invoice.id,
    });
    await addLine(client, note.id, { quantity: -1, price: 100 });
    expect((await invoiceIt(client, note.id)).data.amount_open).to.equal(-121);

    const of = { order_id: note.id };
    expect(await post(1, of)).to.be.refused(403, tooMuch(1));
    expect(await post(-121.01, of)).to.be.refused(403, tooMuch(-121.01));
    await pay(-100, of);
    await pay(20, of);
    expect(await open(note.id)).to.equal(-41);
    expect(await open()).to.equal(0);
  });

  it('is accepted for invoices only', async () => {
    for (const [name, status] of Object.entries(orderstatuses)) {
      if (status === orderstatuses.INVOICE) continue;
      const { id } = await orderIn(client, status);

      expect(await post(1, { order_id: id })).to.be.refused(
        409,
        `[order] is [${name.toLowerCase()}], cannot add/update/delete`,
      );
    }
  });

  it("can't be changed if its order is no longer an invoice", async () => {
    const id = await pay(1);
    await force(resourceNamed('order'), invoice.id, { order_status: orderstatuses.READY });

    const message = '[order] is [ready], cannot add/update/delete';
    expect(await client.put(`/payment/${id}`, { amount: 2 })).to.be.refused(409, message);
    expect(await client.del(`/payment/${id}`)).to.be.refused(409, message);
  });

  it("can't move to another invoice, or come in the request of a new order", async () => {
    const id = await pay(1);
    const other = await buildInvoice(client);

    expect(await client.put(`/payment/${id}`, { order_id: other.id })).to.be.refused(
      409,
      'Cannot update [order_id]',
    );
    const { id: contact_id } = await buildBuyer(client);
    const order = { order_type: ordertypes.WORKSHOP, order_date: '2026-05-01', contact_id };
    expect(await client.post('/order', { ...order, payment: [body(1)] })).to.be.refused(
      403,
      'Field: [payment] not found in model',
    );
  });

  it('does not exceed the total together with simultaneous payments', async () => {
    const answers = await atOnce(client, ['order', invoice.id], () => post(60));

    expect(answers.map(({ status }) => status).sort()).to.deep.equal([
      201,
      201,
      ...Array(AT_ONCE - 2).fill(403),
    ]);
    expect(await open()).to.equal(1);
  });

  it('is not deleted while a simultaneous refund depends on it', async () => {
    const ids = [await pay(60), await pay(60)];

    const answers = await atOnce(client, ['order', invoice.id], (index) =>
      index < 2 ? client.del(`/payment/${ids[index]}`) : post(-60),
    );

    const done = answers.filter(({ status }) => status < 300).length;
    expect(done).to.equal(2);
    expect(await open()).to.equal(121);
  });

  it('is found by lists of unpaid invoices, sorted by due date', async () => {
    const paid = await buildInvoice(client);
    await pay(121, { order_id: paid.id });
    await orderIn(client, orderstatuses.READY);

    const { data } = await client.get('/order?filter=amount_open[gt]:0&sort=due_date&fields=amount_open');

    expect(data).to.deep.equal([{ id: invoice.id, amount_open: 121 }]);
    expect((await client.get('/order?sort=-amount_open&fields=id&page_size=1')).data).to.deep.equal([
      { id: invoice.id },
    ]);
  });

  it('belongs to one garage: another garage can neither see nor pay the invoices', async () => {
    const id = await pay(1);
    const other = await newClient();

    expect(await other.post('/payment', body(1))).to.be.refused(
      404,
      `Field: [order_id] value: [${invoice.id}] ID not found`,
    );
    expect((await other.del(`/payment/${id}`)).status).to.equal(404);
    expect((await other.get('/payment')).data).to.deep.equal([]);
    expect(await open()).to.equal(120);
  });

  it('leaves more to pay if its invoice gets a line during an import', async () => {
    await pay(21);
    const order = resourceNamed('order');
    await force(order, invoice.id, { order_status: orderstatuses.READY });

    await addLine(client, invoice.id, { price: 10 });

    expect(await open()).to.equal(112.1);
    await force(order, invoice.id, { order_status: orderstatuses.INVOICE });
    await pay(112.1);
    expect(await open()).to.equal(0);
  });

  it('is compared with the open amount of its invoice by doctor', async () => {
    const other = await buildInvoice(client);
    await pay(1);
    const wrong = async () =>
      (await findWrongAmounts(database(), 1_000_000)).filter(({ owner }) => owner === client.garage.owner);
    expect(await wrong()).to.deep.equal([]);

    await force(resourceNamed('order'), invoice.id, { amount_open: '120.01' });
    await force(resourceNamed('order'), other.id, { amount_open: null });

    expect((await wrong()).map(({ id }) => id)).to.deep.equal([invoice.id, other.id]);
    expect(await amountProblem(database())).to.include('changed by SQL?');
    // Other tests of the process ask doctor too.
    await force(resourceNamed('order'), invoice.id, { amount_open: '120.00' });
    await force(resourceNamed('order'), other.id, { amount_open: '121.00' });
    expect(await wrong()).to.deep.equal([]);
  });

  it('is refused by a blocked invoice, and by a user who may only read', async () => {
    const order = await orderIn(client, orderstatuses.READY);
    await change(client, order.id, { order_status: orderstatuses.INVOICE, is_blocked: 1 });
    const reader = await newClient({ owner: client.garage.owner, role: 'READONLY' });

    expect(await post(1, { order_id: order.id })).to.be.refused(
      409,
      'This is a blocked record, fields cannot be changed, only update: is_blocked',
    );
    expect((await reader.post('/payment', body(1))).status).to.equal(403);
    expect((await reader.get('/payment')).status).to.equal(200);
  });
});
