// history=1: old records come along with their numbers and dates, and new ones are numbered behind them.
import { LISTS } from '../../src/trade/lists.ts';
import { build, buildBuyer, buildInvoice } from '../support/build/build.ts';
import { THIS_YEAR } from '../support/build/day.ts';
import { invoiceIt, purchaseOf, stockCar } from '../support/build/order.ts';
import { type Client, type Json, newClient } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { importJson, importRows, rowMessages } from '../support/client/import.ts';

const { INVOICE } = LISTS.orderstatuses;
const { WORKSHOP, VEHICLE_SALES, VEHICLE_PURCHASE, INTERNAL_REVERSAL, BPM } = LISTS.ordertypes;
const { SUPPLIER_INVOICE, SELF_BILLED, STATEMENT } = LISTS.purchaseproofs;

describe('an import with history=1', () => {
  let client: Client;
  beforeEach(async () => {
    client = await newClient();
    await buildBuyer(client, { external_id: 'K', payment_days: 30 });
  });

  const LINE = { line_kind: 2, description: 'Beurt', quantity: 1, price: 100, vat_code: 1 };
  const old = (changes: Json = {}): Json => ({
    external_id: 'O-1',
    order_number: 700,
    order_type: WORKSHOP,
    order_date: '2019-03-01',
    invoice_number: '201900042',
    invoice_date: '2019-03-04T10:00:00Z',
    created_at: '2019-02-28',
    contact_external_id: 'K',
    orderline: [LINE],
    ...changes,
  });
  const bring = (...rows: Json[]) => importJson(client, 'resource=order&mode=upsert&history=1', rows);
  const orders = async () =>
    (await client.get('/order?sort=id&expand=orderline,invoiceparty')).data as Json[];

  it('makes invoices of old orders, which nobody can change', async () => {
    const { rows } = await bring(old());

    const [order] = await orders();
    expect(rows[0].status).to.equal('created');
    expect(order).to.include({
      order_number: 700,
      invoice_number: '201900042',
      invoice_date: '2019-03-04T10:00:00.000Z',
      due_date: '2019-04-03T09:00:00.000Z',
      created_at: '2019-02-28T00:00:00.000Z',
      is_invoiced: 1,
      order_status: INVOICE,
      total_gross: 121,
      amount_open: 121,
    });
    const [party] = (order?.invoiceparty ?? []) as Json[];
    expect(party).to.have.nested.property('buyer.last_name', 'de Boer');
    for (const answer of [
      await client.put(`/order/${order?.id}`, { reference: 'x' }),
      await client.post('/orderline', { ...LINE, order_id: order?.id }),
    ])
      expect(answer).to.be.refused(409, '[order] is [invoice], cannot add/update/delete');
  });

  it('numbers new orders and invoices behind the old ones', async () => {
    await bring(
      old({ invoice_number: `${THIS_YEAR}00817`, invoice_date: new Date().toISOString() }),
      old({ external_id: 'O-2', order_number: 3, invoice_number: 'A-17' }),
    );

    const next = await buildInvoice(client);

    expect(next).to.include({ order_number: 701, invoice_number: `F${THIS_YEAR}00818` });
  });

  it('leaves numbers for new orders', async () => {
    const numbers = [2_147_483_647, 2_000_000_001, 0, -5, 2_000_000_000];

    const { rows } = await bring(
      ...numbers.map((order_number, index) =>
        old({ external_id: `O-${index}`, order_number, invoice_number: `A-${index}` }),
      ),
    );

    const refused = numbers
      .slice(0, -1)
      .map((value) => [
        `Field: [order_number] has an invalid value: [${value}] for validation: [1..2000000000]`,
      ]);
    expect(rows.map(rowMessages)).to.deep.equal([...refused, []]);
    expect(await build(client, 'order', {})).to.include({ order_number: 2_000_000_001 });
  });

  it('takes a date whose due date is after the last one that can be stored', async () => {
    const { rows } = await bring(old({ invoice_date: '9999-12-31T22:00:00Z' }));

    expect(rows.map(rowMessages)).to.deep.equal([[]]);
    expect((await orders())[0]).to.include({ due_date: '9999-12-31T23:59:59.999Z' });
  });

  it('changes nothing when the same file comes again', async () => {
    await bring(old(), old({ external_id: 'O-2', order_number: 701, invoice_number: '201900043' }));
    const before = await orders();

    const { rows } = await bring(
      old(),
      old({ external_id: 'O-2', order_number: 701, invoice_number: '201900044' }),
    );

    expect(rows.map(({ status }) => status)).to.deep.equal(['unchanged', 'refused']);
    expect(rowMessages(rows[1])).to.deep.equal(['[order] is [invoice], cannot add/update/delete']);
    expect(await orders()).to.deep.equal(before);
  });

  it('judges number and date, and takes a credit note of an old invoice', async () => {
    const credit = old({
      external_id: 'O-5',
      order_number: 705,
      order_type: INTERNAL_REVERSAL,
      invoice_number: '201900050',
      credited_order_external_id: 'O-1',
      orderline: [{ ...LINE, quantity: -1 }],
    });

    const { rows } = await bring(
      old(),
      old({ external_id: 'O-2', order_number: 701 }),
      old({ external_id: 'O-3', order_number: 700, invoice_number: '201900045' }),
      old({ external_id: 'O-4', order_number: 702, invoice_number: '201900046', invoice_date: null }),
      credit,
      old({ external_id: 'O-7', order_number: 706, invoice_number: null, invoice_date: null }),
    );

    expect(rows.map(rowMessages)).to.deep.equal([
      [],
      ['Field: [invoice_number] value: [201900042] has a duplicate illegal value'],
      ['Field: [order_number] value: [700] has a duplicate illegal value'],
      ['Field: [invoice_date] is required and not supplied in request'],
      [],
      [],
    ]);
    const [, creditNote, open] = await orders();
    expect(creditNote).to.include({ total_gross: -121, is_invoiced: 1, invoice_number: '201900050' });
    expect(open).to.include({ order_number: 706, is_invoiced: 0, order_status: LISTS.orderstatuses.ORDER });
  });

  it('takes old purchases with their own numbers, unjudged, moves no car, and goes on behind them', async () => {
    const car = await stockCar(client, { external_id: 'C', stock_status: LISTS.stockstatuses.CUSTOMER });
    const contact_id = (await client.get('/contact?filter=external_id:K')).data[0].id;
    await client.put(`/contact/${contact_id}`, {
      vat_number: 'NL004495445B01',
      self_billing_agreed_at: '2026-01-01',
    });
    const now = new Date().toISOString();
    const bought = { order_type: VEHICLE_PURCHASE, invoice_date: now, vehicle_external_id: 'C' };
    const number = (serial: number, changes: Json) =>
      old({ ...bought, external_id: `P-${serial}`, order_number: 800 + serial, ...changes });

    const { rows } = await bring(
      number(1, { purchase_proof: STATEMENT, invoice_number: `IV-${THIS_YEAR}00012` }),
      number(2, { purchase_proof: SELF_BILLED, invoice_number: `X9-${THIS_YEAR}00003` }),
      number(3, { purchase_proof: SUPPLIER_INVOICE, supplier_invoice_number: '77', invoice_number: null }),
      number(4, { purchase_proof: null, invoice_number: `INK${THIS_YEAR}00500` }),
      old({ order_type: VEHICLE_SALES, vehicle_external_id: 'C' }),
    );

    expect(rows.map(rowMessages)).to.deep.equal([[], [], [], [], []]);
    expect((await orders()).map(({ is_invoiced }) => is_invoiced)).to.deep.equal([1, 1, 1, 1, 1]);
    expect((await client.get(`/vehicle/${car.id}`)).data).to.deep.equal(car);
    const numbers = [
      await invoiceOf(await purchaseOf(client, car.id)),
      await invoiceOf(await purchaseOf(client, car.id, { purchase_proof: SELF_BILLED, contact_id })),
      (await buildInvoice(client)).invoice_number,
    ];
    const { contact_number } = (await client.get(`/contact/${contact_id}`)).data;
    expect(numbers).to.deep.equal([
      `IV-${THIS_YEAR}00013`,
      `F${contact_number}-${THIS_YEAR}00004`,
      `F${THIS_YEAR}00001`,
    ]);
  });

  it('is not judged by the rules of the trade', async () => {
    await build(client, 'vehicle', { external_id: 'C', mileage: 90_000 });
    const unknown = {
      external_id: 'O-1',
      order_type: INTERNAL_REVERSAL,
      orderline: [{ ...LINE, price: -100 }],
    };
    const bpm = { external_id: 'O-2', order_number: 701, invoice_number: 'B-1', order_type: BPM };
    const bought = {
      ...{ external_id: 'O-3', order_number: 702, order_type: VEHICLE_PURCHASE, vehicle_external_id: 'C' },
      ...{
        purchase_proof: SUPPLIER_INVOICE,
        supplier_invoice_number: '77',
        invoice_number: null,
        mileage: 12_000,
      },
    };

    const { rows } = await bring(old(unknown), old(bpm), old(bought));

    expect(rows.map(rowMessages)).to.deep.equal([[], [], []]);
    const found = (await orders()).map(({ is_invoiced, total_gross }) => [is_invoiced, total_gross]);
    expect(found).to.deep.equal([
      [1, -121],
      [1, 121],
      [1, 121],
    ]);
  });

  const invoiceOf = async ({ id }: { id: number }) => (await invoiceIt(client, id)).data.invoice_number;

  it('takes a deposit of an open order, which its invoice takes off', async () => {
    const target = old({ invoice_number: null, invoice_date: null });
    const deposit = old({
      external_id: 'O-2',
      order_number: 701,
      deposit_of_order_external_id: 'O-1',
      orderline: [{ ...LINE, line_kind: LISTS.linekinds.FEE, price: 50 }],
    });

    const { rows } = await bring(target, deposit);
    const { data, status, text } = await invoiceIt(client, rows[0].id);

    expect(rows.map(rowMessages)).to.deep.equal([[], []]);
    expect(status, text).to.equal(200);
    expect(data).to.include({ total_net: 50, total_vat: 10.5, is_invoiced: 1 });
    const [, taken] = (await client.get(`/orderline?filter=order_id:${data.id}&sort=id`)).data;
    expect(taken.description).to.equal('Af: aanbetaling, factuur 201900042');
  });

  it('takes lines with what the buyer was told and the margin that was declared', async () => {
    const line = { ...LINE, quantity: 3, price: 10, line_gross: 36.31 };
    const car = { ...LINE, line_kind: LISTS.linekinds.VEHICLE, price: 5000, vat_code: LISTS.vatcodes.MARGIN };
    const sold = { ...car, purchase_price: 4000, line_gross: 5000, margin_vat: 12.34 };
    const file = [
      old({ orderline: [line, sold] }),
      old({
        external_id: 'O-2',
        order_number: 701,
        invoice_number: '201900043',
        orderline: [{ ...line, line_gross: 'x' }],
      }),
    ];

    const { rows } = await bring(...file);
    const again = await bring(...file);

    expect(rows.map(rowMessages)).to.deep.equal([
      [],
      ['Field: [orderline[0].line_gross] has an invalid value: [x] for datatype: float8'],
    ]);
    const [order] = await orders();
    expect(order).to.include({
      total_net: 5030,
      total_vat: 6.31,
      total_gross: 5036.31,
      amount_open: 5036.31,
    });
    const amounts = ((order?.orderline ?? []) as Json[]).map(({ line_vat, margin_vat }) => [
      line_vat,
      margin_vat,
    ]);
    expect(amounts).to.deep.equal([
      [6.31, null],
      [0, 12.34],
    ]);
    expect(again.rows[0].status).to.equal('unchanged');
  });

  it('takes no amount for none, and what was told of a line without VAT as its net', async () => {
    const empty = { ...LINE, line_gross: null, margin_vat: null };
    const untaxed = { ...LINE, vat_code: LISTS.vatcodes.OUTSIDE, line_gross: 100.01 };

    const { rows } = await bring(old({ orderline: [empty, untaxed] }));

    expect(rows.map(rowMessages)).to.deep.equal([[]]);
    const [order] = await orders();
    expect(order).to.include({ total_net: 200.01, total_vat: 21, total_gross: 221.01 });
  });

  it('takes an old invoice without lines, as a CSV has it', async () => {
    const { orderline: _, ...order } = old({ invoice_contact_external_id: 'K', created_at: '' });
    const csv = `${Object.keys(order).join(';')}\n${Object.values(order).join(';')}\n`;

    const { rows } = await importRows(client, 'resource=order&mode=upsert&history=1', csv);
    const again = await importRows(client, 'resource=order&mode=upsert&history=1', csv);

    expect([rows[0].status, again.rows[0].status]).to.deep.equal(['created', 'unchanged']);
    const { data } = await client.get(`/order/${rows[0].id}?expand=invoiceparty`);
    expect(data).to.include({ is_invoiced: 1, total_gross: 0, amount_open: 0, invoice_number: '201900042' });
    expect(data.invoiceparty).to.have.length(1);
    expect(await client.post('/orderline', { ...LINE, order_id: data.id })).to.be.refused(
      409,
      '[order] is [invoice], cannot add/update/delete',
    );
  });

  it('brings the time of any record along if a row has one, and without it these fields are readonly', async () => {
    const contact = { contact_kind: 1, last_name: 'Oud', country_id: 1, created_at: '2010-01-01' };
    const { created_at: _, ...today } = contact;

    const { rows } = await importJson(client, 'resource=contact&history=1', [contact, today]);
    const refused = await importJson(client, 'resource=order', [old()]);

    const [aged, fresh] = [
      await client.get(`/contact/${rows[0].id}`),
      await client.get(`/contact/${rows[1].id}`),
    ];
    expect(aged.data.created_at).to.equal('2010-01-01T00:00:00.000Z');
    expect(Date.parse(fresh.data.created_at)).to.be.greaterThan(Date.parse('2026-01-01'));
    expect(rowMessages(refused.rows[0])).to.deep.equal(
      ['order_number', 'invoice_number', 'invoice_date', 'created_at'].map(
        (field) => `Field: [${field}] is readonly do not supply in request`,
      ),
    );
    expect(await build(client, 'order', {})).to.include({ order_number: 1 });
  });
});
