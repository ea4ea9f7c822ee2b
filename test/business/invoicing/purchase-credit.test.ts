// The credit note of a purchase: its number, its VAT codes, and the number of the seller that it frees.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build } from '../../support/build/build.ts';
import { addLine, change, invoiceIt, read } from '../../support/build/order.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { invalid } from '../../support/client/message.ts';
import { purchasing } from './purchasing.ts';

const { MARGIN, REVERSE_CHARGE } = LISTS.vatcodes;
const { INTERNAL_REVERSAL, VEHICLE_PURCHASE } = LISTS.ordertypes;
const { CUSTOMER } = LISTS.stockstatuses;
const { TEXT } = LISTS.linekinds;

describe('a purchase', () => {
  let client: Client;
  let vehicle: number;
  beforeEach(async () => {
    client = await newClient();
    vehicle = (await build(client, 'vehicle')).id;
  });

  const { buy, bought, dealer, ownInvoice, ofDealer, numbered } = purchasing(
    () => client,
    () => vehicle,
  );

  describe('that is credited', () => {
    const credit = (order_id: number, more: Json = {}) =>
      client.post('/order/credit', { order_id, is_invoiced: 1, ...more });

    it('takes its number from the series of the purchase, and settles it', async () => {
      const seller = await dealer();
      const { contact_number } = (await client.get(`/contact/${seller}`)).data;
      const purchases = [
        await bought({}),
        await bought(ofDealer(seller)),
        await bought(await ownInvoice(seller, '117')),
      ];

      const credits: Json[] = [];
      for (const { id } of purchases) credits.push((await credit(id)).data);

      expect(credits.map(({ invoice_number }) => invoice_number)).to.deep.equal([
        numbered('IV-', 2),
        numbered(`F${contact_number}-`, 2),
        null,
      ]);
      expect(credits.map(({ amount_open }) => amount_open)).to.deep.equal([0, 0, 0]);
      const { data } = await client.get('/payment?sort=-id&page_size=2');
      expect(data.map(({ reference }: Json) => reference)).to.deep.equal(['117', null]);
    });

    it('may have the number of the seller’s own credit note', async () => {
      const contact_id = await dealer();
      const purchase = await bought(await ownInvoice(contact_id, '117'));
      const { data } = await client.post('/order/credit', { order_id: purchase.id });

      await change(client, data.id, { supplier_invoice_number: 'C-117' });
      const credited = await invoiceIt(client, data.id);

      expect(credited.data).to.include({ supplier_invoice_number: 'C-117', invoice_number: null });
    });

    it('frees the number of the seller’s invoice', async () => {
      const contact_id = await dealer();
      const purchase = await bought(await ownInvoice(contact_id, '117'));
      const { data } = await client.post('/order/credit', { order_id: purchase.id });
      const body = {
        order_type: VEHICLE_PURCHASE,
        order_date: '2026-05-01',
        ...(await ownInvoice(contact_id, '117')),
      };

      expect((await client.post('/order', body)).status).to.equal(409);
      await invoiceIt(client, data.id);

      expect((await client.post('/order', body)).status).to.equal(201);
      expect((await client.post('/order', body)).status).to.equal(409);
    });

    it('is credited as a whole only', async () => {
      const { id, contact_id } = await bought({});
      const [line] = (await read(client, id)).orderline;
      const half = await credit(id, { orderline: [{ id: line.id, quantity: 0.5 }] });
      const byHand = await build(client, 'order', {
        order_type: INTERNAL_REVERSAL,
        contact_id,
        credited_order_id: id,
      });
      const part = await addLine(client, byHand.id, { quantity: -1, price: 8_000, vat_code: MARGIN });

      expect(half).to.be.refused(403, invalid('orderline', 1, 'whole order'));
      expect(await invoiceIt(client, byHand.id)).to.be.refused(
        403,
        invalid('total_gross', -8000, 'whole order'),
      );
      await client.put(`/orderline/${part.id}`, { price: 8_500 });
      const { data } = await invoiceIt(client, byHand.id);
      expect(data).to.include({ invoice_number: numbered('IV-', 2), amount_open: 0 });
      expect((await read(client, byHand.id)).orderline[0].margin_vat).to.equal(0);
    });

    it('is credited as a whole without its texts, and the car leaves the stock', async () => {
      const { id } = await buy({});
      const text = { line_kind: TEXT, description: '2 sleutels, boekjes', price: 0, vat_code: MARGIN };
      await addLine(client, id, text);
      await invoiceIt(client, id);
      const [car] = (await read(client, id)).orderline;

      const { status, text: answer, data } = await credit(id, { orderline: [{ id: car.id, quantity: 1 }] });

      expect(status, answer).to.equal(201);
      expect(data).to.include({ total_gross: -8500, amount_open: 0 });
      expect((await client.get(`/vehicle/${vehicle}`)).data).to.include({
        stock_status: CUSTOMER,
        purchase_price: null,
      });
    });

    it('keeps the VAT codes of the seller', async () => {
      const contact_id = await dealer({ vat_number: null });
      const { id } = await bought(await ownInvoice(contact_id, '7'), { vat_code: REVERSE_CHARGE });

      expect((await credit(id)).status).to.equal(201);
    });
  });
});
