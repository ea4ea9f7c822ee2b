// Dutch postcodes: lenient on a record, strict in the address check.

import { expect } from 'chai';
import { isExactDutchPostcode, normaliseDutchPostcode } from '../../../src/core/trade/identity/postcode.ts';

describe('a Dutch postcode', () => {
  it('is stored in one form', () => {
    const texts = ['1234AB', '1234ab', '1234 ab', '1234 Ab', '1234 AB'];

    expect(new Set(texts.map(normaliseDutchPostcode))).to.deep.equal(new Set(['1234 AB']));
  });

  it('is refused in any other form', () => {
    const texts = [
      '',
      '0234AB',
      '1234SA',
      '1234 sd',
      '1234SS',
      '1234  AB',
      '123AB',
      ' 1234AB',
      '1234A\u017f',
    ];

    expect(texts.filter(normaliseDutchPostcode)).to.deep.equal([]);
  });

  it('is exact in one form only', () => {
    const texts = ['1234 AB', '1234AB', '1234 ab', '1234 AB\n', '1234 SA', '9999 ZZ'];

    expect(texts.filter(isExactDutchPostcode)).to.deep.equal(['1234 AB', '9999 ZZ']);
  });
});
