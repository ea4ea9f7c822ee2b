// VAT numbers, by the check of the country in their prefix.

import { expect } from 'chai';
import { normaliseVatNumber } from '../../../src/core/trade/identity/vat-number.ts';

const DUTCH = words('NL004495445B01 NL002198178B09 NL000099998B57 NL002342672B42 NL123456789B13');
// The second has the remainder 10, which no single digit can check.
const NOT_DUTCH = words(
  `NL004495446B01 NL000000050B01 NL000099998B58 NL000000000B01 NL004495445B00 NL004495445B1
  NL004495445 NL004495445C01 NLA04495445B01`,
);
const EUROPEAN = words(
  `ATU13585627 BE0428759497 BE428759497 BE1000000021 BG175074752 CY10259033P CZ25123891 DE136695976
  DK13585628 EE100931558 EL094259216 ES54362315K FI20774740 FR40303265045 HR33392005961 HU12892312
  IE6433435F IT00743110157 LT119511515 LU15027442 LV40003521600 MT11679112 PL8567346215 PT501964843
  RO18547290 SE123456789701 SI50223054 SK2022749619`,
);

describe('a VAT number', () => {
  it('is stored in capitals without spaces, dots and dashes', () => {
    const stored = ['nl 0044.95.445.b01', 'NL-004495445-B01'].map(normaliseVatNumber);

    expect(stored).to.deep.equal(['NL004495445B01', 'NL004495445B01']);
  });

  it('of the Netherlands passes mod 11 or mod 97', () => {
    expect(DUTCH.map(normaliseVatNumber)).to.deep.equal(DUTCH);
    expect(NOT_DUTCH.filter(normaliseVatNumber)).to.deep.equal([]);
  });

  it('of another member state passes its check', () => {
    const otherDigit = (number: string) =>
      number.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10));

    expect(EUROPEAN.map(normaliseVatNumber)).to.deep.equal(EUROPEAN);
    expect(EUROPEAN.map(otherDigit).filter(normaliseVatNumber)).to.deep.equal([]);
  });

  it('of a country outside the Union needs a prefix and 2 to 12 letters or digits', () => {
    const texts = words('CHE-116.281.710 GB980780684 XI980780684 GB1 980780684 GB1234567890123 GR094259216');

    expect(texts.filter(normaliseVatNumber)).to.deep.equal(texts.slice(0, 3));
  });
});

function words(text: string): string[] {
  return text.split(/\s+/);
}
