// The journal of a seeded garage has each invoice and each payment, and adds up to the open amounts of any day.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { seed } from '../../../src/business/seed/seed.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { hledgerText, type Journal, journalOf, sumsBy, toCents } from '../../support/books/journal.ts';
import { dayOf } from '../../support/build/day.ts';
import { type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { listed } from '../../support/client/export.ts';
import { database } from '../../support/service/service.ts';

const { ordertypes, paymentmethods } = LISTS;
const [FROM, TO] = ['2020-01-01', '2099-12-31'];

describe('the journal of years of work', () => {
  let years: Journal;
  let orders: Json[];
  let payments: Json[];
  /** Without the payments of method OFFSET that their credit notes book. */
  let booked: Json[];
  before(async function () {
    this.timeout(120_000);
    const garage = await newClient();
    await seed(database(), { owner: garage.garage.owner, orders: 1_200 });
    years = await journalOf(garage, FROM, TO);
    orders = await listed(garage, '/order?filter=is_invoiced:1');
    payments = await listed(garage, '/payment');
    const credits = orders.filter(({ order_type }) => order_type === ordertypes.INTERNAL_REVERSAL);
    const notes = new Set(credits.map(({ id }) => id));
    booked = payments.filter(
      ({ method, order_id }) => method !== paymentmethods.OFFSET || notes.has(order_id),
    );
  });

  const isPurchase = ({ order_type }: Json) => order_type === ordertypes.VEHICLE_PURCHASE;
  const sum = (records: Json[], field: string) =>
    records.reduce((total, record) => total + toCents(record[field]), 0);
  /** Debit less credit of an account in some journals. */
  const balance = (account: string, journal: (name: string) => boolean) =>
    sumsBy(
      years.lines.filter((line) => journal(line.journal)),
      (line) => line.account,
    )[account];

  it('has one entry for each invoice and each payment, sorted by day', () => {
    const entries = new Set(years.lines.map(({ entry }) => entry));

    expect(entries).to.deep.equal(
      new Set([...orders.map(({ id }) => `order/${id}`), ...booked.map(({ id }) => `payment/${id}`)]),
    );
    const dates = years.lines.map(({ date }) => date);
    expect(dates).to.deep.equal([...dates].sort());
  });

  it('balances in each entry, without an amount below 0', () => {
    expect(new Set(Object.values(sumsBy(years.lines, ({ entry }) => entry)))).to.deep.equal(new Set([0]));
    for (const { debit, credit } of years.lines) {
      expect(`${debit} ${credit}`).to.match(/^(0\.00 \d+\.\d\d|\d+\.\d\d 0\.00)$/);
      expect(debit).not.to.equal(credit);
    }
  });

  it('has the totals of the invoices on debtors and creditors, to the cent', () => {
    const [bought, sold] = [orders.filter(isPurchase), orders.filter((order) => !isPurchase(order))];
    const vat = sumsBy(years.lines, ({ account }) => account);

    expect(balance('1300', (name) => name === 'sales')).to.equal(sum(sold, 'total_gross'));
    expect(balance('1600', (name) => name === 'purchases')).to.equal(-sum(bought, 'total_gross'));
    expect(vat['1300']).to.equal(sum(sold, 'amount_open'));
    expect(vat['1600'] ?? 0).to.equal(-sum(bought, 'amount_open'));
    // VAT that the garage itself owes stands on both sides.
    const owed = -(vat['1510'] ?? 0) - (vat['1520'] ?? 0) - (vat['1540'] ?? 0);
    expect(owed).to.equal(sum(sold, 'total_vat') - sum(bought, 'total_vat'));
  });

  it('has the open amounts of each day on debtors and creditors', () => {
    const days = [...new Set(years.lines.map(({ date }) => date))].sort();
    const upTo = (day: string) => years.lines.filter(({ date }) => date <= day);
    const open = (day: string, wanted: (order: Json) => boolean) => {
      const made = orders.filter((order) => wanted(order) && dayOf(String(order.book_date)) <= day);
      const ids = new Set(orders.filter(wanted).map(({ id }) => id));
      const paid = payments.filter(
        ({ order_id, paid_at }) => ids.has(order_id) && dayOf(String(paid_at)) <= day,
      );
      return sum(made, 'total_gross') - sum(paid, 'amount');
    };

    for (let place = 0; place < days.length; place += Math.ceil(days.length / 12)) {
      const day = days[place] ?? '';
      const accounts = sumsBy(upTo(day), ({ account }) => account);
      expect(accounts['1300'] ?? 0, day).to.equal(open(day, (order) => !isPurchase(order)));
      expect(0 - (accounts['1600'] ?? 0), day).to.equal(open(day, isPurchase));
    }
  });

  it('has its own totals in summary.json', () => {
    const { text, summary, lines } = years;
    const debit = lines.reduce((total, line) => total + toCents(line.debit), 0);

    expect(summary).to.include({
      resource: 'journal',
      file: 'journal.csv',
      rows: lines.length,
      entries: orders.length + booked.length,
      sha256: createHash('sha256').update(text).digest('hex'),
    });
    expect([toCents(summary.debit), toCents(summary.credit)]).to.deep.equal([debit, debit]);
    expect(toCents(summary.journals.sales.debtors)).to.equal(balance('1300', (name) => name === 'sales'));
    expect(Object.keys(summary.journals)).to.deep.equal([
      ...['bank', 'cash', 'ideal', 'offset', 'pin', 'purchases', 'sales'],
    ]);
  });

  it('is one balanced transaction for each entry in hledger', () => {
    const input = hledgerText(years.lines);
    expect(input.match(/^\d{4}-\d\d-\d\d/gm)).to.have.length(orders.length + booked.length);

    const { status, stdout, stderr } = spawnSync(
      'hledger',
      ['-f', '-', 'balance', '--no-total', '--output-format=csv', 'a1300'],
      { input, encoding: 'utf8' },
    );

    expect(status, stderr).to.equal(0);
    const [, amount] = /"a1300","EUR ?(-?[\d.,]+)"/.exec(stdout) ?? [];
    expect(toCents(amount?.replaceAll(',', ''))).to.equal(balance('1300', () => true));
  });
});
