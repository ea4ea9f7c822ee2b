// Purchases: what each proof requires, and their own series of numbers.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build, buildBuyer, buildInvoice } from '../../support/build/build.ts';
import { change, invoiceIt, orderIn, purchaseOf, read } from '../../support/build/order.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { invalid } from '../../support/client/message.ts';
import { purchasing } from './purchasing.ts';

const { SUPPLIER_INVOICE, STATEMENT } = LISTS.purchaseproofs;
const { HIGH } = LISTS.vatcodes;
const { ORDER, INVOICE, CANCELLED } = LISTS.orderstatuses;
const { VEHICLE_PURCHASE, WORKSHOP } = LISTS.ordertypes;
const { BANK } = LISTS.paymentmethods;
const MANY = 12;

const required = (field: string) => `Field: [${field}] is required and cannot be empty`;

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

  it('needs a proof', async () => {
    const { id } = await buy({ purchase_proof: null });

    expect(await invoiceIt(client, id)).to.be.refused(403, required('purchase_proof'));
    expect((await read(client, id)).order_status).to.equal(LISTS.orderstatuses.ORDER);
  });

  it('by the seller’s invoice needs the number of that invoice, and has no other number', async () => {
    const contact_id = await dealer();
    const { id } = await buy({ purchase_proof: SUPPLIER_INVOICE, contact_id }, { vat_code: HIGH });

    expect(await invoiceIt(client, id)).to.be.refused(403, required('supplier_invoice_number'));
    await change(client, id, { supplier_invoice_number: '2026-117' });
    const { data } = await invoiceIt(client, id);

    expect(data).to.include({ is_invoiced: 1, invoice_number: null, amount_open: 10_285 });
  });

  it('refuses a number that the seller’s earlier invoice has', async () => {
    const [one, other] = [await dealer(), await dealer()];
    await buy(await ownInvoice(one, '117'));
    const { id } = await buy(await ownInvoice(one, '118'));
    const stranger = await newClient();

    expect(await client.put(`/order/${id}`, { supplier_invoice_number: '117' })).to.be.refused(
      409,
      'Field: [supplier_invoice_number] Value: [117] has a duplicate illegal value',
    );
    const again = { order_type: 3, order_date: '2026-05-01', ...(await ownInvoice(one, '117')) };
    expect(await client.post('/order', again)).to.be.refused(
      409,
      'Field: [supplier_invoice_number] value: [117] has a duplicate illegal value',
    );
    expect((await buy(await ownInvoice(other, '117'))).supplier_invoice_number).to.equal('117');
    const seller = (await buildBuyer(stranger)).id;
    const foreign = (await build(stranger, 'vehicle')).id;
    expect((await purchaseOf(stranger, foreign, await ownInvoice(seller, '117'))).id).to.be.above(0);
  });

  it('frees the number of a seller’s invoice when it is cancelled, and takes it back if it is still free', async () => {
    const contact_id = await dealer();
    const { id } = await buy(await ownInvoice(contact_id, '117'));

    await change(client, id, { order_status: CANCELLED });
    await change(client, id, { order_status: ORDER });
    await change(client, id, { order_status: CANCELLED });
    await buy(await ownInvoice(contact_id, '117'));

    expect(await client.put(`/order/${id}`, { order_status: ORDER })).to.be.refused(
      409,
      'Field: [supplier_invoice_number] Value: [117] has a duplicate illegal value',
    );
  });

  it('accepts one of many simultaneous requests with the same seller’s number', async () => {
    const contact_id = await dealer();
    const body = {
      order_type: VEHICLE_PURCHASE,
      order_date: '2026-05-01',
      ...(await ownInvoice(contact_id, '117')),
    };

    const answers = await Promise.all(Array.from({ length: MANY }, () => client.post('/order', body)));

    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).to.deep.equal([201, ...new Array(MANY - 1).fill(409)]);
  });

  it('that is self-billed needs the agreement and the VAT number of the seller', async () => {
    const contact_id = await dealer({ vat_number: null, self_billing_agreed_at: null });
    const { id } = await buy(ofDealer(contact_id), { vat_code: HIGH });

    const { body } = await invoiceIt(client, id);

    expect(body.errors).to.deep.equal(
      ['vat_number', 'self_billing_agreed_at'].map((field) => ({
        code: 'field_empty',
        message: required(field),
        field,
        resource: 'contact',
        id: contact_id,
      })),
    );
  });

  it('that is self-billed has a series of numbers for each seller', async () => {
    const sellers = [await dealer(), await dealer()];
    const contacts = await Promise.all(sellers.map(async (id) => (await client.get(`/contact/${id}`)).data));
    const [one, other] = contacts.map(({ contact_number }) => `F${contact_number}-`);

    const numbers: string[] = [];
    for (const contact_id of [sellers[0], sellers[1], sellers[0]])
      numbers.push((await bought(ofDealer(Number(contact_id)))).invoice_number);

    expect(numbers).to.deep.equal([numbered(`${one}`, 1), numbered(`${other}`, 1), numbered(`${one}`, 2)]);
  });

  it('from a private person must be under the margin scheme', async () => {
    const company = await dealer();
    const ofCompany = await buy({ contact_id: company });
    const withVat = await buy({}, { vat_code: HIGH });

    expect(await invoiceIt(client, ofCompany.id)).to.be.refused(
      403,
      invalid('purchase_proof', STATEMENT, 'private seller'),
    );
    const { body } = await invoiceIt(client, withVat.id);
    const [line] = (await read(client, withVat.id)).orderline;
    expect(body.errors).to.deep.equal([
      {
        code: 'value_invalid',
        message: invalid('vat_code', HIGH, 'margin purchase'),
        field: 'vat_code',
        value: HIGH,
        resource: 'orderline',
        id: line.id,
      },
    ]);
  });

  it('by a statement has a series of numbers of its own', async () => {
    const first = await bought({});
    const sale = await buildInvoice(client);
    const second = await bought({});

    expect([first, sale, second].map(({ invoice_number }) => invoice_number)).to.deep.equal([
      numbered('IV-', 1),
      numbered('F', 1),
      numbered('IV-', 2),
    ]);
  });

  it('leaves no gap if half of many simultaneous requests fail', async () => {
    const seller = await dealer();
    const { contact_number } = (await client.get(`/contact/${seller}`)).data;
    const orders: Json[] = [];
    for (let index = 0; index < MANY; index += 1)
      orders.push(await (index % 4 < 2 ? buy({}) : buy(ofDealer(seller))));

    const answers = await Promise.all(
      orders.map(({ id }, index) =>
        client.put(`/order/${id}`, {
          order_status: INVOICE,
          ...(index % 2 === 0 ? {} : { employee_id: 2147483647 }),
        }),
      ),
    );

    const numbers = answers.flatMap(({ status, data }) => (status === 200 ? data.invoice_number : []));
    const upTo = (prefix: string) =>
      Array.from({ length: MANY / 4 }, (_, index) => numbered(prefix, index + 1));
    expect(numbers.sort()).to.deep.equal([...upTo(`F${contact_number}-`), ...upTo('IV-')]);
  });

  it('never shares a number with a sale, even after a change of the prefix', async () => {
    const seller = await dealer();
    const { contact_number } = (await client.get(`/contact/${seller}`)).data;
    const owner = `/owner/${client.garage.owner}`;
    const self = (await bought(ofDealer(seller))).invoice_number;

    await client.put(owner, { invoice_prefix: `F${contact_number}-` });
    const sale = await buildInvoice(client);
    await client.put(owner, { invoice_prefix: 'F' });
    const again = (await bought(ofDealer(seller))).invoice_number;

    const prefix = `F${contact_number}-`;
    expect([self, sale.invoice_number, again]).to.deep.equal(
      [1, 2, 3].map((count) => numbered(prefix, count)),
    );
  });

  it("reserves the prefix of its numbers: sales can't use it", async () => {
    const owner = `/owner/${client.garage.owner}`;

    expect(await client.put(owner, { invoice_prefix: 'IV-' })).to.be.refused(
      403,
      invalid('invoice_prefix', 'IV-', 'prefix of purchases'),
    );
    for (const invoice_prefix of ['IV', 'iv-', 'IV-2'])
      expect((await client.put(owner, { invoice_prefix })).data).to.include({ invoice_prefix });
  });

  it('has the amount that the garage owes as its open amount', async () => {
    const { id } = await bought({});
    const pay = (amount: number) =>
      client.post('/payment', { order_id: id, amount, paid_at: '2026-05-01', method: BANK });

    expect(await pay(8_500.01)).to.be.refused(403, invalid('amount', 8500.01, 'amount open'));
    expect(await pay(-1)).to.be.refused(403, invalid('amount', -1, 'amount open'));
    expect((await pay(8_000)).status).to.equal(201);
    expect((await read(client, id)).amount_open).to.equal(500);
  });

  it('alone uses purchase_proof: other orders are numbered as sales', async () => {
    const order = await orderIn(client, INVOICE, { order_type: WORKSHOP, purchase_proof: STATEMENT });

    expect(order.invoice_number).to.equal(numbered('F', 1));
  });
});
