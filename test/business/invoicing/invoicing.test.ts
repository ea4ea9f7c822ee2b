// The move of an order to INVOICE: what it requires, what it sets, and what it keeps.

import { LISTS } from '../../../src/core/trade/lists.ts';
import { build, buildBuyer, buildInvoice } from '../../support/build/build.ts';
import { dayOf, daysAfter, THIS_YEAR } from '../../support/build/day.ts';
import { erase, invoiceIt, orderIn, read } from '../../support/build/order.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { execute, select } from '../../support/database/sql.ts';
import { database } from '../../support/service/service.ts';

const { ORDER, INVOICE } = LISTS.orderstatuses;
const { WORKSHOP, VEHICLE_SALES } = LISTS.ordertypes;
const DAY = 24 * 3600 * 1000;

const ADDRESS = ['street', 'huisnummer', 'toevoeging', 'postcode', 'city', 'country_id'];
/**
 * The fields of a party that an invoice prints, and so keeps. It leaves out a buyer's bank account, birth date and
 * notes.
 */
const BUYER = [
  ...['id', 'contact_number', 'company_name', 'first_name', 'prefix', 'last_name', ...ADDRESS],
  ...['kvk_number', 'vat_number', 'peppol_id', 'print_name', 'debtor_number', 'language'],
];
const SELLER = [
  ...['id', 'name', 'legal_name', ...ADDRESS, 'phone', 'email', 'website', 'kvk_number', 'vat_number'],
  ...['iban', 'bic', 'peppol_id', 'invoice_footer', 'timezone'],
];
const printed = (record: Record<string, unknown>, fields: readonly string[]) =>
  Object.fromEntries(fields.map((field) => [field, record[field]]));

const required = (field: string) => `Field: [${field}] is required and cannot be empty`;

describe('invoicing', () => {
  let client: Client;
  beforeEach(async () => {
    client = await newClient();
  });

  it('makes the order an invoice, once', async () => {
    const before = Date.now();
    const order = await orderIn(client, ORDER);

    const { data } = await invoiceIt(client, order.id);

    expect(data).to.include({ order_status: INVOICE, is_invoiced: 1, invoice_number: `F${THIS_YEAR}00001` });
    expect(Date.parse(data.invoice_date)).to.be.within(before, Date.now());
    expect(data).to.include({ total_net: 100, total_vat: 21, total_gross: 121 });
    expect((await client.get('/order?filter=is_invoiced[eq]:1')).data).to.deep.equal([data]);
    expect((await client.get(`/order/${order.id}`)).data).to.deep.equal(data);
  });

  it('accepts other changes in the same request', async () => {
    const { id } = await orderIn(client, ORDER);

    const { data } = await client.put(`/order/${id}`, { order_status: INVOICE, reference: 'B-2' });

    expect(data).to.include({ reference: 'B-2', is_invoiced: 1 });
  });

  it('requires a line', async () => {
    const order = await build(client, 'order', { contact_id: (await buildBuyer(client)).id });

    expect(await invoiceIt(client, order.id)).to.be.refused(
      403,
      'Field: [orderline] minimum 1 element is required in array',
    );
    expect((await client.get(`/order/${order.id}`)).data).to.deep.equal(order);
  });

  for (const field of ['last_name', 'street', 'huisnummer', 'postcode', 'city']) {
    it(`requires the ${field} of the contact`, async () => {
      const order = await orderIn(client, ORDER);
      await erase('contact', order.contact_id, field);

      expect(await invoiceIt(client, order.id)).to.be.refused(403, required(field));
      expect(await read(client, order.id)).to.deep.equal(order);
    });
  }

  it('names all missing fields, also of a company and of the invoice contact', async () => {
    const company = await build(client, 'contact', {
      contact_kind: LISTS.contactkinds.COMPANY,
      company_name: 'A B.V.',
    });
    const order = await orderIn(client, ORDER, { invoice_contact_id: company.id });
    await erase('contact', company.id, 'company_name');

    const answer = await invoiceIt(client, order.id);

    expect(answer.body.errors.map(({ message }: { message: string }) => message)).to.deep.equal(
      ['company_name', 'street', 'huisnummer', 'postcode', 'city'].map(required),
    );
  });

  it('names the record of each missing field, unless it is the order', async () => {
    const order = await orderIn(client, ORDER, { order_type: VEHICLE_SALES });
    await erase('contact', order.contact_id, 'street');

    const { body } = await invoiceIt(client, order.id);

    expect(body.errors).to.deep.equal([
      {
        code: 'field_empty',
        message: required('street'),
        field: 'street',
        resource: 'contact',
        id: order.contact_id,
      },
      { code: 'field_empty', message: required('vehicle_id'), field: 'vehicle_id' },
    ]);
  });

  for (const field of ['contact_id', 'invoice_contact_id', 'vehicle_id']) {
    it(`refuses an unknown ${field}`, async () => {
      const order_type = field === 'vehicle_id' ? VEHICLE_SALES : WORKSHOP;
      const order = await orderIn(client, ORDER, { order_type });

      const answer = await client.put(`/order/${order.id}`, { order_status: INVOICE, [field]: 2147483647 });

      expect(answer).to.be.refused(404, `Field: [${field}] value: [2147483647] ID not found`);
      expect(await read(client, order.id)).to.deep.equal(order);
    });
  }

  it('requires a vehicle for a sale, and marks it as sold', async () => {
    const order = await orderIn(client, ORDER, { order_type: VEHICLE_SALES });
    expect(await invoiceIt(client, order.id)).to.be.refused(403, required('vehicle_id'));
    const vehicle = await build(client, 'vehicle', { stock_status: LISTS.stockstatuses.STOCK });

    const answer = await client.put(`/order/${order.id}`, { order_status: INVOICE, vehicle_id: vehicle.id });

    expect(answer.status, answer.text).to.equal(200);
    const sold = (await client.get(`/vehicle/${vehicle.id}`)).data;
    expect(sold.stock_status).to.equal(LISTS.stockstatuses.SOLD);
    expect(sold.modified_at >= vehicle.modified_at).to.equal(true);
  });

  it('leaves the stock status if the order is not a sale', async () => {
    const vehicle = await build(client, 'vehicle', { stock_status: LISTS.stockstatuses.STOCK });

    await buildInvoice(client, { vehicle_id: vehicle.id });

    expect((await client.get(`/vehicle/${vehicle.id}`)).data).to.deep.equal(vehicle);
  });

  const TERMS: [string, number | null, number | null, number][] = [
    ['of the contact', 30, 21, 30],
    ['of the contact, at once', 0, 21, 0],
    ['of the owner', null, 21, 21],
    ['of everybody', null, null, 14],
  ];
  for (const [whose, ofContact, ofOwner, days] of TERMS) {
    it(`is due after the payment days ${whose}`, async () => {
      await client.put(`/owner/${client.garage.owner}`, { payment_days: ofOwner });
      const buyer = await buildBuyer(client, { payment_days: ofContact });

      const { invoice_date, due_date } = await buildInvoice(client, { contact_id: buyer.id });

      expect(dayOf(due_date)).to.equal(daysAfter(invoice_date, days));
    });
  }

  it('takes the invoice contact as the buyer', async () => {
    const payer = await buildBuyer(client, { payment_days: 60, last_name: 'Betaler' });
    const order = await orderIn(client, ORDER, { invoice_contact_id: payer.id });

    await invoiceIt(client, order.id);

    const { data } = await client.get(`/order/${order.id}?expand=invoiceparty`);
    expect(data.invoiceparty[0].buyer).to.deep.equal(printed(payer, BUYER));
    expect(Date.parse(data.due_date) - Date.parse(data.invoice_date)).to.be.within(59 * DAY, 61 * DAY);
  });

  it('keeps the seller and buyer of that day', async () => {
    const buyer = await buildBuyer(client);
    const seller = (await client.get(`/owner/${client.garage.owner}`)).data;
    const { id } = await buildInvoice(client, { contact_id: buyer.id });

    await client.put(`/contact/${buyer.id}`, { last_name: 'Anders', street: 'Elders', huisnummer: 1 });
    await client.put(`/owner/${client.garage.owner}`, { name: 'Garage Anders', iban: null });

    const { data } = await client.get(`/order/${id}?expand=invoiceparty,contact`);
    expect(data.invoiceparty).to.have.length(1);
    expect(data.invoiceparty[0]).to.deep.include({
      order_id: id,
      seller: printed(seller, SELLER),
      buyer: printed(buyer, BUYER),
    });
    expect(data.contact.last_name).to.equal('Anders');
  });

  it('writes nothing if the last step fails', async () => {
    const { id } = await orderIn(client, ORDER, { external_id: 'one' });
    const order = await orderIn(client, ORDER);
    await buildInvoice(client);

    expect(
      await client.put(`/order/${order.id}`, { order_status: INVOICE, external_id: 'one' }),
    ).to.be.refused(409, 'Field: [external_id] Value: [one] has a duplicate illegal value');

    expect(await read(client, order.id)).to.deep.equal(order);
    expect(
      await select(database(), 'SELECT id FROM invoiceparties WHERE order_id = ?', [order.id]),
    ).to.deep.equal([]);
    expect((await invoiceIt(client, id)).data.invoice_number).to.equal(`F${THIS_YEAR}00002`);
  });

  for (const payment_days of [-1, 36_501, 2147483647]) {
    it(`refuses a due date ${payment_days} days later`, async () => {
      const buyer = await buildBuyer(client);
      const terms = { contact_kind: 1, last_name: 'A', country_id: 1, payment_days };
      expect((await client.post('/contact', terms)).body.message).to.include('validation: [0..36500]');
      // A contact of an older backup may have such terms.
      await execute(database(), 'UPDATE contacts SET payment_days = ? WHERE id = ?', [
        payment_days,
        buyer.id,
      ]);
      const order = await orderIn(client, ORDER, { contact_id: buyer.id });

      const text = `Field: [payment_days] has an invalid value: [${payment_days}] for validation: [0..36500]`;
      const ofContact = await invoiceIt(client, order.id);
      expect(ofContact).to.be.refused(403, text);
      expect(ofContact.body.errors[0]).to.include({ resource: 'contact', id: buyer.id });

      const { owner } = client.garage;
      await execute(database(), 'UPDATE contacts SET payment_days = NULL WHERE id = ?', [buyer.id]);
      await execute(database(), 'UPDATE owners SET payment_days = ? WHERE id = ?', [payment_days, owner]);
      const ofOwner = await invoiceIt(client, order.id);
      expect(ofOwner).to.be.refused(403, text);
      expect(ofOwner.body.errors[0]).to.include({ resource: 'owner', id: owner });
    });
  }
});
