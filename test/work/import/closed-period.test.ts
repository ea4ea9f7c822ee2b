// Imports judge each row against the closed days: old invoices by their date, and payments by theirs.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { close, PERIOD_CLOSED } from '../../support/books/closed.ts';
import { buildBuyer, buildInvoice } from '../../support/build/build.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { importJson, rowMessages } from '../../support/client/import.ts';

const { WORKSHOP, VEHICLE_PURCHASE } = LISTS.ordertypes;
const { SUPPLIER_INVOICE } = LISTS.purchaseproofs;
const { BANK } = LISTS.paymentmethods;
const CLOSED_DAY = '2026-03-31';

describe('an import into closed books', () => {
  let client: Client;
  beforeEach(async () => {
    client = await newClient();
    await buildBuyer(client, { external_id: 'K' });
  });

  const LINE = { line_kind: 2, description: 'Beurt', quantity: 1, price: 100, vat_code: 1 };
  const old = (number: number, invoice_date: string, changes: Json = {}): Json => ({
    external_id: `O-${number}`,
    order_number: number,
    order_type: WORKSHOP,
    order_date: '2019-03-01',
    invoice_number: `2019${number}`,
    invoice_date,
    contact_external_id: 'K',
    orderline: [LINE],
    ...changes,
  });
  const bring = (...rows: Json[]) => importJson(client, 'resource=order&mode=upsert&history=1', rows);

  it('refuses each old invoice of a closed day, and takes the others', async () => {
    await close(client, CLOSED_DAY);

    const { rows } = await bring(
      old(1, '2026-03-31T21:59:59.999Z'),
      old(2, '2026-03-31T22:00:00Z'),
      old(3, '2019-03-04'),
      old(4, '2026-04-02'),
    );

    expect(rows.map(({ status }) => status)).to.deep.equal(['refused', 'created', 'refused', 'created']);
    expect(rowMessages(rows[0])).to.deep.equal([PERIOD_CLOSED]);
    expect((await client.get('/order?sort=id')).data).to.have.length(2);
  });

  it('books an old purchase on its own date, whatever the date of the seller', async () => {
    const bought = (number: number, invoice_date: string, supplier_invoice_date: string) =>
      old(number, invoice_date, {
        order_type: VEHICLE_PURCHASE,
        purchase_proof: SUPPLIER_INVOICE,
        supplier_invoice_number: `${number}`,
        supplier_invoice_date,
        invoice_number: null,
      });
    await close(client, CLOSED_DAY);

    const { rows } = await bring(
      bought(1, '2026-04-02', '2026-03-01'),
      bought(2, '2026-03-01', '2026-04-02'),
    );

    expect(rows.map(({ status }) => status)).to.deep.equal(['created', 'refused']);
    const [order] = (await client.get('/order')).data;
    expect(order).to.include({
      book_date: '2026-04-02T00:00:00.000Z',
      due_date: '2026-03-15T00:00:00.000Z',
    });
  });

  it('takes old orders that are no invoices', async () => {
    await close(client, CLOSED_DAY);
    const { invoice_number, invoice_date, ...order } = old(1, '2019-03-04');

    const { rows } = await bring(order);

    expect(rows.map(({ status }) => status)).to.deep.equal(['created']);
  });

  it('refuses payments of closed days, row by row', async () => {
    const { id: order_id } = await buildInvoice(client);
    const payment = (paid_at: string, amount = 10) => ({ order_id, paid_at, amount, method: BANK });
    await close(client, CLOSED_DAY);

    const { rows } = await importJson(client, 'resource=payment', [
      payment('2026-03-30'),
      payment('2026-04-30'),
      payment('2026-04-30', 1_000),
      payment('2026-02-01'),
    ]);

    expect(rows.map(({ status }) => status)).to.deep.equal(['refused', 'created', 'refused', 'refused']);
    for (const index of [0, 3]) expect(rowMessages(rows[index])).to.deep.equal([PERIOD_CLOSED]);
    expect((await client.get(`/order/${order_id}`)).data.amount_open).to.equal(111);
  });
});
