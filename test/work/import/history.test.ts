// history=1: old records come along with their numbers and dates, and new ones are numbered behind them.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build, buildBuyer, buildInvoice } from '../../support/build/build.ts';
import { THIS_YEAR } from '../../support/build/day.ts';
import { invoiceIt, purchaseOf, stockCar } from '../../support/build/order.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { importJson, rowMessages } from '../../support/client/import.ts';
import { LINE, old } from './old-order.ts';

const { INVOICE } = LISTS.orderstatuses;
const { VEHICLE_SALES, VEHICLE_PURCHASE, INTERNAL_REVERSAL, BPM } = LISTS.ordertypes;
const { SUPPLIER_INVOICE, SELF_BILLED, STATEMENT } = LISTS.purchaseproofs;

describe('an import with history=1', () => {
  let client: Client;
  beforeEach(async () => {
    client = await newClient();
    await buildBuyer(client, { external_id: 'K', payment_days: 30 });
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

  it('leaves an archived or blocked invoice as it is when another file lifts this', async () => {
    const other = { external_id: 'O-2', order_number: 701, invoice_number: '201900043', is_blocked: 1 };
    await bring(old({ is_archived: 1 }), old(other));
    const before = await orders();

    const lifted = [
      { external_id: 'O-1', is_archived: 0 },
      { external_id: 'O-2', is_blocked: 0 },
    ];
    const { rows } = await importJson(client, 'resource=order&mode=update', lifted);

    expect(rows.map(({ status }) => status)).to.deep.equal(['updated', 'updated']);
    const now = await orders();
    expect(now.map(({ is_archived, is_blocked }) => [is_archived, is_blocked])).to.deep.equal([
      [0, 0],
      [0, 0],
    ]);
    for (const [index, { invoiceparty, orderline, invoice_number }] of before.entries())
      expect(now[index]).to.deep.include({ invoiceparty, orderline, invoice_number });
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

  it('changes nothing either where the lines name fields that the service fills in or leaves empty', async () => {
    const whole = old({ orderline: [{ ...LINE, line_gross: null, margin_vat: 0 }] });
    await bring(whole);
    const before = await orders();

    const { rows } = await bring(whole);

    expect(rows.map(({ status }) => status)).to.deep.equal(['unchanged']);
    expect(await orders()).to.deep.equal(before);
  });

  it('judges number and date, and takes a credit note of an old invoice', async () => {
    const credited = { credited_order_external_id: 'O-1', orderline: [{ ...LINE, quantity: -1 }] };
    const credit = old({
      ...{ external_id: 'O-5', order_number: 705, order_type: INTERNAL_REVERSAL },
      ...{ invoice_number: '201900050', ...credited },
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

  /** The seller, who lets the garage write the invoices. */
  const selfBilled = async (): Promise<{ id: number; contact_number: number }> => {
    const [{ id }] = (await client.get('/contact?filter=external_id:K')).data;
    const changes = { vat_number: 'NL004495445B01', self_billing_agreed_at: '2026-01-01' };
    return (await client.put(`/contact/${id}`, changes)).data;
  };
  /** Purchases of one car with each proof, and its sale. */
  const oldPurchases = (): Json[] => {
    const invoice_date = new Date().toISOString();
    const bought = { order_type: VEHICLE_PURCHASE, invoice_date, vehicle_external_id: 'C' };
    const number = (serial: number, changes: Json) =>
      old({ ...bought, external_id: `P-${serial}`, order_number: 800 + serial, ...changes });
    return [
      number(1, { purchase_proof: STATEMENT, invoice_number: `IV-${THIS_YEAR}00012` }),
      number(2, { purchase_proof: SELF_BILLED, invoice_number: `X9-${THIS_YEAR}00003` }),
      number(3, { purchase_proof: SUPPLIER_INVOICE, supplier_invoice_number: '77', invoice_number: null }),
      number(4, { purchase_proof: null, invoice_number: `INK${THIS_YEAR}00500` }),
      old({ order_type: VEHICLE_SALES, vehicle_external_id: 'C' }),
    ];
  };

  it('takes old purchases with their own numbers, unjudged, moves no car, and goes on behind them', async () => {
    const car = await stockCar(client, { external_id: 'C', stock_status: LISTS.stockstatuses.CUSTOMER });
    const { id: contact_id, contact_number } = await selfBilled();

    const { rows } = await bring(...oldPurchases());

    expect(rows.map(rowMessages)).to.deep.equal([[], [], [], [], []]);
    expect((await orders()).map(({ is_invoiced }) => is_invoiced)).to.deep.equal([1, 1, 1, 1, 1]);
    expect((await client.get(`/vehicle/${car.id}`)).data).to.deep.equal(car);
    const numbers = [
      await invoiceOf(await purchaseOf(client, car.id)),
      await invoiceOf(await purchaseOf(client, car.id, { purchase_proof: SELF_BILLED, contact_id })),
      (await buildInvoice(client)).invoice_number,
    ];
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
