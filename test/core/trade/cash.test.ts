// The limit of cash, and its rounding.
import { expect } from 'chai';
import { cashLimitOn, cashOf, exceedsCashLimit } from '../../../src/core/trade/cash-limit.ts';
import { cashRounding } from '../../../src/core/trade/cash-rounding.ts';

describe('the limit of cash', () => {
  const limit = { from: '2026-01-01', below: 300_000n };

  it('begins on 1 January 2026', () => {
    expect(cashLimitOn('2025-12-31')).to.equal(undefined);
    expect(cashLimitOn('2026-01-01')).to.deep.equal(limit);
    expect(cashLimitOn('2040-06-01')).to.deep.equal(limit);
  });

  it('is reached by receipts together, or by refunds together', () => {
    expect(exceedsCashLimit(299_999n, [], limit)).to.equal(false);
    expect(exceedsCashLimit(300_000n, [], limit)).to.equal(true);
    expect(exceedsCashLimit(100_000n, [199_999n, -250_000n], limit)).to.equal(false);
    expect(exceedsCashLimit(-50_000n, [299_999n, -250_000n], limit)).to.equal(true);
  });

  it('counts what the garage pays for a purchase as paid', () => {
    expect([cashOf('10.00', false), cashOf('10.00', true)]).to.deep.equal([1000n, -1000n]);
  });
});

describe('rounding of cash', () => {
  it('closes an invoice that one or two cents are missing of, or are too much', () => {
    expect([10n, 9n, 8n, 7n, 11n, 12n, 13n].map((paid) => cashRounding(10n, paid))).to.deep.equal([
      0n,
      1n,
      2n,
      0n,
      -1n,
      -2n,
      0n,
    ]);
    expect(cashRounding(-1002n, -1000n)).to.equal(-2n);
  });

  it('does not take cents for an invoice that is closed, nor pay them back for one that is open', () => {
    expect([1n, 2n, -1n, -2n].map((paid) => cashRounding(0n, paid))).to.deep.equal([0n, 0n, 0n, 0n]);
    expect([cashRounding(1n, -1n), cashRounding(-1n, 1n)]).to.deep.equal([0n, 0n]);
  });
});
