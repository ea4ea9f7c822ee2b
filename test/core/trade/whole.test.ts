// Decimals as whole numbers, and back.
import { expect } from 'chai';
import fc from 'fast-check';
import { decimalOf, quotient, wholeOf } from '../../../src/core/trade/whole.ts';

describe('a decimal as a whole number', () => {
  it('comes back as it was', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.integer({ min: 1, max: 9 }), (whole, places) => {
        expect(wholeOf(decimalOf(whole, places), places)).to.equal(whole);
      }),
    );
  });

  it('may have fewer places', () => {
    const wholes = ['12', '-0.5', '0.05', '-0'].map((text) => wholeOf(text, 2));

    expect(wholes).to.deep.equal([1200n, -50n, 5n, 0n]);
  });

  for (const text of ['', 'x', '0x10', '1e2', '.5', '1.', '1.234', ' 1', 'NaN']) {
    it(`is not made of "${text}"`, () => {
      expect(() => wholeOf(text, 2)).to.throw(RangeError, `No decimal of 2 places: ${text}`);
    });
  }

  it('is divided and rounded to the nearest, half away from zero', () => {
    const quotients = [5n, -5n, 4n, -4n, 15n, 0n].map((dividend) => quotient(dividend, 10n));

    expect(quotients).to.deep.equal([1n, -1n, 0n, 0n, 2n, 0n]);
  });
});
