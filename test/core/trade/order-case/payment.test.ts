// Payments of an invoice: what they leave open, and how much of a sale is paid in cash.
import { expect } from 'chai';
import { LISTS } from '../../../../src/core/trade/lists.ts';
import {
  exceedsCash,
  isSameCash,
  openAfter,
  roundingOf,
  unfitAmount,
} from '../../../../src/core/trade/order-case/payment.ts';

const { WORKSHOP, VEHICLE_PURCHASE } = LISTS.ordertypes;
const { CASH, PIN } = LISTS.paymentmethods;

const invoice = (amount_open: string | null, total_gross = '121.00') => ({ amount_open, total_gross });
const paid = (amount: string, method = CASH as number, more: object = {}) => ({
  amount,
  method,
  paid_at: '2026-05-01',
  rounding: '0.00',
  ...more,
});

describe('a payment', () => {
  it('lowers the open amount by its amount and its rounding', () => {
    expect(openAfter(invoice('121.00'), { next: { amount: '20.98', rounding: '0.02' } })).to.equal(10_000n);
    expect(openAfter(invoice(null), { next: { amount: '21.00' } })).to.equal(10_000n);
    expect(openAfter(invoice('100.00'), { previous: { amount: '21.00' } })).to.equal(12_100n);
  });

  const CASES: [string, string, string, string, boolean][] = [
    ['pays all', '121.00', '121.00', '121.00', true],
    ['pays too much', '121.00', '121.00', '121.01', false],
    ['gives back what was paid', '0.00', '121.00', '-121.00', true],
    ['gives back too much', '0.00', '121.00', '-121.01', false],
    ['pays a credit note', '-121.00', '-121.00', '-121.00', true],
    ['pays a credit note the wrong way', '-121.00', '-121.00', '1.00', false],
  ];
  for (const [title, open, total, amount, fits] of CASES)
    it(title, () => {
      expect(unfitAmount(invoice(open, total), { next: { amount } }) === undefined).to.equal(fits);
    });

  it('is rounded if it pays the rest in cash', () => {
    expect(roundingOf(invoice('9.98'), { next: paid('10.00') })).to.equal(-2n);
    expect(roundingOf(invoice('9.98'), { next: paid('5.00') })).to.equal(0n);
    expect(roundingOf(invoice('9.98'), { next: paid('10.00', PIN) })).to.equal(0n);
  });

  it('changes the cash of a sale if it was or becomes cash', () => {
    expect(isSameCash(paid('1.00', PIN), undefined)).to.equal(true);
    expect(isSameCash(paid('1.00'), undefined)).to.equal(false);
    expect(isSameCash(paid('1.00'), paid('1.00'))).to.equal(true);
    expect(isSameCash(paid('1.00'), paid('1.00', PIN))).to.equal(false);
    expect(isSameCash(paid('1.00'), paid('1.00', CASH, { paid_at: '2026-05-02' }))).to.equal(false);
  });
});

describe('the cash of a sale', () => {
  const limit = { from: '2026-01-01', below: 300_000n };
  const CASES: [string, number, boolean, string[], string, boolean][] = [
    ['stays below the limit', WORKSHOP, true, ['2000.00'], '999.99', false],
    ['reaches the limit', WORKSHOP, true, ['2000.00'], '1000.00', true],
    ['has no limit without goods', WORKSHOP, false, ['2000.00'], '1000.00', false],
    ['counts refunds apart', WORKSHOP, true, ['-2000.00', '2000.00'], '999.99', false],
    ['of a purchase is paid by the garage', VEHICLE_PURCHASE, true, ['2000.00'], '1000.00', true],
  ];
  for (const [title, order_type, hasGoods, others, amount, expected] of CASES)
    it(title, () => {
      expect(exceedsCash({ order_type, hasGoods, others }, amount, limit)).to.equal(expected);
    });
});
