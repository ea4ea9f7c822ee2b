// The VAT within margins, with amounts computed by hand.
import { expect } from 'chai';
import fc from 'fast-check';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { type MarginLine, marginVats } from '../../../src/core/trade/margin.ts';
import { lineTotals } from '../../../src/core/trade/totals.ts';
import { line as anyLine, inEuros, marginVatOf } from './totals-by-decimal.ts';

const { VEHICLE, ARTICLE, TRADE_IN, DEPOSIT } = LISTS.linekinds;
const { MARGIN, HIGH } = LISTS.vatcodes;

const SALE = { vehicle: 7, isCredit: false, day: '2026-05-01' };
const ALONE = { vehicle: null, isCredit: false, day: '2026-05-01' };

const line = (line_net: string, changes: Partial<MarginLine> = {}): MarginLine => ({
  line_kind: ARTICLE,
  vat_code: MARGIN,
  vehicle_id: null,
  quantity: '1.0000',
  purchase_price: null,
  line_net,
  ...changes,
});

const car = line('10950.00', { line_kind: VEHICLE, purchase_price: '8500.0000' });

describe('the VAT within a margin', () => {
  it('is 21/121 of what a car brings more than it cost', () => {
    expect(marginVats([car], SALE)).to.deep.equal(['425.21']);
  });

  it('is lower with a discount line, and stands on the line of the car', () => {
    expect(marginVats([line('-500.00'), car], SALE)).to.deep.equal(['0.00', '338.43']);
  });

  it('does not count a trade-in or a deposit', () => {
    const others = [line('-3000.00', { line_kind: TRADE_IN }), line('-500.00', { line_kind: DEPOSIT })];

    expect(marginVats([car, ...others], SALE)).to.deep.equal(['425.21', '0.00', '0.00']);
  });

  it('is judged for each car by itself, and 0 for a loss', () => {
    const other = { ...car, vehicle_id: 8, line_net: '8000.00' };

    expect(marginVats([car, other], SALE)).to.deep.equal(['425.21', '0.00']);
  });

  it('is judged for each line without a vehicle by itself', () => {
    const part = line('121.00', { quantity: '2.0000', purchase_price: '30.2500' });

    expect(marginVats([part, part, line('100.00', { vat_code: HIGH })], ALONE)).to.deep.equal([
      '10.50',
      '10.50',
      null,
    ]);
  });

  it('of a credit note mirrors that of the sale', () => {
    const back = { ...car, quantity: '-1.0000', line_net: '-10950.00' };
    const loss = { ...back, line_net: '-8000.00' };

    expect(marginVats([back], { ...SALE, isCredit: true })).to.deep.equal(['-425.21']);
    expect(marginVats([loss], { ...SALE, isCredit: true })).to.deep.equal(['0.00']);
  });

  it('is exact for any line', () => {
    fc.assert(
      fc.property(anyLine, (input) => {
        const one = { ...input, vat_code: MARGIN };
        const { line_net } = lineTotals(one, '0');
        const sold = { ...one, line_net, line_kind: VEHICLE, vehicle_id: 7 };

        expect(marginVats([sold], SALE)).to.deep.equal([inEuros(marginVatOf(one))]);
      }),
    );
  });
});
