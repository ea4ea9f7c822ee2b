// The day on which an invoice counts in the books: its own date, or that of the seller's invoice. Invoices without such
// a day, which a process of the release before writes, count on their date.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { countedOn } from '../../support/books/books.ts';
import { build, buildBuyer, buildInvoice } from '../../support/build/build.ts';
import { dayOf, daysAfter } from '../../support/build/day.ts';
import { change, invoiceIt, purchaseOf, read } from '../../support/build/order.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { invalid } from '../../support/client/message.ts';
import { execute } from '../../support/database/sql.ts';
import { database } from '../../support/service/service.ts';

const { SUPPLIER_INVOICE } = LISTS.purchaseproofs;
const { HIGH } = LISTS.vatcodes;
const DAY_MS = 86_400_000;
const LATE = 'not after today';

describe('the day of an invoice in the books', () => {
  let client: Client;
  let vehicle: number;
  let group: number;
  beforeEach(async () => {
    client = await newClient();
    vehicle = (await build(client, 'vehicle')).id;
    group = (await build(client, 'turnovergroup', { ledger_account: '8000', cost_ledger_account: '7000' }))
      .id;
  });

  const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
  const buy = async (order: Json) => {
    const { id } = await purchaseOf(
      client,
      vehicle,
      { purchase_proof: SUPPLIER_INVOICE, supplier_invoice_number: '2026-117', ...order },
      { vat_code: HIGH, turnover_group_id: group },
    );
    const answer = await invoiceIt(client, id);
    expect(answer.status, answer.text).to.equal(200);
    return answer.data;
  };

  it('is the date of the seller’s invoice, from which the days to pay count too', async () => {
    const date = `${dayOf(ago(60))}T12:00:00.000Z`;

    const { book_date, due_date, invoice_date } = await buy({ supplier_invoice_date: date });

    expect(book_date).to.equal(date);
    expect(dayOf(due_date)).to.equal(dayOf(new Date(Date.parse(date) + 14 * DAY_MS)));
    expect(dayOf(invoice_date)).to.equal(dayOf());
    expect(await countedOn(client, dayOf(date))).to.deep.equal({ deducted: 1_785, entries: 1 });
    expect(await countedOn(client, dayOf())).to.deep.equal({ deducted: 0, entries: 0 });
  });

  it('is the day of the move without that date, with another proof, of a sale and of a credit note', async () => {
    const date = ago(3);
    const credited = await buy({ supplier_invoice_number: '1', supplier_invoice_date: date });

    const made = [
      await buy({ supplier_invoice_number: '2' }),
      await buildInvoice(client, { supplier_invoice_date: date }),
      (await client.post('/order/credit', { order_id: credited.id, is_invoiced: 1 })).data,
    ];

    for (const { book_date, invoice_date } of made) expect(book_date).to.equal(invoice_date);
  });

  it('is empty until the order is an invoice', async () => {
    const { id } = await purchaseOf(client, vehicle, { supplier_invoice_date: ago(1) });

    expect((await read(client, id)).book_date).to.equal(null);
  });

  it('takes no date of the seller’s invoice after today', async () => {
    const tomorrow = `${daysAfter(new Date(), 1)}T12:00:00.000Z`;
    const { id } = await purchaseOf(client, vehicle);

    expect(await client.put(`/order/${id}`, { supplier_invoice_date: tomorrow })).to.be.refused(
      403,
      invalid('supplier_invoice_date', tomorrow, LATE),
    );
    await execute(database(), 'UPDATE orders SET supplier_invoice_date = ? WHERE id = ?', [
      tomorrow.replace('T', ' ').replace('Z', ''),
      id,
    ]);
    expect((await change(client, id, { reference: 'x' })).reference).to.equal('x');
  });

  it('is judged on the calendar of the garage', async () => {
    const buyer = await buildBuyer(client);
    // Between the midnights of Kiritimati and Amsterdam it is tomorrow in one of them only.
    const now = Date.now();
    const ahead = new Date(now + 25 * 3_600_000).toISOString();
    const order = { order_type: 3, order_date: ago(1), contact_id: buyer.id, supplier_invoice_date: ahead };

    await client.put(`/owner/${client.garage.owner}`, { timezone: 'Pacific/Kiritimati' });

    expect(await client.post('/order', order)).to.be.refused(
      403,
      invalid('supplier_invoice_date', ahead, LATE),
    );
    const today = `${new Date(now + 14 * 3_600_000).toISOString().slice(0, 10)}T00:00:00+14:00`;
    expect((await client.post('/order', { ...order, supplier_invoice_date: today })).status).to.equal(201);
  });

  describe('that a process of the release before left empty', () => {
    const forget = (id: number) =>
      execute(database(), 'UPDATE orders SET book_date = NULL WHERE id = ?', [id]);

    it('is the date of the invoice, in the VAT return and in the journal', async () => {
      const one = await buy({});
      await forget(one.id);
      const returned = await countedOn(client, dayOf());
      const completed = await read(client, one.id);
      await forget(one.id);

      const again = await countedOn(client, dayOf(), 'journal first');

      expect(returned).to.deep.equal({ deducted: 1_785, entries: 1 });
      expect(completed.book_date).to.equal(one.invoice_date);
      expect(completed.modified_at).to.equal(one.modified_at);
      expect(again).to.deep.equal(returned);
    });

    it('is completed for the debtors', async () => {
      const { id, total_gross } = await buildInvoice(client);
      await forget(id);

      const { data } = await client.get('/debtor');

      expect(data).to.have.length(1);
      expect(data[0].total).to.equal(total_gross);
    });
  });
});
