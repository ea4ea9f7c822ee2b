// Credit notes credit an invoice of the same contact, with negative quantities, and together never exceed the invoice.
import fc from 'fast-check';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build, buildBuyer, buildInvoice } from '../../support/build/build.ts';
import { addLine, invoiceIt, orderIn, read } from '../../support/build/order.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { AT_ONCE, atOnce } from '../../support/database/at-once.ts';

const { INTERNAL_REVERSAL } = LISTS.ordertypes;
const { HIGH, LOW, ZERO, EXEMPT, MARGIN, OUTSIDE } = LISTS.vatcodes;
const { ORDER } = LISTS.orderstatuses;
const FIXED = 'Cannot update [credited_order_id]';
const NOT_ITS_INVOICE = 'invoiced order of the same contact';

const MARGIN_CAR = { quantity: 1, price: 12100, purchase_price: 10890, vat_code: LISTS.vatcodes.MARGIN };
const decimal = (most: number) => fc.integer({ min: 1, max: most * 10_000 }).map((units) => units / 10_000);
const line = fc.record({
  quantity: decimal(10),
  price: decimal(1000),
  discount_percentage: decimal(99),
  purchase_price: decimal(1000),
  vat_code: fc.constantFrom(HIGH, LOW, ZERO, EXEMPT, MARGIN, OUTSIDE),
});

describe('a credit note', () => {
  let client: Client;
  let contact_id: number;
  let invoiced: { id: number; invoice_number: string };
  beforeEach(async () => {
    client = await newClient();
    contact_id = (await buildBuyer(client)).id;
    invoiced = await buildInvoice(client, { contact_id });
  });

  const body = (changes: Json = {}) => ({
    order_type: INTERNAL_REVERSAL,
    order_date: '2026-05-01',
    contact_id,
    credited_order_id: invoiced.id,
    ...changes,
  });
  const credit = async (price: number, quantity = -1) => {
    const order = await build(client, 'order', body());
    await addLine(client, order.id, { quantity, price });
    return order;
  };
  const sale = async (lines: Json[]) => {
    const { id } = await build(client, 'order', { contact_id });
    for (const values of lines) await addLine(client, id, values);
    await addLine(client, id, MARGIN_CAR);
    expect((await invoiceIt(client, id)).status).to.equal(200);
    return { id, lines: [...lines, MARGIN_CAR] };
  };
  const exceeds = (gross: number) =>
    `Field: [total_gross] has an invalid value: [${gross}] for validation: [credit exceeds the invoice]`;

  it('credits a whole invoice, in the same series of numbers', async () => {
    const { id } = await credit(100);

    const { data } = await invoiceIt(client, id);

    expect(data).to.include({ total_net: -100, total_vat: -21, total_gross: -121 });
    expect(Number(data.invoice_number.slice(1))).to.equal(Number(invoiced.invoice_number.slice(1)) + 1);
  });

  it('requires the invoice that it credits', async () => {
    const { id } = await credit(100);

    expect(await client.post('/order', body({ credited_order_id: null }))).to.be.refused(
      403,
      'Field: [credited_order_id] is required and not supplied in request',
    );
    expect(await client.put(`/order/${id}`, { credited_order_id: null })).to.be.refused(409, FIXED);
    expect(await client.post('/order', body({ credited_order_id: 2147483647 }))).to.be.refused(
      404,
      'Field: [credited_order_id] value: [2147483647] ID not found',
    );
  });

  it('credits an invoiced order of the same contact only', async () => {
    const open = await orderIn(client, ORDER, { contact_id });
    const strange = await buildInvoice(client);
    const { id } = await credit(100);

    for (const { id: value } of [open, strange]) {
      const message = `Field: [credited_order_id] has an invalid value: [${value}] for validation: [${NOT_ITS_INVOICE}]`;
      expect(await client.post('/order', body({ credited_order_id: value }))).to.be.refused(403, message);
      expect(await client.put(`/order/${id}`, { credited_order_id: value })).to.be.refused(409, FIXED);
    }
    expect(await client.put(`/order/${id}`, { contact_id: strange.contact_id })).to.be.refused(
      403,
      `Field: [credited_order_id] has an invalid value: [${invoiced.id}] for validation: [${NOT_ITS_INVOICE}]`,
    );
  });

  it('has quantities below 0', async () => {
    const { id } = await build(client, 'order', body());
    const line = await addLine(client, id, { quantity: -0.0001 });

    for (const quantity of [0, 1]) {
      const message = `Field: [quantity] has an invalid value: [${quantity}] for validation: [<0]`;
      const { id: _, ...rest } = { ...line, quantity };
      const { order_id, line_kind, description, price, vat_code } = rest;
      const wrong = { order_id, line_kind, description, price, vat_code, quantity };
      expect(await client.post('/orderline', wrong)).to.be.refused(403, message);
      expect(await client.put(`/orderline/${line.id}`, { quantity })).to.be.refused(403, message);
    }
  });

  it('never exceeds the invoice, alone or with other credit notes', async () => {
    expect(await invoiceIt(client, (await credit(100.01)).id)).to.be.refused(403, exceeds(-121.01));
    expect((await invoiceIt(client, (await credit(60)).id)).status).to.equal(200);
    expect(await invoiceIt(client, (await credit(60)).id)).to.be.refused(403, exceeds(-72.6));
    expect((await invoiceIt(client, (await credit(20, -2)).id)).status).to.equal(200);
    expect(await invoiceIt(client, (await credit(0.01)).id)).to.be.refused(403, exceeds(-0.01));
  });

  it('takes no more of a VAT code than the invoice has', async () => {
    const { id } = await sale([{ price: 100 }, { price: 100, vat_code: LOW }]);
    const order = await build(client, 'order', body({ credited_order_id: id }));
    await addLine(client, order.id, { quantity: -1, price: 120, vat_code: LOW });

    expect(await invoiceIt(client, order.id)).to.be.refused(
      403,
      `Field: [vat_code] has an invalid value: [${LOW}] for validation: [credit exceeds the invoice]`,
    );
  });

  it('goes to the payer of the invoice', async () => {
    const { id: invoice_contact_id } = await buildBuyer(client);
    const { id } = await buildInvoice(client, { contact_id, invoice_contact_id });
    const order = await build(client, 'order', body({ credited_order_id: id }));
    await addLine(client, order.id, { quantity: -1, price: 10 });

    expect(await invoiceIt(client, order.id)).to.be.refused(
      403,
      'Field: [invoice_contact_id] has an invalid value: [null] for validation: [payer of the invoice]',
    );
    expect((await client.put(`/order/${order.id}`, { invoice_contact_id })).status).to.equal(200);
    expect((await invoiceIt(client, order.id)).status).to.equal(200);
  });

  it('is checked again when it is changed', async () => {
    const { id } = await credit(100.01);
    expect((await invoiceIt(client, id)).status).to.equal(403);

    const [line] = (await client.get(`/orderline?filter=order_id:${id}`)).data;
    await client.put(`/orderline/${line.id}`, { price: 100 });

    expect((await invoiceIt(client, id)).status).to.equal(200);
  });

  it('never exceeds the invoice together with simultaneous credit notes', async () => {
    const notes = await Promise.all(Array.from({ length: AT_ONCE }, () => credit(60)));

    const answers = await atOnce(client, ['order', invoiced.id], (index) =>
      invoiceIt(client, notes[index].id),
    );

    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, ...Array(AT_ONCE - 1).fill(403)]);
  });

  it("can't have a total above 0, which would make room for other credit notes", async () => {
    expect(await invoiceIt(client, (await credit(-50)).id)).to.be.refused(403, exceeds(60.5));
    expect((await invoiceIt(client, (await credit(60)).id)).status).to.equal(200);
    expect(await invoiceIt(client, (await credit(-50)).id)).to.be.refused(403, exceeds(60.5));
  });

  it('takes back the amount of an invoice below 0, and never more', async () => {
    invoiced = await buildInvoice(client, { contact_id }, { price: -100 });

    expect(await invoiceIt(client, (await credit(50)).id)).to.be.refused(403, exceeds(-60.5));
    expect((await invoiceIt(client, (await credit(-60)).id)).data.total_gross).to.equal(72.6);
    expect(await invoiceIt(client, (await credit(-60)).id)).to.be.refused(403, exceeds(72.6));
    expect((await invoiceIt(client, (await credit(-40)).id)).status).to.equal(200);
  });

  it('credits an invoice, not another credit note', async () => {
    const { data } = await invoiceIt(client, (await credit(100)).id);

    expect(await client.post('/order', body({ credited_order_id: data.id }))).to.be.refused(
      403,
      `Field: [credited_order_id] has an invalid value: [${data.id}] for validation: [no credit note]`,
    );
  });

  it('of a whole order adds up with the order to exactly 0', async () => {
    const { id, lines } = await sale(fc.sample(line, 12));
    const order = await build(client, 'order', body({ credited_order_id: id }));
    for (const { quantity, ...taken } of lines)
      await addLine(client, order.id, { ...taken, quantity: -Number(quantity) });

    expect((await invoiceIt(client, order.id)).status).to.equal(200);

    const [sold, back] = [await read(client, id), await read(client, order.id)];
    for (const amount of ['total_net', 'total_vat', 'total_gross'])
      expect(sold[amount] + back[amount]).to.equal(0);
    const margins = (of: { orderline: Json[] }) => of.orderline.map(({ margin_vat }) => Number(margin_vat));
    expect(margins(back).map((margin) => 0 - margin)).to.deep.equal(margins(sold));
    expect(margins(sold).some((margin) => margin > 0)).to.equal(true);
  });

  it('is limited by its invoice, whatever else the contact has bought', async () => {
    const work = await build(client, 'order', body({ order_type: LISTS.ordertypes.WORKSHOP }));
    await addLine(client, work.id, { price: 1000 });
    expect((await invoiceIt(client, work.id)).status).to.equal(200);

    expect(await invoiceIt(client, (await credit(200)).id)).to.be.refused(403, exceeds(-242));
  });
});
