// The VAT rates of an order are those of the day of its supply: in its totals, on its documents and in the VAT return.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build, buildBuyer } from '../../support/build/build.ts';
import { dayOf } from '../../support/build/day.ts';
import { addLine, change, invoiceIt, purchaseOf, read, saleOf, stockCar } from '../../support/build/order.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { importJson, rowMessages } from '../../support/client/import.ts';
import { execute } from '../../support/database/sql.ts';
import { eInvoices } from '../../support/files/e-invoice.ts';
import { readPdf } from '../../support/files/pdf.ts';
import { GROUPS, pdfOf, readUbl, TOTALS } from '../../support/files/ubl.ts';
import { database } from '../../support/service/service.ts';
import { LINE, old } from '../../work/import/old-order.ts';

const { vatcodes, ordertypes, orderstatuses, purchaseproofs } = LISTS;
const { HIGH, LOW, MARGIN } = vatcodes;
const DECEMBER_2018 = '2018-12-15T12:00:00.000Z';

describe('the VAT rates of an order', () => {
  let client: Client;
  let contact_id: number;
  before(async () => {
    client = await newClient();
    contact_id = (await buildBuyer(client, { peppol_id: '0106:87654321', external_id: 'K' })).id;
  });

  const workOf = async (order: Json, ...lines: Json[]) => {
    const { data, status, text } = await client.post('/order', {
      ...{ order_type: ordertypes.WORKSHOP, order_date: '2026-05-01', contact_id, buyer_reference: 'KP-7' },
      ...order,
    });
    expect(status, text).to.equal(201);
    for (const line of lines) await addLine(client, data.id, line);
    return read(client, data.id);
  };
  const invoiced = async (id: number) => {
    const { status, text } = await invoiceIt(client, id);
    expect(status, text).to.equal(200);
    return read(client, id);
  };
  const update = (what: string, ids: readonly number[]) =>
    execute(database(), `UPDATE ${what} IN (${ids.map(() => '?').join()})`, [...ids]);
  /** Gives the lines of orders the low rate of 2018. */
  const makeLinesOld = (...ids: number[]) => {
    const values = 'vat_percentage = 6, line_vat = line_net * 0.06';
    return update(`orderlines SET ${values} WHERE vat_code = ${LOW} AND order_id`, ids);
  };
  /** The same for the totals of orders with net prices. */
  const makeTotalsOld = (...ids: number[]) => {
    const values = 'vat_low = net_low * 0.06, total_vat = vat_low, total_gross = total_net + vat_low';
    return update(`orders SET ${values} WHERE id`, ids);
  };
  const percentagesOf = ({ orderline }: Json) =>
    (orderline as Json[]).map(({ vat_percentage }) => vat_percentage);
  const boxes = async () => {
    const year = dayOf().slice(0, 4);
    const { data } = await client.get(`/vatreturn?from=${year}-01-01&to=${year}-12-31`);
    return [data['1a'], data['1b']];
  };

  it('are those of its day of supply, in totals, PDF, e-invoice and VAT return', async () => {
    const order = await workOf({ supply_date: DECEMBER_2018 }, { vat_code: LOW }, { vat_code: HIGH });
    const before = await boxes();

    const invoice = await invoiced(order.id);

    expect(percentagesOf(invoice)).to.deep.equal([6, 21]);
    expect(invoice).to.include({ total_net: 200, total_vat: 27, total_gross: 227, amount_open: 227 });
    const [xml = ''] = (await eInvoices(client, { order_ids: [order.id] })).values();
    const { vat, percent, tax } = readUbl(xml, { ...TOTALS, ...GROUPS });
    expect([vat, percent, tax]).to.deep.equal([['27.00'], ['21', '6'], ['21.00', '6.00']]);
    const { text } = await readPdf(pdfOf(xml), 'rates-of-2018');
    expect(text).to.match(/6% € 100,00 € 6,00/);
    const after = await boxes();
    expect(
      after.map(({ base, vat }, index) => [base - before[index].base, vat - before[index].vat]),
    ).to.deep.equal([
      [100, 21],
      [100, 6],
    ]);
  });

  for (const [title, is_vat_included, grosses] of [
    ['net prices', 0, [106, 109, 106, 109]],
    ['prices with VAT', 1, [100, 100, 100, 100]],
  ] as const)
    it(`follow a PUT of the date of supply: ${title}`, async () => {
      const { id } = await workOf({ supply_date: DECEMBER_2018, is_vat_included }, { vat_code: LOW });
      const days = ['2018-12-31T22:59:59.999Z', '2018-12-31T23:00:00.000Z', DECEMBER_2018, null];
      const found: Json[] = [];

      for (const supply_date of days) {
        await change(client, id, { supply_date });
        found.push(await read(client, id));
      }

      expect(found.map(({ total_gross }) => total_gross)).to.deep.equal(grosses);
      expect(found.flatMap(percentagesOf)).to.deep.equal([6, 9, 6, 9]);
      const added = await client.post('/orderline', { ...LINE, order_id: id, vat_code: LOW });
      expect(added.data.vat_percentage).to.equal(9);
    });

  it('follow the calendar of the garage', async () => {
    const zurich = await newClient();
    await zurich.put(`/owner/${zurich.garage.owner}`, { timezone: 'America/New_York' });
    const buyer = await buildBuyer(zurich);
    const at = { supply_date: '2019-01-01T04:59:00.000Z', contact_id: buyer.id };
    const { data } = await zurich.post('/order', { ...at, order_type: 1, order_date: '2026-05-01' });

    const line = await addLine(zurich, data.id, { vat_code: LOW });

    expect(line.vat_percentage).to.equal(6);
  });

  it('are new on the day of another rate: at a change of a line, and at the latest on the invoice', async () => {
    const lines = [{ vat_code: LOW }, { vat_code: LOW, price: 50 }];
    const orders = [
      await workOf({}, ...lines),
      await workOf({}, ...lines),
      await workOf({ is_vat_included: 1 }, ...lines),
    ];
    const ids = orders.map(({ id }) => id);
    await makeLinesOld(...ids);
    await makeTotalsOld(...ids.slice(0, 2));

    await client.put(`/orderline/${orders[0].orderline[1].id}`, { price: 60 });
    const changed = await read(client, orders[0].id);
    const invoices = [await invoiced(orders[1].id), await invoiced(orders[2].id)];

    expect(changed).to.include({ total_net: 160, total_vat: 14.4, total_gross: 174.4 });
    expect(invoices[0]).to.include({ total_vat: 13.5, total_gross: 163.5, amount_open: 163.5 });
    expect(invoices[1]).to.include({ total_vat: 12.39, total_gross: 150 });
    for (const order of [changed, ...invoices]) expect(percentagesOf(order)).to.deep.equal([9, 9]);
  });

  it('are in the totals after a PUT of the vehicle, with a date of supply and without', async () => {
    const vehicle_id = (await build(client, 'vehicle')).id;
    const [dated, older] = [await workOf({}, { vat_code: LOW }), await workOf({}, { vat_code: LOW })];
    await makeLinesOld(older.id);
    await makeTotalsOld(older.id);

    await change(client, dated.id, { vehicle_id, supply_date: DECEMBER_2018 });
    await change(client, older.id, { vehicle_id });

    const orders = [await read(client, dated.id), await read(client, older.id)];
    expect(orders.flatMap(percentagesOf)).to.deep.equal([6, 9]);
    expect(orders.map(({ total_vat, total_gross }) => [total_vat, total_gross])).to.deep.equal([
      [6, 106],
      [9, 109],
    ]);
  });

  it('are in the totals after a change of the line of a car that leaves its amounts', async () => {
    const { id } = await saleOf(client, (await stockCar(client)).id, { contact_id });
    await addLine(client, id, { vat_code: LOW });
    await makeLinesOld(id);
    await makeTotalsOld(id);
    const [car] = (await read(client, id)).orderline;

    await client.put(`/orderline/${car.id}`, { description: 'Occasion' });

    const order = await read(client, id);
    expect(percentagesOf(order)).to.deep.equal([0, 9]);
    expect(order).to.include({ total_net: 11_050, total_vat: 9, total_gross: 11_059 });
  });

  it('are in the totals of an invoice also if its lines alone had them', async () => {
    const { id } = await workOf({}, { vat_code: LOW });
    await makeTotalsOld(id);

    const invoice = await invoiced(id);

    expect(invoice).to.include({ total_vat: 9, total_gross: 109, amount_open: 109 });
  });

  it('decide the price of a car that is bought with VAT, also where the invoice brings the day', async () => {
    const vehicle = (await build(client, 'vehicle')).id;
    const seller = await buildBuyer(client, { vat_number: 'NL004495445B01' });
    const { id } = await purchaseOf(
      client,
      vehicle,
      {
        ...{ is_vat_included: 1, contact_id: seller.id },
        ...{ purchase_proof: purchaseproofs.SUPPLIER_INVOICE, supplier_invoice_number: 'P-19' },
      },
      { vat_code: HIGH, price: 12_100 },
    );

    // 12,100 × 19/119 = 1,931.93.
    const { status, text } = await client.put(`/order/${id}`, {
      ...{ order_status: orderstatuses.INVOICE, supply_date: '2012-09-01' },
    });

    expect(status, text).to.equal(200);
    expect((await client.get(`/vehicle/${vehicle}`)).data.purchase_price).to.equal(10_168.07);
  });

  it('of a credit note are those of its invoice', async () => {
    const whole = await workOf({ supply_date: DECEMBER_2018 }, { vat_code: LOW });
    const part = await workOf({ supply_date: DECEMBER_2018 }, { vat_code: LOW });
    for (const { id } of [whole, part]) await invoiced(id);
    const { data: byHand } = await client.post('/order', {
      ...{ order_type: ordertypes.INTERNAL_REVERSAL, order_date: '2026-05-01' },
      ...{ contact_id, credited_order_id: part.id, supply_date: '2026-05-01' },
    });
    await addLine(client, byHand.id, { vat_code: LOW, quantity: -1, price: 10 });

    const first = await invoiced(byHand.id);
    const { data } = await client.post('/order/credit', { order_id: whole.id, is_invoiced: 1 });

    expect(first).to.include({ total_net: -10, total_vat: -0.6 });
    expect(data).to.include({ total_vat: -6, total_gross: -106 });
    expect(percentagesOf(await read(client, data.id))).to.deep.equal([6]);
  });

  it('of a deposit stay when its order takes it off', async () => {
    const { id } = await workOf({ supply_date: DECEMBER_2018 }, { vat_code: LOW, price: 1000 });
    const { data: deposit } = await client.post('/order/deposit', { order_id: id, amount: 109 });
    const paid = await invoiced(deposit.id);

    const invoice = await invoiced(id);

    expect(paid).to.include({ total_net: 100, total_vat: 9 });
    expect(invoice).to.include({ total_net: 900, total_vat: 51, total_gross: 951 });
    expect(percentagesOf(invoice)).to.deep.equal([6, 9]);
    const [xml = ''] = (await eInvoices(client, { order_ids: [id] })).values();
    const { vat, percent, tax } = readUbl(xml, { ...TOTALS, ...GROUPS });
    expect([vat, percent, tax]).to.deep.equal([['51.00'], ['6', '9'], ['60.00', '-9.00']]);
  });

  it('decide the VAT of a margin', async () => {
    const car = await stockCar(client);
    const { id } = await saleOf(
      client,
      car.id,
      { supply_date: '2012-09-30', contact_id },
      { vat_code: MARGIN, price: 9690 },
    );

    const { orderline } = await invoiced(id);

    expect(orderline.map(({ margin_vat }: Json) => margin_vat)).to.deep.equal([190]);
  });

  it('of an old invoice are those of its supply, or else of its date', async () => {
    const lines = [{ ...LINE, vat_code: LOW }];
    const one = { invoice_date: '2018-12-04T10:00:00Z', orderline: lines };
    const other = { external_id: 'O-2', order_number: 701, invoice_number: '201900043', orderline: lines };

    const { rows } = await importJson(client, 'resource=order&mode=upsert&history=1', [
      old(one),
      old({ ...other, supply_date: '2018-12-30T10:00:00Z' }),
    ]);

    expect(rows.map(rowMessages)).to.deep.equal([[], []]);
    for (const { id } of rows)
      expect(await read(client, id)).to.include({ total_net: 100, total_vat: 6, amount_open: 106 });
  });
});
