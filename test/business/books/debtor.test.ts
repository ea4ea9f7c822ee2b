// GET /debtor: what is open at the end of a day, by payer and age, and that it equals the debtors of the journal on any
// day.

import { seed } from '../../../src/business/seed/seed.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { dateInvoice, invoiceOn, setGarage } from '../../support/books/books.ts';
import { toCents } from '../../support/books/journal.ts';
import { build, buildBuyer } from '../../support/build/build.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { database } from '../../support/service/service.ts';

const { ordertypes, paymentmethods, purchaseproofs, vatcodes } = LISTS;

describe('debtors', () => {
  let client: Client;
  beforeEach(async () => {
    client = await newClient();
  });

  const at = async (day: string): Promise<Json[]> => {
    const answer = await client.get(`/debtor?at=${day}`);
    expect(answer.status, answer.text).to.equal(200);
    return answer.data;
  };
  const only = async (day: string) => {
    const [row, ...more] = await at(day);
    expect(more).to.deep.equal([]);
    return row;
  };
  const pay = (order_id: number, amount: number, paid_at: string, method: number = paymentmethods.PIN) =>
    build(client, 'payment', { order_id, amount, paid_at, method });
  /** An invoice of € 100 without VAT. */
  const sold = (day: string, order: Json = {}) =>
    invoiceOn(client, day, [{ price: 100, vat_code: vatcodes.OUTSIDE }], order);

  it('are late from the day after the due date, and grouped by age', async () => {
    // Due on 15 January.
    const { contact_id } = await sold('2026-01-01');
    const nothing = { not_due: 0, days_30: 0, days_60: 0, days_90: 0, older: 0 };

    const ages: [day: string, age: string][] = [
      ['2026-01-01', 'not_due'],
      ['2026-01-15', 'not_due'],
      ['2026-01-16', 'days_30'],
      ['2026-02-14', 'days_30'],
      ['2026-02-15', 'days_60'],
      ['2026-03-16', 'days_60'],
      ['2026-03-17', 'days_90'],
      ['2026-04-15', 'days_90'],
      ['2026-04-16', 'older'],
    ];
    for (const [day, age] of ages)
      expect(await only(day), day).to.deep.equal({
        contact_id,
        name: 'de Boer',
        ...nothing,
        [age]: 100,
        total: 100,
        oldest_due_date: '2026-01-15T12:00:00.000Z',
      });
    expect(await at('2025-12-31')).to.deep.equal([]);
  });

  it('have the name that their invoices print', async () => {
    const { id: contact_id } = await buildBuyer(client, { last_name: 'محمد', print_name: 'Mohammed' });
    await sold('2026-01-01', { contact_id });

    const row = await only('2026-01-02');

    expect(row).to.include({ contact_id, name: 'Mohammed' });
  });

  it('owe the amount that is unpaid at the end of a day; the rounding of cash counts as paid', async () => {
    await setGarage(client, { is_cash_rounded: 1 });
    const { id } = await invoiceOn(client, '2026-01-01', [{ price: 100.02, vat_code: vatcodes.OUTSIDE }]);
    await pay(id, 40, '2026-01-10T22:59:59.999Z');
    await pay(id, 60, '2026-02-01', paymentmethods.CASH);

    expect((await only('2026-01-09'))?.total).to.equal(100.02);
    expect((await only('2026-01-10'))?.total).to.equal(60.02);
    expect((await only('2026-01-31'))?.total).to.equal(60.02);
    expect(await at('2026-02-01')).to.deep.equal([]);
    expect((await client.get('/debtor')).data).to.deep.equal([]);
  });

  it('are payers of sales, not sellers, and owe what a credit note leaves', async () => {
    const [lease, driver] = [
      await buildBuyer(client, { contact_kind: 2, company_name: 'Álease' }),
      await buildBuyer(client),
    ];
    const { id } = await sold('2026-01-01', { contact_id: driver.id, invoice_contact_id: lease.id });
    await sold('2026-03-01', { contact_id: driver.id });
    await sold('2026-01-01', {
      order_type: ordertypes.VEHICLE_PURCHASE,
      purchase_proof: purchaseproofs.SUPPLIER_INVOICE,
      supplier_invoice_number: '1',
    });
    const credit = (await client.post('/order/credit', { order_id: id, is_invoiced: 1 })).data;
    await dateInvoice(client, credit.id, '2026-02-01');

    const rows = await at('2026-03-20');

    // The credit note was settled by payments of today.
    expect(rows.map(({ name, total, days_60, days_90 }) => [name, total, days_60, days_90])).to.deep.equal([
      ['Álease', 0, -100, 100],
      ['de Boer', 100, 0, 0],
    ]);
    expect(rows.map(({ oldest_due_date }) => oldest_due_date)).to.deep.equal([
      '2026-01-15T12:00:00.000Z',
      '2026-03-15T12:00:00.000Z',
    ]);
    expect((await client.get('/debtor')).data.map(({ name }: Json) => name)).to.deep.equal(['de Boer']);
  });

  it('are below 0 if a payment came before its invoice', async () => {
    const { id } = await sold('2026-03-01');
    await pay(id, 30, '2026-02-01');

    expect(await only('2026-02-10')).to.include({ not_due: -30, total: -30, oldest_due_date: null });
    expect(await only('2026-03-01')).to.include({ not_due: 70, total: 70 });
  });

  it('of a seeded garage match its invoices and payments on any day', async () => {
    const { owner } = client.garage;
    await seed(database(), { owner, orders: 200 });
    const all = async (path: string): Promise<Json[]> => (await client.get(`${path}&page_size=1000`)).data;
    const orders = await all('/order?filter=is_invoiced:1');
    const payments = await all('/payment?sort=id');
    const typeOf = new Map(orders.map(({ id, order_type }) => [id, order_type]));
    const isSale = ({ order_type, credited_order_id }: Json) =>
      (typeOf.get(credited_order_id as number) ?? order_type) !== ordertypes.VEHICLE_PURCHASE;
    const sales = new Set(orders.filter(isSale).map(({ id }) => id));
    const sum = (rows: Json[], of: (row: Json) => number) => rows.reduce((total, row) => total + of(row), 0);

    for (const day of ['2023-06-30', '2024-12-31', '2025-12-31', '2026-03-29']) {
      // Midnight in Amsterdam is at 22:00 or 23:00 in UTC; no seeded record is that late.
      const until = `${day}T22:00:00.000Z`;
      const sold = orders.filter(({ id, invoice_date }) => sales.has(id) && String(invoice_date) < until);
      const paid = payments.filter(({ order_id, paid_at }) => sales.has(order_id) && String(paid_at) < until);
      const owed =
        sum(sold, ({ total_gross }) => toCents(total_gross)) - sum(paid, ({ amount }) => toCents(amount));
      const rows = await at(day);
      expect(
        sum(rows, ({ total }) => toCents(total)),
        day,
      ).to.equal(owed);
      expect(owed).to.be.above(0);
    }
  });

  it('are shown to ADMIN, USER and a key with the permission, for their own garage only', async () => {
    await sold('2026-01-01');
    const { owner } = client.garage;
    const ask = async (options: Json) => (await newClient(options)).get('/debtor');

    expect((await ask({ owner, role: 'USER' })).data).to.have.length(1);
    expect(await ask({ owner, role: 'READONLY' })).to.be.refused(
      403,
      'Endpoint: [GET /debtor] is not allowed for this user',
    );
    expect(await ask({ owner, allow: ['GET /order'] })).to.be.refused(
      403,
      'Endpoint: [GET /debtor] is not allowed for this api_key',
    );
    expect((await ask({})).data).to.deep.equal([]);
    for (const at of ['2026-02-30', '2026-05-01T10:00:00Z', ''])
      expect(await client.get(`/debtor?at=${at}`)).to.be.refused(
        403,
        `Field: [at] has an invalid value: [${at}] for datatype: timestamp(ISO 8601)`,
      );
  });
});
