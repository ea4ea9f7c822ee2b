// The VAT codes of a bookkeeping program: which texts are taken, and what a code is called.

import { LISTS } from '../../../src/core/trade/lists.ts';
import { isVatCodes, packageVatCodes } from '../../../src/core/trade/package-vat-codes.ts';
import { expect } from '../../support/client/expect.ts';

const { HIGH, LOW } = LISTS.vatcodes;

describe('the VAT codes of a bookkeeping program', () => {
  for (const good of ['{}', '{"1": "VH"}', '{"1":"V 21","2":"2","9":"É-0"}', `{"4": "${'x'.repeat(35)}"}`])
    it(`take ${good}`, () => {
      expect(isVatCodes(good)).to.equal(true);
    });

  for (const bad of [
    ...['', 'VH', '[]', 'null', '1', '"VH"', '{"1": "VH"', '["VH"]'],
    ...['{"99": "VH"}', '{"0": "VH"}', '{"HIGH": "VH"}', '{"01": "VH"}', '{"__proto__": "VH"}'],
    ...[
      '{"1": ""}',
      '{"1": " "}',
      '{"1": " VH"}',
      '{"1": "V\\n"}',
      '{"1": 2}',
      '{"1": null}',
      '{"1": ["VH"]}',
    ],
    `{"1": "${'x'.repeat(36)}"}`,
  ])
    it(`refuse ${bad || 'an empty text'}`, () => {
      expect(isVatCodes(bad)).to.equal(false);
    });

  it('take the place of our own names', () => {
    const codeOf = packageVatCodes('{"1": "VH"}');

    expect([codeOf(HIGH), codeOf(LOW)]).to.deep.equal(['VH', 'LOW']);
    expect(packageVatCodes(null)(HIGH)).to.equal('HIGH');
  });
});
