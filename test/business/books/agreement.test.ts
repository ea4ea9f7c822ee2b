// Whether the books of a garage agree: the journal, the VAT return, the list of supplies to the EU and the debtors.
// Each is made on its own, from a seeded year and from invoices that a seed lacks, and compared with sums made by hand.
import { seed } from '../../../src/business/seed/seed.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { setFirstRegime, setGarage } from '../../support/books/books.ts';
import {
  boxesOf,
  globalMarginOf,
  isBought,
  openBy,
  openByInvoice,
  type Records,
  readRecords,
  vatWithin,
} from '../../support/books/hand-books.ts';
import { type Journal, journalOf, type Line, sumsBy, toCents } from '../../support/books/journal.ts';
import { makeRareInvoices } from '../../support/books/rare-invoices.ts';
import { dayOf, THIS_YEAR } from '../../support/build/day.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { listed } from '../../support/client/export.ts';
import { database } from '../../support/service/service.ts';

const { ordertypes, marginmethods, vatperiods } = LISTS;
/** Four years of work: 600 a year. */
const ORDERS = 2_400;
const YEAR = 2025;
/** From the first seeded one. */
const YEARS = Array.from({ length: THIS_YEAR - 2021 }, (_, index) => 2022 + index);
const [FROM, TO] = ['2020-01-01', '2099-12-31'];
const CHARGED = ['2a', '4a', '4b'];
const ACCOUNTS = {
  debtors: '1300',
  creditors: '1600',
  high: '1510',
  low: '1520',
  margin: '1530',
  input: '1540',
};

type Period = readonly [from: string, to: string];

const quartersOf = (year: number): Period[] => [
  [`${year}-01-01`, `${year}-03-31`],
  [`${year}-04-01`, `${year}-06-30`],
  [`${year}-07-01`, `${year}-09-30`],
  [`${year}-10-01`, `${year}-12-31`],
];

/** The seeded year, its quarters, and the year of today with the invoices of this test. */
const PERIODS: Period[] = [
  [`${YEAR}-01-01`, `${YEAR}-12-31`],
  ...quartersOf(YEAR),
  [`${THIS_YEAR}-01-01`, `${THIS_YEAR}-12-31`],
];

const DAYS = [`${YEAR}-12-31`, `${YEAR}-03-14`, `${YEAR}-08-31`, `${THIS_YEAR}-02-28`, dayOf()];

describe('the books of a year', () => {
  let client: Client;
  let records: Records;
  let journal: Journal;

  before(async function () {
    this.timeout(300_000);
    client = await newClient();
    await setGarage(client, { margin_method: marginmethods.INDIVIDUAL, is_cash_rounded: 1 });
    await seed(database(), { owner: client.garage.owner, orders: ORDERS });
    await makeRareInvoices(client);
    records = await readRecords(client);
    journal = await journalOf(client, FROM, TO);
  });

  const within = ([from, to]: Period) => journal.lines.filter(({ date }) => date >= from && date <= to);
  /** Credit less debit of an account in a period. */
  const credited = (period: Period, account: string, which: (line: Line) => boolean = () => true) =>
    within(period)
      .filter((line) => line.account === account && which(line))
      .reduce((sum, { debit, credit }) => sum + toCents(credit) - toCents(debit), 0);
  const returned = async ([from, to]: Period) => {
    const answer = await client.get(`/vatreturn?from=${from}&to=${to}`);
    expect(answer.status, answer.text).to.equal(200);
    return answer.data;
  };
  const isCharged = ({ description }: Line) => description.startsWith('Reverse-charged');

  it('balance for each entry, and in total', () => {
    expect(new Set(Object.values(sumsBy(journal.lines, ({ entry }) => entry)))).to.deep.equal(new Set([0]));
    expect(sumsBy(journal.lines, () => 'all')).to.deep.equal({ all: 0 });
  });

  it('have boxes that match the orders and lines', async () => {
    const found = new Set<string>();
    for (const period of PERIODS) {
      const data = await returned(period);
      const { boxes } = boxesOf(records, ...period);
      for (const box of ['1a', '1b', '1c', '1d', '1e', '2a', '3a', '3b', '3c', '4a', '4b', '5b']) {
        const { base, vat } = boxes[box] ?? { base: 0, vat: 0 };
        const shown = { base: toCents(data[box].base), vat: toCents(data[box].vat) };
        expect(shown, `${box} of ${period}`).to.deep.equal({ base, vat });
        if (base !== 0) found.add(box);
      }
    }

    expect([...found].sort()).to.deep.equal(['1a', '1b', '1e', '2a', '3a', '3b', '4a', '4b', '5b']);
  });

  it('have lines that add up to each box', async () => {
    for (const [from, to] of PERIODS.slice(1)) {
      const data = await returned([from, to]);
      for (const box of ['1a', '1b', '1e', '2a', '3a', '3b', '4a', '4b', '5b']) {
        const lines = await listed(client, `/vatreturn/lines?box=${box}&from=${from}&to=${to}`);
        const sum = (field: string) => lines.reduce((total, line) => total + toCents(line[field]), 0);
        expect([sum('base'), sum('vat')], `${box} of ${from}`).to.deep.equal(
          [data[box].base, data[box].vat].map(toCents),
        );
      }
    }
  });

  it('have the VAT of the boxes on the VAT accounts', async () => {
    for (const period of PERIODS) {
      const data = await returned(period);
      const vat = (box: string) => toCents(data[box].vat);
      const accounts = {
        high: credited(period, ACCOUNTS.high, (line) => !isCharged(line)),
        charged: credited(period, ACCOUNTS.high, isCharged),
        low: credited(period, ACCOUNTS.low),
        margin: credited(period, ACCOUNTS.margin),
        input: -credited(period, ACCOUNTS.input),
      };

      expect(accounts, String(period)).to.deep.equal({
        high: vat('1a') - toCents(data.margin.vat),
        charged: CHARGED.reduce((sum, box) => sum + vat(box), 0),
        low: vat('1b'),
        margin: toCents(data.margin.vat),
        input: vat('5b'),
      });
      expect(vat('5a'), String(period)).to.equal(
        accounts.high + accounts.charged + accounts.low + accounts.margin,
      );
    }
  });

  it('have a list of supplies to the EU that adds up to box 3b for each buyer', async () => {
    for (const period of PERIODS) {
      const [from, to] = period;
      const rows: Json[] = (await client.get(`/icp?from=${from}&to=${to}`)).data;
      const shown = rows.map(({ vat_number, goods, services }) => [
        vat_number,
        { goods: toCents(goods), services: toCents(services) },
      ]);

      expect(Object.fromEntries(shown), String(period)).to.deep.equal(boxesOf(records, ...period).icp);
      const sum = rows.reduce((total, row) => total + toCents(row.goods) + toCents(row.services), 0);
      expect(sum).to.equal(toCents((await returned(period))['3b'].base));
    }
  });

  /** The balances of an account at the end of a day, by relation, without balances of 0. */
  const balances = (account: string, day: string) =>
    withoutZeros(
      Object.entries(
        sumsBy(
          journal.lines.filter((line) => line.account === account && line.date <= day),
          ({ relation }) => relation,
        ),
      ),
    );
  const withoutZeros = (entries: Iterable<[string, number]>) =>
    Object.fromEntries([...entries].filter(([, amount]) => amount !== 0));
  const relationOf = (contact: unknown, field: string) => {
    const found = records.contacts.get(contact);
    return String(found?.[field] ?? found?.contact_number);
  };

  it('have the same debtors as the list of debtors, on any day and for each payer', async () => {
    for (const day of DAYS) {
      const rows: Json[] = (await client.get(`/debtor?at=${day}`)).data;
      const shown = rows.map(
        ({ contact_id, total }) =>
          [relationOf(contact_id, 'debtor_number'), toCents(total)] as [string, number],
      );
      const byHand = [...openBy(records, day, false)].map(
        ([payer, open]) => [relationOf(payer, 'debtor_number'), open] as [string, number],
      );
      const booked = balances(ACCOUNTS.debtors, day);

      expect(Object.keys(booked).length, day).to.be.above(9);
      expect(withoutZeros(shown), day).to.deep.equal(booked);
      expect(withoutZeros(byHand), day).to.deep.equal(booked);
    }
  });

  it('have creditors that match the open purchases, on any day and for each seller', () => {
    for (const day of DAYS) {
      const byHand = [...openBy(records, day, true)].map(
        ([seller, open]) => [relationOf(seller, 'creditor_number'), -open] as [string, number],
      );

      expect(withoutZeros(byHand), day).to.deep.equal(balances(ACCOUNTS.creditors, day));
      expect(byHand, day).not.to.have.lengthOf(0);
    }
  });

  it('have the open amount of each invoice on debtors and creditors, on any day', () => {
    const isParty = ({ account }: Line) => account === ACCOUNTS.debtors || account === ACCOUNTS.creditors;
    const sign = (order: Json) => (isBought(records, order) ? -1 : 1);
    for (const day of DAYS) {
      const booked = sumsBy(
        journal.lines.filter((line) => isParty(line) && line.date <= day),
        ({ order_id }) => order_id,
      );
      const byHand = [...openByInvoice(records, day)].map(
        ([order, open]) => [String(order.id), sign(order) * open] as [string, number],
      );

      expect(withoutZeros(Object.entries(booked)), day).to.deep.equal(withoutZeros(byHand));
    }
    const today = sumsBy(journal.lines.filter(isParty), ({ order_id }) => order_id);
    const open = [...records.orders.values()].map(
      (order) => [String(order.id), sign(order) * toCents(order.amount_open)] as [string, number],
    );
    expect(withoutZeros(Object.entries(today))).to.deep.equal(withoutZeros(open));
  });

  it("have today's open amounts of the orders on the accounts of debtors and creditors", () => {
    for (const [bought, account] of [
      [false, ACCOUNTS.debtors],
      [true, ACCOUNTS.creditors],
    ] as const) {
      const isSide = (order: Json) =>
        ((records.orders.get(order.credited_order_id) ?? order).order_type ===
          ordertypes.VEHICLE_PURCHASE) ===
        bought;
      const open = [...records.orders.values()]
        .filter(isSide)
        .reduce((sum, order) => sum + toCents(order.amount_open), 0);

      expect(-credited([FROM, TO], account)).to.equal(bought ? -open : open);
    }
  });

  it('book no VAT of margins if margins count over periods; other VAT stays the same', async () => {
    await setFirstRegime(client, { margin_method: marginmethods.GLOBAL, vat_period: vatperiods.QUARTER });
    journal = await journalOf(client, FROM, TO);
    let [carried, ofYear] = [0, 0];

    for (const period of YEARS.flatMap(quartersOf)) {
      const data = await returned(period);
      const margin = globalMarginOf(records, ...period);
      if (period[0].endsWith('-01-01')) ofYear = -carried;
      ofYear += margin;
      const result = margin - carried;
      expect(toCents(data.margin.carried_in), String(period)).to.equal(carried);
      // A year carries out its own loss.
      carried = Math.max(0, -(period[1].endsWith('-12-31') ? ofYear : result));
      expect([data.margin.margin, data.margin.vat, data.margin.carried_out].map(toCents)).to.deep.equal([
        margin,
        vatWithin(Math.max(0, result)),
        carried,
      ]);
      expect(credited(period, ACCOUNTS.margin)).to.equal(0);
      expect(credited(period, ACCOUNTS.high, (line) => !isCharged(line))).to.equal(
        toCents(data['1a'].vat) - toCents(data.margin.vat),
      );
    }
  });
});
