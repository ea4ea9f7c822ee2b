// POST /export of the journal: one entry for each invoice and each payment of the period, each in balance, with the
// totals of the invoices.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { journalOf, type Line } from '../../support/books/journal.ts';
import { build, buildBuyer, buildInvoice } from '../../support/build/build.ts';
import { dayOf } from '../../support/build/day.ts';
import { addLine, invoiceIt } from '../../support/build/order.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { execute } from '../../support/database/sql.ts';
import { database } from '../../support/service/service.ts';

const { ordertypes, paymentmethods, vatcodes } = LISTS;
const [FROM, TO] = ['2020-01-01', '2099-12-31'];

/** `sales 1300 121.00 0.00`, by entry. */
function shown(lines: readonly Line[]): Record<string, string[]> {
  const entries: Record<string, string[]> = {};
  for (const { entry, journal, account, debit, credit } of lines)
    entries[entry] = [...(entries[entry] ?? []), [journal, account, debit, credit].join(' ')];
  return entries;
}

describe('the journal', () => {
  let client: Client;
  let group: { id: number };
  beforeEach(async () => {
    client = await newClient();
    group = await build(client, 'turnovergroup', {
      code: 'WRK',
      ledger_account: '8000',
      cost_ledger_account: '7000',
    });
  });

  /** An order with lines, as an invoice. */
  const invoiced = async (overrides: Json, lines: Json[]) => {
    const contact_id = overrides.contact_id ?? (await buildBuyer(client)).id;
    const order = await build(client, 'order', { ...overrides, contact_id });
    for (const line of lines) await addLine(client, order.id, { turnover_group_id: group.id, ...line });
    const answer = await invoiceIt(client, order.id);
    expect(answer.status, answer.text).to.equal(200);
    return answer.data;
  };
  const pay = (order_id: number, amount: number, method: number, paid_at = new Date().toISOString()) =>
    build(client, 'payment', { order_id, amount, method, paid_at });

  /** A sale with VAT of two rates, a margin and a text. */
  const mixedSale = async () => {
    const other = await build(client, 'turnovergroup', { code: 'CAR', ledger_account: '8110' });
    const car = { price: 12_100, purchase_price: 10_890, vat_code: vatcodes.MARGIN };
    return invoiced({}, [
      { price: 100 },
      { price: 10, vat_code: vatcodes.LOW },
      { ...car, turnover_group_id: other.id },
      { price: 0, turnover_group_id: null, line_kind: LISTS.linekinds.TEXT },
    ]);
  };
  const credited = ({ id, contact_id }: Json, lines: Json[]) =>
    invoiced({ order_type: ordertypes.INTERNAL_REVERSAL, contact_id, credited_order_id: id }, lines);

  it('books a sale with VAT, a margin and a text, its payment, and its credit note', async () => {
    const sale = await mixedSale();
    const payment = await pay(sale.id, 131.9, paymentmethods.PIN);
    const credit = await credited(sale, [{ quantity: -1, price: 100 }]);
    const { data: offsets } = await client.get(`/payment?filter=method:${paymentmethods.OFFSET}&sort=id`);

    const { lines } = await journalOf(client, FROM, TO);

    expect(shown(lines)).to.deep.equal({
      [`order/${sale.id}`]: [
        'sales 1300 12231.90 0.00',
        'sales 8000 0.00 100.00',
        'sales 8000 0.00 10.00',
        'sales 8110 0.00 11890.00',
        'sales 1530 0.00 210.00',
        'sales 1510 0.00 21.00',
        'sales 1520 0.00 0.90',
      ],
      [`payment/${payment.id}`]: ['pin 1050 131.90 0.00', 'pin 1300 0.00 131.90'],
      [`order/${credit.id}`]: ['sales 1300 0.00 121.00', 'sales 8000 100.00 0.00', 'sales 1510 21.00 0.00'],
      // The payment of the credit note books the payment of its invoice, too.
      [`payment/${offsets[1].id}`]: ['offset 1300 0.00 121.00', 'offset 1300 121.00 0.00'],
    });
    const { invoice_number } = sale;
    const head = { description: `Invoice ${invoice_number}`, order_id: String(sale.id), invoice_number };
    expect(lines[0]).to.include({ date: dayOf(sale.invoice_date), ...head });
  });

  it('contains the number of the payer, the VAT code, the due date and the license plate', async () => {
    const [debtor, customer] = [await buildBuyer(client, { debtor_number: 'D-7' }), await buildBuyer(client)];
    const vehicle = await build(client, 'vehicle', { license_plate: 'XX-999-X' });
    const { id: vehicle_id } = vehicle;
    const sale = await invoiced({ contact_id: debtor.id, vehicle_id }, [{ price: 100 }]);
    const other = await invoiced({ contact_id: debtor.id, invoice_contact_id: customer.id }, [{ price: 1 }]);
    await client.put('/updatelicenseplate', { id: vehicle_id, license_plate: 'XX-998-X' });

    const { lines } = await journalOf(client, FROM, TO);

    const of = ({ id }: Json) => lines.filter(({ order_id }) => order_id === String(id));
    for (const line of of(sale))
      expect(line).to.include({
        relation: 'D-7',
        due_date: dayOf(sale.due_date),
        license_plate: 'XX-999-X',
      });
    expect(of(sale).map(({ account, vat_code }) => `${account} ${vat_code}`)).to.deep.equal([
      ...['1300 ', `8000 ${vatcodes.HIGH}`, `1510 ${vatcodes.HIGH}`],
    ]);
    expect(new Set(of(other).map(({ relation }) => relation))).to.deep.equal(
      new Set([String(customer.contact_number)]),
    );
  });

  /** A purchase from the contact, with the proof that its seller can give. */
  const purchased = (overrides: Json, lines: Json[]) =>
    invoiced(
      {
        order_type: ordertypes.VEHICLE_PURCHASE,
        purchase_proof: LISTS.purchaseproofs.SUPPLIER_INVOICE,
        supplier_invoice_number: 'S-2026/17',
        ...overrides,
      },
      lines,
    );

  it('books a purchase and its credit note on the creditors, with input VAT', async () => {
    const seller = await buildBuyer(client, { creditor_number: 'C-3', debtor_number: 'D-3' });
    const purchase = await purchased({ contact_id: seller.id }, [{ price: 5000 }]);
    const payment = await pay(purchase.id, 6050, paymentmethods.BANK);
    await execute(database(), 'UPDATE orders SET invoice_number = NULL WHERE id = ?', [purchase.id]);
    const back = await credited(purchase, [{ quantity: -1, price: 5000 }]);

    const { lines, summary } = await journalOf(client, FROM, TO);

    expect(shown(lines)).to.deep.equal({
      [`order/${purchase.id}`]: [
        'purchases 1600 0.00 6050.00',
        'purchases 7000 5000.00 0.00',
        'purchases 1540 1050.00 0.00',
      ],
      [`payment/${payment.id}`]: ['bank 1100 0.00 6050.00', 'bank 1600 6050.00 0.00'],
      [`order/${back.id}`]: [
        'purchases 1600 6050.00 0.00',
        'purchases 7000 0.00 5000.00',
        'purchases 1540 0.00 1050.00',
      ],
    });
    expect(lines[0]).to.include({ description: 'Purchase S-2026/17', invoice_number: '', relation: 'C-3' });
    expect(summary.journals).to.deep.equal({
      bank: { entries: 1, debtors: 0, creditors: 6050 },
      purchases: { entries: 2, debtors: 0, creditors: 0 },
    });
  });

  it('books the VAT of a purchase with reverse charge as owed and as deducted', async () => {
    const purchase = await purchased({}, [{ price: 1000, vat_code: vatcodes.REVERSE_CHARGE }]);

    const { lines } = await journalOf(client, FROM, TO);

    expect(shown(lines)).to.deep.equal({
      [`order/${purchase.id}`]: [
        'purchases 1600 0.00 1000.00',
        'purchases 7000 1000.00 0.00',
        'purchases 1510 0.00 210.00',
        'purchases 1540 210.00 0.00',
      ],
    });
  });

  it('puts a trade-in into stock, and takes sold goods out of stock', async () => {
    const cars = await build(client, 'turnovergroup', {
      ...{ code: 'CAR', ledger_account: '8110', cost_ledger_account: '7110', stock_ledger_account: '3000' },
    });
    const tradeIn = await build(client, 'vehicle', { license_plate: 'TR-999-N' });
    const of = { turnover_group_id: cars.id };
    const sale = await invoiced({}, [
      { ...of, price: 12_100, purchase_price: 10_890, vat_code: vatcodes.MARGIN },
      {
        ...of,
        ...{ line_kind: LISTS.linekinds.TRADE_IN, vehicle_id: tradeIn.id },
        ...{ quantity: -1, price: 4000, vat_code: vatcodes.MARGIN },
      },
    ]);

    const { lines } = await journalOf(client, FROM, TO);

    expect(shown(lines)).to.deep.equal({
      [`order/${sale.id}`]: [
        'sales 1300 8100.00 0.00',
        'sales 8110 0.00 11890.00',
        'sales 3000 4000.00 0.00',
        'sales 1530 0.00 210.00',
        'sales 7110 10890.00 0.00',
        'sales 3000 0.00 10890.00',
      ],
    });
    expect(lines.map(({ license_plate }) => license_plate)).to.include('TR-999-N');
  });

  it('keeps deposits until the final invoice, and books no VAT of margins if margins count over periods', async () => {
    await client.put(`/owner/${client.garage.owner}`, { margin_method: LISTS.marginmethods.GLOBAL });
    const deposit = { line_kind: LISTS.linekinds.DEPOSIT, turnover_group_id: null, price: 1000 };
    const first = await invoiced({}, [deposit]);
    const last = await invoiced({}, [
      { price: 12_100, purchase_price: 10_890, vat_code: vatcodes.MARGIN },
      { ...deposit, quantity: -1 },
    ]);

    const { lines } = await journalOf(client, FROM, TO);

    expect(shown(lines)).to.deep.equal({
      [`order/${first.id}`]: ['sales 1300 1210.00 0.00', 'sales 1700 0.00 1000.00', 'sales 1510 0.00 210.00'],
      [`order/${last.id}`]: [
        'sales 1300 10890.00 0.00',
        'sales 8000 0.00 12100.00',
        'sales 1700 1000.00 0.00',
        'sales 1510 210.00 0.00',
      ],
    });
  });

  it('books the cents of rounding when a cash payment closes an invoice', async () => {
    const sale = await invoiced({}, [{ price: 10, vat_code: vatcodes.ZERO }]);
    const { id } = await pay(sale.id, 9.98, paymentmethods.CASH);
    await execute(database(), 'UPDATE payments SET rounding = 0.02 WHERE id = ?', [id]);

    const { lines } = await journalOf(client, FROM, TO);

    expect(shown(lines)[`payment/${id}`]).to.deep.equal([
      'cash 1000 9.98 0.00',
      'cash 4900 0.02 0.00',
      'cash 1300 0.00 10.00',
    ]);
  });

  it('has every invoice number, also that of an invoice of 0', async () => {
    const made = [await invoiced({}, [{ price: 0 }]), await invoiced({}, [{ price: 1 }])];

    const { lines } = await journalOf(client, FROM, TO);

    expect([...new Set(lines.map(({ invoice_number }) => invoice_number))]).to.deep.equal(
      made.map(({ invoice_number }) => invoice_number),
    );
    expect(lines[0]).to.include({ account: '1300', debit: '0.00', credit: '0.00' });
  });

  it('has the days of the garage, both ends included, and nothing of another garage', async () => {
    const other = await newClient();
    await buildInvoice(other, {}, { turnover_group_id: (await build(other, 'turnovergroup')).id });
    const ids: number[] = [];
    const instants = [
      '2026-04-30 21:59:59.999',
      '2026-04-30 22:00:00',
      '2026-05-02 21:59:59.999',
      '2026-05-02 22:00:00',
    ];
    for (const instant of instants) {
      const { id } = await invoiced({}, [{ price: 1 }]);
      await execute(database(), 'UPDATE orders SET book_date = ? WHERE id = ?', [instant, id]);
      await pay(id, 1, paymentmethods.BANK, `${instant.replace(' ', 'T')}Z`);
      ids.push(id);
    }

    const { lines, summary } = await journalOf(client, '2026-05-01', '2026-05-02');

    const found = lines.map(({ order_id, date }) => `${order_id} ${date}`);
    expect(new Set(found)).to.deep.equal(new Set([`${ids[1]} 2026-05-01`, `${ids[2]} 2026-05-02`]));
    expect(summary).to.include({
      from: '2026-05-01',
      to: '2026-05-02',
      timezone: 'Europe/Amsterdam',
      entries: 4,
    });
    expect((await journalOf(client, '2026-05-01', '2026-05-01')).summary.entries).to.equal(2);
    expect((await journalOf(client, '2020-01-01', '2020-12-31')).lines).to.deep.equal([]);
  });
});
