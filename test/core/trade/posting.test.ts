// The postings of invoices and payments, with amounts that a bookkeeper would check by hand.
import { expect } from 'chai';
import fc from 'fast-check';
import { LISTS } from '../../../src/core/trade/lists.ts';
import {
  balanceOf,
  type Choices,
  invoicePostings,
  type LineToBook,
  paymentPostings,
} from '../../../src/core/trade/posting.ts';
import { lineTotals, orderTotals } from '../../../src/core/trade/totals.ts';
import { percentageOn } from '../../../src/core/trade/vat-code.ts';
import { wholeOf } from '../../../src/core/trade/whole.ts';

const { HIGH, LOW, REVERSE_CHARGE, MARGIN, OUTSIDE } = LISTS.vatcodes;
const { CASH, BANK, IDEAL, OFFSET } = LISTS.paymentmethods;

const { TRADE_IN, DEPOSIT, VEHICLE } = LISTS.linekinds;
const { INTRA_COMMUNITY } = LISTS.vatcodes;

const line = (
  group: number | null,
  vat_code: number,
  net: string,
  overrides: Partial<LineToBook> = {},
): LineToBook => ({
  line_kind: LISTS.linekinds.ARTICLE,
  turnover_group_id: group,
  vehicle_id: null,
  vat_code,
  quantity: '1.0000',
  purchase_price: null,
  line_net: net,
  line_vat: vatOf(net, vat_code),
  margin_vat: null,
  ...overrides,
});

const decimal = fc.integer({ min: -99_999_999, max: 99_999_999 }).map((units) => `${units / 10_000}`);
const ANY_LINE = fc.record({
  turnover_group_id: fc.integer({ min: 7, max: 9 }),
  line_kind: fc.constantFrom(...Object.values(LISTS.linekinds)),
  vat_code: fc.constantFrom(...Object.values(LISTS.vatcodes)),
  quantity: decimal,
  price: decimal,
  margin_vat: fc.option(fc.integer({ min: 0, max: 9_999 }).map((units) => (units / 100).toFixed(2))),
});

const vatOf = (net: string, vat_code: number): string =>
  lineTotals({ quantity: '1', price: net, discount_percentage: null, vat_code }, percentageOn(vat_code, DAY))
    .line_vat;

const DAY = '2026-05-01';

/** Group 9 has an account for its stock. */
const BOOKS: Choices = { isMarginPosted: true, hasStock: (group) => group === 9 };

/** The total and the VAT that an order with these lines has. */
function amountsOf(lines: readonly LineToBook[]) {
  const nets = lines.map(({ vat_code, line_net }) => ({
    ...{ vat_code, net: line_net ?? '0' },
    percentage: percentageOn(vat_code, DAY),
  }));
  const { rates, total_gross } = orderTotals(nets);
  const of = (code: number) => rates.find(({ vat_code }) => vat_code === code)?.vat ?? '0.00';
  return { total_gross, vat_high: of(HIGH), vat_low: of(LOW) };
}

/** `{'debtor_account': 12100, '5 ledger_account': -10000}`, in cents. */
function booked(lines: readonly LineToBook[], isPurchase = false, books = BOOKS): Record<string, number> {
  const postings = invoicePostings(
    { number: 'F1', ...amountsOf(lines), isPurchase, rate_day: DAY, lines },
    books,
  );
  expect(balanceOf(postings)).to.equal(0n);
  const sums: Record<string, number> = {};
  for (const { account, amount } of postings) {
    const name = `${account.group ?? ''} ${account.field}`.trim();
    sums[name] = (sums[name] ?? 0) + Number(amount);
  }
  return sums;
}

describe('the postings of an invoice', () => {
  it('are debtors, turnover by group and VAT by code, computed over the sum of the lines', () => {
    const lines = [
      line(5, HIGH, '0.07'),
      line(5, HIGH, '0.07'),
      line(6, LOW, '10.00'),
      line(7, REVERSE_CHARGE, '3.00'),
    ];

    expect(booked(lines)).to.deep.equal({
      debtor_account: 14 + 3 + 1000 + 90 + 300,
      '5 ledger_account': -14,
      '6 ledger_account': -1000,
      '7 ledger_account': -300,
      vat_high_account: -3,
      vat_low_account: -90,
    });
  });

  it('take the VAT within a margin out of the turnover', () => {
    expect(booked([line(5, MARGIN, '12100.00', { margin_vat: '210.00' })])).to.deep.equal({
      debtor_account: 1_210_000,
      '5 ledger_account': -1_189_000,
      margin_vat_account: -21_000,
    });
  });

  it('of a credit note are the mirror image', () => {
    const credit = [line(5, HIGH, '-100.00'), line(6, MARGIN, '-12100.00', { margin_vat: '-210.00' })];

    expect(booked(credit)).to.deep.equal({
      debtor_account: -1_222_100,
      '5 ledger_account': 10_000,
      '6 ledger_account': 1_189_000,
      margin_vat_account: 21_000,
      vat_high_account: 2100,
    });
  });

  it('leave the VAT of margins to the return, where margins are counted together', () => {
    const global = { ...BOOKS, isMarginPosted: false };

    expect(booked([line(5, MARGIN, '12100.00', { margin_vat: '210.00' })], false, global)).to.deep.equal({
      debtor_account: 1_210_000,
      '5 ledger_account': -1_210_000,
    });
  });

  it('of a purchase owe the total, go to cost or stock and input VAT, and know no margin', () => {
    const lines = [line(5, MARGIN, '5000.00', { margin_vat: '867.77' }), line(9, HIGH, '10.00')];

    expect(booked(lines, true)).to.deep.equal({
      creditor_account: -501_210,
      '5 cost_ledger_account': 500_000,
      '9 stock_ledger_account': 1000,
      input_vat_account: 210,
    });
  });

  it('of a purchase with reverse charge owe the VAT and deduct it', () => {
    const lines = [line(5, REVERSE_CHARGE, '1000.00'), line(5, INTRA_COMMUNITY, '100.00')];

    expect(booked(lines, true)).to.deep.equal({
      creditor_account: -110_000,
      '5 cost_ledger_account': 110_000,
      vat_high_account: -23_100,
      input_vat_account: 23_100,
    });
  });

  it('of a trade-in buy on a sale', () => {
    const lines = [
      line(5, HIGH, '20000.00', { line_kind: VEHICLE }),
      line(9, HIGH, '-1000.00', { line_kind: TRADE_IN, quantity: '-1.0000' }),
      line(9, MARGIN, '-4000.00', { line_kind: TRADE_IN, quantity: '-1.0000', margin_vat: '0.00' }),
    ];

    expect(booked(lines)).to.deep.equal({
      debtor_account: 2_420_000 - 121_000 - 400_000,
      '5 ledger_account': -2_000_000,
      '9 stock_ledger_account': 500_000,
      vat_high_account: -420_000,
      input_vat_account: 21_000,
    });
  });

  it('of a deposit are no turnover, and of the final invoice give it back', () => {
    const deposit = line(null, HIGH, '1000.00', { line_kind: DEPOSIT });
    const back = line(null, HIGH, '-1000.00', { line_kind: DEPOSIT, quantity: '-1.0000' });

    expect(booked([deposit])).to.deep.equal({
      debtor_account: 121_000,
      deposit_account: -100_000,
      vat_high_account: -21_000,
    });
    expect(booked([line(5, HIGH, '5000.00'), back])).to.deep.equal({
      debtor_account: 484_000,
      '5 ledger_account': -500_000,
      deposit_account: 100_000,
      vat_high_account: -84_000,
    });
  });

  it('take the cost of what is sold out of the stock, where the group has one', () => {
    const sold = (group: number) =>
      line(group, HIGH, '100.00', { quantity: '2.0000', purchase_price: '30.0050' });

    expect(booked([sold(9), sold(5)])).to.deep.equal({
      debtor_account: 24_200,
      '9 ledger_account': -10_000,
      '5 ledger_account': -10_000,
      vat_high_account: -4200,
      '9 cost_ledger_account': 6001,
      '9 stock_ledger_account': -6001,
    });
  });

  it('leave out lines of nothing, with or without a group', () => {
    expect(booked([line(null, HIGH, '0.00'), line(5, OUTSIDE, '7.00'), line(6, HIGH, '0.00')])).to.deep.equal(
      {
        debtor_account: 700,
        '5 ledger_account': -700,
      },
    );
  });

  it('name an invoice of 0', () => {
    expect(booked([line(5, HIGH, '0.00')])).to.deep.equal({ debtor_account: 0 });
  });

  it('balance for any lines, and debtors get the total', () => {
    fc.assert(
      fc.property(fc.array(ANY_LINE, { minLength: 1 }), fc.boolean(), (made, isPurchase) => {
        const lines: LineToBook[] = made.map(({ quantity, price, ...made }) => {
          const whole = (text: string) => Number(text).toFixed(4);
          const input = {
            vat_code: made.vat_code,
            quantity: whole(quantity),
            price: whole(price),
            discount_percentage: null,
          };
          return {
            ...made,
            ...input,
            vehicle_id: null,
            purchase_price: whole(price),
            ...lineTotals(input, percentageOn(input.vat_code, DAY)),
          };
        });

        const sums = booked(lines, isPurchase);

        const total = Number(wholeOf(amountsOf(lines).total_gross, 2));
        expect(sums[isPurchase ? 'creditor_account' : 'debtor_account']).to.equal(
          isPurchase ? 0 - total : total,
        );
      }),
    );
  });
});

describe('the postings of a payment', () => {
  const payment = (amount: string, method: number, isPurchase = false, rounding = '0.00') =>
    Object.fromEntries(
      paymentPostings({ number: 'F1', amount, rounding, method, reference: null, isPurchase }).map(
        ({ account, amount }) => [account.field, Number(amount)],
      ),
    );

  it('debit the account of the method, and credit the debtors', () => {
    expect(payment('121.00', IDEAL)).to.deep.equal({ ideal_account: 12_100, debtor_account: -12_100 });
  });

  it('are turned around for a refund, and for a purchase', () => {
    expect(payment('-5.00', CASH)).to.deep.equal({ cash_account: -500, debtor_account: 500 });
    expect(payment('5000.00', BANK, true)).to.deep.equal({
      bank_account: -500_000,
      creditor_account: 500_000,
    });
    expect(payment('-5.00', CASH, true)).to.deep.equal({ cash_account: 500, creditor_account: -500 });
  });

  it('close the invoice with the cents that cash leaves open or is too much', () => {
    expect(payment('10.00', CASH, false, '0.02')).to.deep.equal({
      cash_account: 1000,
      rounding_account: 2,
      debtor_account: -1002,
    });
    expect(payment('10.00', CASH, false, '-0.01')).to.deep.equal({
      cash_account: 1000,
      rounding_account: -1,
      debtor_account: -999,
    });
  });

  it('of an offset stay with the same party', () => {
    const [one, other] = paymentPostings({
      ...{ number: 'F1', amount: '121.00', rounding: '0.00', method: OFFSET },
      ...{ reference: null, isPurchase: false },
    });

    expect([one?.account, other?.account]).to.deep.equal([
      { field: 'debtor_account' },
      { field: 'debtor_account' },
    ]);
    expect([one?.amount, other?.amount]).to.deep.equal([12_100n, -12_100n]);
  });
});
