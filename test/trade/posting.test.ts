// The postings of invoices and payments, with amounts that a bookkeeper would check by hand.
import { expect } from 'chai';
import fc from 'fast-check';
import { LISTS } from '../../src/trade/lists.ts';
import { balanceOf, invoicePostings, type LineToBook, paymentPostings } from '../../src/trade/posting.ts';
import { lineTotals, orderTotals } from '../../src/trade/totals.ts';

const { HIGH, LOW, REVERSE_CHARGE, MARGIN, OUTSIDE } = LISTS.vatcodes;
const { CASH, BANK, IDEAL } = LISTS.paymentmethods;

const line = (
  group: number | null,
  vat_code: number,
  net: string,
  margin_vat: string | null = null,
): BookedLine => ({ turnover_group_id: group, vat_code, line_net: net, margin_vat });

type BookedLine = LineToBook & { readonly vat_code: number };

/** The total and the VAT that an order with these lines has. */
function amountsOf(lines: readonly BookedLine[]) {
  const nets = lines.map(({ vat_code, line_net }) => ({ vat_code, net: line_net ?? '0' }));
  const { rates, total_gross } = orderTotals(nets);
  const of = (code: number) => rates.find(({ vat_code }) => vat_code === code)?.vat ?? '0.00';
  return { total_gross, vat_high: of(HIGH), vat_low: of(LOW) };
}

/** `{'debtor_account': 12100, '5 ledger_account': -10000}`, in cents. */
const booked = (lines: readonly BookedLine[], isPurchase = false) =>
  Object.fromEntries(
    invoicePostings({ invoice_number: 'F1', ...amountsOf(lines), isPurchase, lines }).map(
      ({ account: { group, field }, amount }) => [`${group ?? ''} ${field}`.trim(), Number(amount)],
    ),
  );

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
    expect(booked([line(5, MARGIN, '12100.00', '210.00')])).to.deep.equal({
      debtor_account: 1_210_000,
      '5 ledger_account': -1_189_000,
      margin_vat_account: -21_000,
    });
  });

  it('of a credit note are the mirror image', () => {
    const credit = [line(5, HIGH, '-100.00'), line(6, MARGIN, '-12100.00', '-210.00')];

    expect(booked(credit)).to.deep.equal({
      debtor_account: -1_222_100,
      '5 ledger_account': 10_000,
      '6 ledger_account': 1_189_000,
      margin_vat_account: 21_000,
      vat_high_account: 2100,
    });
  });

  it('of a purchase owe the total, go to the costs, and know no margin', () => {
    expect(booked([line(5, MARGIN, '5000.00', '867.77'), line(6, HIGH, '10.00')], true)).to.deep.equal({
      debtor_account: -501_210,
      '5 cost_ledger_account': 500_000,
      '6 cost_ledger_account': 1000,
      vat_high_account: 210,
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

  it('balance for any lines, and debtors get the total', () => {
    const decimal = fc.integer({ min: -99_999_999, max: 99_999_999 }).map((units) => `${units / 10_000}`);
    const anyLine = fc.record({
      turnover_group_id: fc.integer({ min: 1, max: 3 }),
      vat_code: fc.constantFrom(...Object.values(LISTS.vatcodes)),
      quantity: decimal,
      price: decimal,
      margin_vat: fc.option(fc.integer({ min: 0, max: 9_999 }).map((units) => (units / 100).toFixed(2))),
    });
    fc.assert(
      fc.property(fc.array(anyLine, { minLength: 1 }), fc.boolean(), (made, isPurchase) => {
        const lines = made.map(({ quantity, price, ...made }) => {
          const whole = (text: string) => Number(text).toFixed(4);
          const input = {
            vat_code: made.vat_code,
            quantity: whole(quantity),
            price: whole(price),
            discount_percentage: null,
          };
          return { ...made, ...lineTotals(input) };
        });

        const postings = invoicePostings({ invoice_number: 'F1', ...amountsOf(lines), isPurchase, lines });

        expect(balanceOf(postings)).to.equal(0n);
      }),
    );
  });
});

describe('the postings of a payment', () => {
  const payment = (amount: string, method: number, isPurchase = false) =>
    Object.fromEntries(
      paymentPostings({ invoice_number: 'F1', amount, method, isPurchase }).map(({ account, amount }) => [
        account.field,
        Number(amount),
      ]),
    );

  it('debit the account of the method, and credit the debtors', () => {
    expect(payment('121.00', IDEAL)).to.deep.equal({ ideal_account: 12_100, debtor_account: -12_100 });
  });

  it('are turned around for a refund, and for a purchase', () => {
    expect(payment('-5.00', CASH)).to.deep.equal({ cash_account: -500, debtor_account: 500 });
    expect(payment('5000.00', BANK, true)).to.deep.equal({ bank_account: -500_000, debtor_account: 500_000 });
    expect(payment('-5.00', CASH, true)).to.deep.equal({ cash_account: 500, debtor_account: -500 });
  });
});
