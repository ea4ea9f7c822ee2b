// history=1: the amounts of old invoices, and their deposits.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { toCents } from '../../support/books/journal.ts';
import { buildBuyer } from '../../support/build/build.ts';
import { invoiceIt } from '../../support/build/order.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { importJson, importRows, rowMessages } from '../../support/client/import.ts';
import { invalid } from '../../support/client/message.ts';
import { LINE, old } from './old-order.ts';

describe('an import with history=1', () => {
  let client: Client;
  beforeEach(async () => {
    client = await newClient();
    await buildBuyer(client, { external_id: 'K', payment_days: 30 });
  });

  const bring = (...rows: Json[]) => importJson(client, 'resource=order&mode=upsert&history=1', rows);
  const orders = async () =>
    (await client.get('/order?sort=id&expand=orderline,invoiceparty')).data as Json[];

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
    const other = { external_id: 'O-2', order_number: 701, invoice_number: '201900043' };
    const wrong = old({ ...other, orderline: [{ ...line, line_gross: 'x' }] });
    const file = [old({ orderline: [line, sold] }), wrong];

    const { rows } = await bring(...file);
    const again = await bring(...file);

    expect(rows.map(rowMessages)).to.deep.equal([
      [],
      ['Field: [orderline[0].line_gross] has an invalid value: [x] for datatype: float8'],
    ]);
    const [order] = await orders();
    const gross = { total_gross: 5036.31, amount_open: 5036.31 };
    expect(order).to.include({ total_net: 5030, total_vat: 6.31, ...gross });
    const lines = (order?.orderline ?? []) as Json[];
    expect(lines.map(({ line_vat, margin_vat }) => [line_vat, margin_vat])).to.deep.equal([
      [6.31, null],
      [0, 12.34],
    ]);
    expect(again.rows[0].status).to.equal('unchanged');
  });

  for (const [day, high, low] of [
    ['2012-09-30', 19, 6],
    ['2012-10-01', 21, 6],
    ['2018-12-31', 21, 6],
    ['2019-01-01', 21, 9],
  ] as const)
    it(`takes an invoice of ${day} with ${high} % and ${low} % VAT`, async () => {
      const told = [
        { ...LINE, line_gross: 100 + high },
        { ...LINE, vat_code: LISTS.vatcodes.LOW, line_gross: 100 + low },
      ];

      const { rows } = await bring(old({ invoice_date: `${day}T10:00:00Z`, orderline: told }));

      expect(rows.map(rowMessages)).to.deep.equal([[]]);
      const [order] = await orders();
      const lines = (order?.orderline ?? []) as Json[];
      expect(lines.map(({ line_vat, vat_percentage }) => [line_vat, vat_percentage])).to.deep.equal([
        [high, high],
        [low, low],
      ]);
    });

  it('takes no amount for none, and what was told of a line without VAT as its net', async () => {
    const empty = { ...LINE, line_gross: null, margin_vat: null };
    const untaxed = { ...LINE, vat_code: LISTS.vatcodes.OUTSIDE, line_gross: 100.01 };

    const { rows } = await bring(old({ orderline: [empty, untaxed] }));

    expect(rows.map(rowMessages)).to.deep.equal([[]]);
    const [order] = await orders();
    expect(order).to.include({ total_net: 200.01, total_vat: 21, total_gross: 221.01 });
  });

  const AMOUNTS = ['line_net', 'line_vat', 'line_gross', 'margin_vat'];
  /** In cents. */
  const sumOf = (rows: readonly Json[], amount: string) =>
    rows.reduce((sum, row) => sum + toCents(row[amount]), 0);

  for (const [title, is_vat_included, vat_code, told] of [
    ['under the margin scheme', 0, LISTS.vatcodes.MARGIN, 121.06],
    ['without VAT', 0, LISTS.vatcodes.OUTSIDE, 121.06],
    ['with VAT in the price', 1, LISTS.vatcodes.HIGH, 100.06],
  ] as const)
    it(`takes a line ${title} without pieces, and its credit notes end at 0`, async () => {
      const work = { ...LINE, quantity: 3, price: 33.35, line_gross: told };
      const only = { ...LINE, quantity: 0, price: 0, vat_code, line_gross: 8000.01 };
      const { rows } = await bring(old({ is_vat_included, orderline: [work, only] }));
      const order_id = rows[0].id;
      const lines = (await client.get(`/orderline?filter=order_id:${order_id}&sort=id`)).data;
      const credit = (more: Json = {}) => client.post('/order/credit', { order_id, is_invoiced: 1, ...more });

      const part = await credit({ orderline: [{ id: lines[0].id, quantity: 1 }] });
      const rest = await credit();
      const again = await credit();

      expect([part.status, rest.status]).to.deep.equal([201, 201]);
      expect(again).to.be.refused(403, invalid('order_id', order_id, 'credit exceeds the invoice'));
      const all = await orders();
      for (const total of ['total_net', 'total_vat', 'total_gross'])
        expect(sumOf(all, total), total).to.equal(0);
      const credited = all.flatMap(({ orderline }) => orderline as Json[]);
      for (const { id } of lines) {
        const own = credited.filter((one) => one.id === id || one.credited_line_id === id);
        expect(AMOUNTS.map((amount) => sumOf(own, amount))).to.deep.equal([0, 0, 0, 0]);
      }
      expect(all.map(({ amount_open }) => amount_open)).to.deep.equal([0, 0, 0]);
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
});
