// The dealer's year: twelve months of trade by amounts computed by hand, closed month by month, filed quarter by
// quarter and settled at the year's end. Whatever happens later, nothing that is filed moves.
import { spawnSync } from 'node:child_process';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { setGarage } from '../../support/books/books.ts';
import { type Closed, close, closedBooks, closedJournal, PERIOD_CLOSED } from '../../support/books/closed.ts';
import { Dealer, MONTHS, QUARTERS, YEAR_OF_MARGIN } from '../../support/books/dealer.ts';
import { hledgerText, type Journal, journalOf, type Line } from '../../support/books/journal.ts';
import { buildBuyer } from '../../support/build/build.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { importJson, rowMessages } from '../../support/client/import.ts';
import { old } from '../../work/import/old-order.ts';

const { marginmethods, vatperiods, vatcodes, paymentmethods } = LISTS;
const YEAR = 2025;

/** The days of some months of the year, counted from 0. */
function daysOf(first: number, last = first): [string, string] {
  const day = (month: number, of: number) => new Date(Date.UTC(YEAR, month, of)).toISOString().slice(0, 10);
  return [day(first, 1), day(last + 1, 0)];
}

/** The balances of the accounts by hledger, without those of 0. It refuses an entry that does not balance. */
function balancesOf(lines: readonly Line[]): Record<string, number> {
  const words = ['-f', '-', 'balance', '--flat', '--no-total', '--output-format=csv'];
  const { status, stdout, stderr } = spawnSync('hledger', words, {
    input: hledgerText(lines),
    encoding: 'utf8',
  });
  expect(status, stderr).to.equal(0);
  const rows = [...stdout.matchAll(/^"a(\d+)","EUR ?(-?[\d.,]+)"/gm)];
  return Object.fromEntries(
    rows.map(([, account, amount]) => [account, Number(amount?.replaceAll(',', ''))]),
  );
}

describe("the dealer's year", function () {
  this.timeout(300_000);
  let client: Client;
  let dealer: Dealer;
  const months: Journal[] = [];
  const filed: { days: [string, string]; books: Closed; journal: readonly Json[] }[] = [];

  const file = async (days: [string, string]) => ({
    days,
    books: await closedBooks(client, ...days),
    journal: await closedJournal(client, ...days),
  });

  const owner = () => `/owner/${client.garage.owner}`;
  const payment = (paid_at: string): Json => ({
    ...{ order_id: dealer.of('sale E'), amount: 12_000, method: paymentmethods.BANK, paid_at },
  });
  const credit = (name: string) =>
    client.post('/order/credit', { order_id: dealer.of(name), is_invoiced: 1 });
  const oldInvoice = (number: number, invoice_date: string): Json =>
    old({
      ...{ external_id: `H-${number}`, order_number: 900 + number, invoice_number: `H-${number}` },
      invoice_date,
    });
  const expectFiled = async () => {
    for (const before of filed) expect(await file(before.days), before.days.join()).to.deep.equal(before);
  };

  before(async () => {
    client = await newClient();
    await setGarage(client, {
      ...{
        margin_method: marginmethods.GLOBAL,
        vat_period: vatperiods.QUARTER,
        margin_turnover_account: '8190',
      },
    });
    dealer = new Dealer(client, YEAR);
    await dealer.open();
    for (const [month, { trade }] of MONTHS.entries()) {
      await trade(dealer);
      const [from, to] = daysOf(month);
      await close(client, to);
      months.push(await journalOf(client, from, to));
      if (month % 3 === 2) filed.push(await file(daysOf(month - 2, month)));
    }
    filed.push(await file(daysOf(0, 11)));
  });

  it('adds the amounts of each month to the accounts, as hledger finds', () => {
    for (const [month, { adds }] of MONTHS.entries())
      expect(balancesOf(months[month]?.lines ?? []), `month ${month + 1}`).to.deep.equal(adds);
  });

  it('has the boxes and the margin of each quarter, and settles the year', () => {
    for (const [quarter, { boxes, margin }] of QUARTERS.entries()) {
      const { margin: found, ...all } = filed[quarter]?.books.boxes ?? {};
      const filled = Object.entries(all)
        .map(([box, amounts]) => [box, [(amounts as Json).base, (amounts as Json).vat]] as const)
        .filter(([, [base, vat]]) => base !== 0 || vat !== 0);
      expect(Object.fromEntries(filled), `quarter ${quarter + 1}`).to.deep.equal(boxes);
      expect(found, `quarter ${quarter + 1}`).to.deep.equal(margin);
    }
    expect(filed.at(-1)?.books.boxes.margin).to.deep.equal(YEAR_OF_MARGIN);
    expect(filed.at(-1)?.books.icp.map(({ vat_number, goods }) => [vat_number, goods])).to.deep.equal([
      ['DE136695976', 2000],
    ]);
    expect(filed.at(-1)?.books.debtors.map(({ total }) => total)).to.deep.equal([12_000]);
  });

  it('refuses what would change its days, and stays as it was filed', async () => {
    await buildBuyer(client, { external_id: 'K' });
    const paid = `/payment/${dealer.of('payment sale A')}`;
    const newYear = `${YEAR + 1}-01-01T12:00Z`;
    const asked = [
      () => client.del(paid),
      () => client.put(paid, { paid_at: newYear }),
      () => client.post('/payment', payment(`${YEAR}-12-31T12:00Z`)),
      () => client.post('/vatregime', { valid_from: `${YEAR}-07-01`, vat_period: vatperiods.MONTH }),
      () => client.put(owner(), { margin_carried_in: 5, margin_from: `${YEAR}-07-01` }),
      () => client.put(owner(), { margin_turnover_account: null }),
    ];
    for (const ask of asked) expect(await ask(), ask.toString()).to.be.refused(409, PERIOD_CLOSED);

    const { rows } = await importJson(client, 'resource=order&mode=upsert&history=1', [
      oldInvoice(1, `${YEAR}-06-15`),
      oldInvoice(2, newYear),
    ]);

    expect(rows.map(({ status }) => status)).to.deep.equal(['refused', 'created']);
    expect(rowMessages(rows[0])).to.deep.equal([PERIOD_CLOSED]);
    await expectFiled();
  });

  it('stays as it was filed whatever happens in the next year', async () => {
    const { data } = await client.post('/payment', payment(`${YEAR + 1}-01-05T12:00Z`));
    expect((await client.del(`/payment/${data.id}`)).status).to.equal(200);
    await setGarage(client, { vat_period: vatperiods.MONTH, margin_method: marginmethods.INDIVIDUAL });
    await setGarage(client, { margin_carried_in: null, vat_codes: '{"1":"VH"}', debtor_account: '1301' });

    for (const name of ['sale A', 'B', 'sale B', 'sale C', 'W1'])
      expect((await credit(name)).status, name).to.equal(201);
    const later = new Dealer(client, YEAR + 1);
    await later.open();
    await later.buys('F', '01-02', 5000);
    await later.sells('F', '01-03', 4000, vatcodes.MARGIN);

    await expectFiled();
  });
});
