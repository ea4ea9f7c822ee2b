// The books of closed days stay as they are: payments, old invoices and purchases of such days are refused or counted
// later, and invoicing goes on.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { askToClose, close, PERIOD_CLOSED } from '../../support/books/closed.ts';
import { build, buildBuyer, buildInvoice } from '../../support/build/build.ts';
import { dayOf, daysAfter, THIS_YEAR } from '../../support/build/day.ts';
import { addLine, invoiceIt, orderIn, purchaseOf } from '../../support/build/order.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { userOf } from '../../support/client/garage-user.ts';
import { invalid } from '../../support/client/message.ts';
import { execute } from '../../support/database/sql.ts';
import { database } from '../../support/service/service.ts';

const { BANK, OFFSET } = LISTS.paymentmethods;
const { READY } = LISTS.orderstatuses;
const { SUPPLIER_INVOICE, SELF_BILLED } = LISTS.purchaseproofs;
const DAY_MS = 86_400_000;
const CLOSED_DAY = '2026-03-31';
const OPEN = '2026-04-01T12:00:00.000Z';
const SHUT = '2026-03-30T12:00:00.000Z';

describe('a closed period', () => {
  let client: Client;
  beforeEach(async () => {
    client = await newClient();
  });

  const owner = () => `/owner/${client.garage.owner}`;
  const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
  const yesterday = () => daysAfter(new Date(), -1);
  const asked = (order_id: number, paid_at: string, amount = 10): Json => ({
    order_id,
    paid_at,
    amount,
    method: BANK,
  });
  const pay = (order_id: number, paid_at: string, amount?: number) =>
    client.post('/payment', asked(order_id, paid_at, amount));

  describe('is set', () => {
    it('to yesterday at the latest, and answered as given', async () => {
      const today = `${dayOf()}T12:00:00.000Z`;
      const last = `${yesterday()}T12:00:00.000Z`;

      // In Amsterdam the last of these belongs to a day that the database can't store.
      for (const late of [today, '9999-12-31', '9999-12-31T23:30:00.000Z'])
        expect(await askToClose(client, late), late).to.be.refused(
          403,
          invalid('books_closed_until', late, 'not after yesterday'),
        );
      expect((await askToClose(client, last)).data.books_closed_until).to.equal(last);
    });

    it('by an ADMIN only, who may open it again, and the log tells', async () => {
      const user = await userOf(client);
      await close(client, CLOSED_DAY);

      expect((await askToClose(user.client, null)).status).to.equal(403);
      await close(client, '2026-01-31');

      const [last] = (await client.get('/audit?filter=resource:owner')).data;
      expect(last.changes).to.deep.equal({
        books_closed_until: ['2026-03-31T00:00:00.000Z', '2026-01-31T00:00:00.000Z'],
      });
    });

    it('and then the time zone stays', async () => {
      await close(client, CLOSED_DAY);

      expect(await client.put(owner(), { timezone: 'Europe/London' })).to.be.refused(
        409,
        'Cannot update [timezone]',
      );
      expect((await client.put(owner(), { timezone: 'Europe/Amsterdam' })).status).to.equal(200);
      const both = { timezone: 'Europe/London', books_closed_until: null };
      expect((await client.put(owner(), both)).data).to.include(both);
    });
  });

  describe('refuses payments', () => {
    let invoice: { readonly id: number };
    beforeEach(async () => {
      invoice = await buildInvoice(client);
    });

    it('of its days, old and new, and changes nothing', async () => {
      const { id: shut } = (await pay(invoice.id, SHUT)).data;
      const { id: open } = (await pay(invoice.id, OPEN)).data;
      await close(client, CLOSED_DAY);

      const answers = [
        await pay(invoice.id, SHUT),
        await client.put(`/payment/${shut}`, { paid_at: OPEN }),
        await client.put(`/payment/${shut}`, { reference: 'x' }),
        await client.put(`/payment/${open}`, { paid_at: SHUT }),
        await client.del(`/payment/${shut}`),
      ];

      for (const answer of answers) expect(answer).to.be.refused(409, PERIOD_CLOSED);
      const { data } = await client.get('/payment?fields=paid_at');
      expect(data.map(({ paid_at }: Json) => paid_at)).to.deep.equal([SHUT, OPEN]);
      expect((await client.put(`/payment/${shut}`, { amount: 10 })).status).to.equal(200);
      expect((await client.put(`/payment/${open}`, { amount: 11 })).status).to.equal(200);
      expect((await client.del(`/payment/${open}`)).status).to.equal(200);
    });

    it('up to the last instant of its last day on the calendar of the garage', async () => {
      await close(client, CLOSED_DAY);

      expect(await pay(invoice.id, '2026-03-31T21:59:59.999Z')).to.be.refused(409, PERIOD_CLOSED);
      expect((await pay(invoice.id, '2026-03-31T22:00:00.000Z')).status).to.equal(201);
    });

    it('after their references and the state of the order, and before the amount', async () => {
      const { id: ready } = await orderIn(client, READY);
      await close(client, CLOSED_DAY);

      expect((await pay(999_999_999, SHUT)).status).to.equal(404);
      expect(await pay(ready, SHUT)).to.be.refused(409, '[order] is [ready], cannot add/update/delete');
      expect(await pay(invoice.id, SHUT, 100_000)).to.be.refused(409, PERIOD_CLOSED);
      expect(await client.post('/payment', { ...asked(invoice.id, SHUT), method: OFFSET })).to.be.refused(
        403,
        invalid('method', OFFSET, 'paymentmethods'),
      );
    });

    it('until it is opened again', async () => {
      await close(client, CLOSED_DAY);
      await close(client, '2026-02-28');

      expect((await pay(invoice.id, SHUT)).status).to.equal(201);
      expect(await pay(invoice.id, '2026-02-28')).to.be.refused(409, PERIOD_CLOSED);
      await close(client, null);
      expect((await pay(invoice.id, '2026-02-28')).status).to.equal(201);
    });

    it('and leaves the payments of other garages alone', async () => {
      const other = await newClient();
      await close(client, CLOSED_DAY);
      const { id } = await buildInvoice(other);

      expect((await other.post('/payment', asked(id, SHUT))).status).to.equal(201);
    });
  });

  describe('lets invoicing go on', () => {
    beforeEach(() => close(client, yesterday()));

    it('with sales and credit notes of today, which settle their invoices today', async () => {
      const { id } = await buildInvoice(client);
      await execute(database(), 'UPDATE orders SET invoice_date = ?, book_date = ? WHERE id = ?', [
        ...['2026-03-01 12:00:00', '2026-03-01 12:00:00'],
        id,
      ]);

      const { data: credit } = await client.post('/order/credit', { order_id: id, is_invoiced: 1 });

      const { data } = await client.get('/payment');
      expect(data.map(({ paid_at }: Json) => paid_at)).to.deep.equal(Array(2).fill(credit.invoice_date));
      expect(dayOf(credit.invoice_date)).to.equal(dayOf());
      expect(await client.del(`/payment/${data[0].id}`)).to.be.refused(409, 'Cannot update [method]');
    });

    it('with purchases of a closed day, which count on the day of the move and are due by their date', async () => {
      // At noon: a night of the clock lies between these days.
      const supplier_invoice_date = `${dayOf(ago(40))}T12:00:00.000Z`;
      const { id: vehicle } = await build(client, 'vehicle');
      const { id } = await purchaseOf(client, vehicle, {
        purchase_proof: SUPPLIER_INVOICE,
        supplier_invoice_number: '1',
        supplier_invoice_date,
      });

      const { data } = await invoiceIt(client, id);

      expect(data).to.include({ supplier_invoice_date, book_date: data.invoice_date });
      const due = new Date(Date.parse(supplier_invoice_date) + 14 * DAY_MS);
      expect(dayOf(data.due_date)).to.equal(dayOf(due));
    });
  });

  describe('that a clock which ran ahead closed', () => {
    const ahead = () => dayOf(new Date(Date.now() + 20 * DAY_MS));
    const opens = () => new Date(Date.parse(`${ahead()}T00:00:00Z`) + DAY_MS);
    /** As a close does it, when its clock has gone 21 days ahead. */
    const closeAhead = async () => {
      await execute(database(), 'UPDATE owners SET books_closed_until = ? WHERE id = ?', [
        `${ahead()} 12:00:00`,
        client.garage.owner,
      ]);
    };

    it('gives new series and purchases its first open day', async () => {
      const seller = await buildBuyer(client, {
        vat_number: 'NL004495445B01',
        self_billing_agreed_at: '2026-01-01',
      });
      const bought = async (order: Json) => {
        const { id } = await purchaseOf(client, (await build(client, 'vehicle')).id, order);
        return (await invoiceIt(client, id)).data;
      };
      await closeAhead();

      const made = [
        await buildInvoice(client),
        await bought({ contact_id: seller.id, purchase_proof: SELF_BILLED }),
        await bought({ purchase_proof: SUPPLIER_INVOICE, supplier_invoice_number: '1' }),
      ];

      for (const { invoice_date, book_date } of made) {
        expect(dayOf(invoice_date)).to.equal(dayOf(opens()));
        expect(book_date).to.equal(invoice_date);
      }
    });
  });

  it('takes the counters of invoices along, so that an invoice before midnight is not booked behind it', async () => {
    await buildInvoice(client);
    const counter = async () => {
      const rows = await database().knex('counters').where({ owner_id: client.garage.owner });
      return rows.find(({ name }: { name: string }) => name === `invoice:${THIS_YEAR}`)?.last_at;
    };
    await execute(
      database(),
      "UPDATE counters SET last_at = '2026-01-01' WHERE owner_id = ? AND name LIKE 'invoice:%'",
      [client.garage.owner],
    );

    await close(client, CLOSED_DAY);

    expect(new Date(`${await counter()}Z`).toISOString()).to.equal('2026-03-31T22:00:00.000Z');
  });

  it('keeps the postings of a turnover group', async () => {
    const { id } = await build(client, 'turnovergroup', { ledger_account: '8000' });
    const order = await build(client, 'order', { contact_id: (await buildBuyer(client)).id });
    await addLine(client, order.id, { turnover_group_id: id, purchase_price: 40 });
    await invoiceIt(client, order.id);
    const stock = (stock_ledger_account: string | null) =>
      client.put(`/turnovergroup/${id}`, { stock_ledger_account });
    await close(client, CLOSED_DAY);
    expect((await stock('3000')).status).to.equal(200);
    await execute(database(), "UPDATE orders SET book_date = '2026-03-01' WHERE id = ?", [order.id]);

    expect(await stock(null)).to.be.refused(409, PERIOD_CLOSED);
    expect((await stock('3001')).status).to.equal(200);
  });
});
