// Payments in cash: the legal limit over a sale with its deposits and credit notes, and the rounding to five cents.

import { LISTS } from '../../../src/core/trade/lists.ts';
import { build, buildInvoice } from '../../support/build/build.ts';
import { addLine, invoiceIt, orderIn } from '../../support/build/order.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { AT_ONCE, atOnce } from '../../support/database/at-once.ts';

const { ordertypes, orderstatuses, paymentmethods, linekinds } = LISTS;
const { CASH, PIN } = paymentmethods;

describe('cash', () => {
  let client: Client;
  beforeEach(async () => {
    client = await newClient();
  });

  const post = (order_id: number, amount: number, changes: Json = {}) =>
    client.post('/payment', { order_id, amount, paid_at: '2026-05-01', method: CASH, ...changes });
  const pay = async (order_id: number, amount: number, changes: Json = {}) => {
    const answer = await post(order_id, amount, changes);
    expect(answer.status, answer.text).to.equal(201);
    return answer.data;
  };
  const credited = async (order_id: number) =>
    (await client.post('/order/credit', { order_id, is_invoiced: 1 })).data;

  describe('beyond the limit', () => {
    const refused = (amount: number) =>
      `Field: [amount] has an invalid value: [${amount}] for validation: [cash limit]`;
    /** € 12,100 */
    const sale = () => buildInvoice(client, {}, { price: 10_000 });

    it('is refused from € 3,000 on, in one payment or in several', async () => {
      const { id } = await sale();

      expect(await post(id, 3000)).to.be.refused(403, refused(3000));
      await pay(id, 2000);
      expect(await post(id, 1000)).to.be.refused(403, refused(1000));
      await pay(id, 999.99);
      await pay(id, 9100, { method: PIN });
    });

    it('counts from the day of the payment on the calendar of the garage', async () => {
      const { id } = await sale();

      await pay(id, 5000, { paid_at: '2025-12-31T22:59:59Z' });
      expect(await post(id, 3000, { paid_at: '2025-12-31T23:00:00Z' })).to.be.refused(403, refused(3000));
      await pay(id, 2999.99, { paid_at: '2025-12-31T23:00:00Z' });
    });

    it('is refused when the amount, the method or the day changes', async () => {
      const { id } = await sale();
      const card = await pay(id, 3000, { method: PIN });
      const cash = await pay(id, 2999);
      const early = await pay(id, 3000, { paid_at: '2025-06-01' });

      expect(await client.put(`/payment/${card.id}`, { method: CASH })).to.be.refused(403, refused(3000));
      expect(await client.put(`/payment/${cash.id}`, { amount: 3000 })).to.be.refused(403, refused(3000));
      expect(await client.put(`/payment/${early.id}`, { paid_at: '2026-06-01' })).to.be.refused(
        403,
        refused(3000),
      );
      expect((await client.put(`/payment/${cash.id}`, { amount: 2999.5, reference: 'kas' })).status).to.equal(
        200,
      );
    });

    /** An order of € 12,100 and a deposit of € 5,000 for it, which is an invoice. */
    const depositFor = async () => {
      const { id: order_id } = await orderIn(client, orderstatuses.QUOTATION);
      await addLine(client, order_id, { price: 9900 });
      const made = await client.post('/order/deposit', { order_id, amount: 5000 });
      expect(made.status, made.text).to.equal(201);
      expect((await invoiceIt(client, made.data.id)).status).to.equal(200);
      return { order_id, deposit: Number(made.data.id) };
    };

    it('counts a sale, its deposits and their credit notes together, receipts apart from refunds', async () => {
      const { order_id, deposit } = await depositFor();
      await pay(deposit, 2000);
      await pay(deposit, 3000, { method: PIN });
      const target = (await invoiceIt(client, order_id)).data;
      expect(target.amount_open).to.equal(7100);
      expect(await post(order_id, 1000)).to.be.refused(403, refused(1000));
      await pay(order_id, 999.99);
      await pay(order_id, 6100.01, { method: PIN });

      const note = await credited(order_id);
      expect(note.amount_open).to.equal(-7100);
      await pay(note.id, -1500);
      const back = await credited(deposit);
      expect(await post(back.id, -1500)).to.be.refused(403, refused(-1500));
      await pay(back.id, -1499.99);
      expect(await post(note.id, -0.01)).to.be.refused(403, refused(-0.01));
    });

    it('counts an order by itself that names another one as credited but is no credit note', async () => {
      const first = await sale();
      await pay(first.id, 2999.99);
      const other = await buildInvoice(client, { credited_order_id: first.id }, { price: 10_000 });

      await pay(other.id, 2999.99);

      expect(await post(first.id, 0.01)).to.be.refused(403, refused(0.01));
    });

    it('counts the other deposits of an order that is no invoice yet', async () => {
      const { order_id, deposit } = await depositFor();
      const other = (await client.post('/order/deposit', { order_id, amount: 4000 })).data;
      await invoiceIt(client, other.id);
      await pay(deposit, 2999.99);

      expect(await post(other.id, 0.01)).to.be.refused(403, refused(0.01));
    });

    it('is free for work alone, and not for goods', async () => {
      const work = await buildInvoice(client, {}, { price: 10_000, line_kind: linekinds.LABOUR });
      await pay(work.id, 12_100);

      const mixed = await build(client, 'order', {
        order_type: ordertypes.WORKSHOP,
        contact_id: work.contact_id,
      });
      for (const line_kind of [linekinds.LABOUR, linekinds.ARTICLE])
        await build(client, 'orderline', {
          order_id: mixed.id,
          line_kind,
          price: 2000,
          quantity: 1,
          vat_code: 1,
        });
      await client.put(`/order/${mixed.id}`, { order_status: LISTS.orderstatuses.INVOICE });
      expect(await post(mixed.id, 3000)).to.be.refused(403, refused(3000));
    });

    it('is refused to simultaneous payments for an order and its deposit', async () => {
      const { order_id, deposit } = await depositFor();
      await invoiceIt(client, order_id);

      const answers = await atOnce(client, ['order', order_id], (index) =>
        post([order_id, deposit][index % 2] ?? 0, 2000),
      );

      expect(answers.map(({ status }) => status).sort()).to.deep.equal([
        201,
        ...Array(AT_ONCE - 1).fill(403),
      ]);
    });
  });

  describe('of a garage that rounds', () => {
    beforeEach(async () => {
      const { owner } = client.garage;
      expect((await client.put(`/owner/${owner}`, { is_cash_rounded: 1 })).status).to.equal(200);
    });
    const open = async (id: number) => (await client.get(`/order/${id}`)).data.amount_open;
    /** € 10.02, or another price without VAT. */
    const sale = (price = 10.02) => buildInvoice(client, {}, { price, vat_code: LISTS.vatcodes.OUTSIDE });

    it('closes an invoice if one or two cents are missing or too much', async () => {
      const rounded: [price: number, paid: number, rounding: number][] = [
        [10.02, 10, 0.02],
        [10.01, 10, 0.01],
        [10.03, 10.05, -0.02],
        [10.04, 10.05, -0.01],
        [10.05, 10.05, 0],
      ];
      for (const [price, paid, rounding] of rounded) {
        const { id } = await sale(price);

        expect((await pay(id, paid)).rounding).to.equal(rounding);
        expect(await open(id)).to.equal(0);
      }
    });

    it('does not round three cents, or payments by other methods', async () => {
      const { id } = await sale(10.03);

      expect((await pay(id, 10)).rounding).to.equal(0);
      expect(await open(id)).to.equal(0.03);
      const other = await sale();
      expect((await pay(other.id, 10, { method: PIN })).rounding).to.equal(0);
      expect(await post(other.id, 0.05)).to.have.property('status', 403);
    });

    it('rounds the refund of a credit note', async () => {
      const { id } = await sale(10.03);
      await pay(id, 10.03, { method: PIN });
      const note = await credited(id);

      expect((await pay(note.id, -10.05)).rounding).to.equal(0.02);
      expect(await open(note.id)).to.equal(0);
    });

    it('rounds again when the payment changes, and forgets the rounding when it is deleted', async () => {
      const { id } = await sale();
      const payment = await pay(id, 10);
      const change = async (body: Json) => {
        const answer = await client.put(`/payment/${payment.id}`, body);
        expect(answer.status, answer.text).to.equal(200);
        return [answer.data.rounding, await open(id)];
      };

      expect(await change({ reference: 'kas' })).to.deep.equal([0.02, 0]);
      expect(await change({ amount: 9 })).to.deep.equal([0, 1.02]);
      expect(await change({ amount: 10 })).to.deep.equal([0.02, 0]);
      expect(await change({ method: PIN })).to.deep.equal([0, 0.02]);
      expect(await change({ method: CASH })).to.deep.equal([0.02, 0]);
      expect((await client.del(`/payment/${payment.id}`)).status).to.equal(200);
      expect(await open(id)).to.equal(10.02);
    });

    it('keeps the sum between 0 and the total', async () => {
      const { id } = await sale();
      await pay(id, 10);

      for (const amount of [0.01, 0.02, 0.05])
        expect(await post(id, amount)).to.be.refused(
          403,
          `Field: [amount] has an invalid value: [${amount}] for validation: [amount open]`,
        );
      expect(
        await client.post('/payment', {
          order_id: id,
          amount: 1,
          rounding: 1,
          paid_at: '2026-05-01',
          method: CASH,
        }),
      ).to.be.refused(403, 'Field: [rounding] is readonly do not supply in request');
    });
  });
});
