// Payments in cash: the legal limit over a sale with its deposits and credit notes, and the rounding to five cents.

import { resourceNamed } from '../../src/model/registry.ts';
import { LISTS } from '../../src/trade/lists.ts';
import { AT_ONCE, atOnce } from '../support/at-once.ts';
import { build, buildInvoice } from '../support/build.ts';
import { type Client, type Json, newClient } from '../support/client.ts';
import { expect } from '../support/expect.ts';
import { force } from '../support/resources.ts';

const { ordertypes, paymentmethods, linekinds } = LISTS;
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

    it('is refused to a change of the amount, the method or the day', async () => {
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

    it('counts a sale, its deposits and their credit notes together, receipts apart from refunds', async () => {
      const [target, deposit] = [await sale(), await sale()];
      await force(resourceNamed('order'), deposit.id, { deposit_of_order_id: target.id });
      await pay(deposit.id, 2000);
      expect(await post(target.id, 1000)).to.be.refused(403, refused(1000));
      await pay(target.id, 11_900, { method: PIN });

      const note = await credited(target.id);
      expect(note.amount_open).to.equal(-11_900);
      await pay(note.id, -2999.99);
      expect(await post(deposit.id, -0.01)).to.be.refused(403, refused(-0.01));
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

    it('is not paid by several requests at once, on an order and its deposit', async () => {
      const [target, deposit] = [await sale(), await sale()];
      await force(resourceNamed('order'), deposit.id, { deposit_of_order_id: target.id });

      const answers = await atOnce(client, ['order', target.id], (index) =>
        post([target.id, deposit.id][index % 2] ?? 0, 2000),
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

    it('closes an invoice of which one or two cents are left, or are too much', async () => {
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

    it('does not round three cents, nor what is paid otherwise', async () => {
      const { id } = await sale(10.03);

      expect((await pay(id, 10)).rounding).to.equal(0);
      expect(await open(id)).to.equal(0.03);
      const other = await sale();
      expect((await pay(other.id, 10, { method: PIN })).rounding).to.equal(0);
      expect(await post(other.id, 0.05)).to.have.property('status', 403);
    });

    it('rounds what is paid back of a credit note', async () => {
      const { id } = await sale(10.03);
      await pay(id, 10.03, { method: PIN });
      const note = await credited(id);

      expect((await pay(note.id, -10.05)).rounding).to.equal(0.02);
      expect(await open(note.id)).to.equal(0);
    });

    it('follows a change of the payment, and goes with it', async () => {
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

      const refused = 'Field: [amount] has an invalid value: [0.05] for validation: [amount open]';
      expect(await post(id, 0.05)).to.be.refused(403, refused);
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
