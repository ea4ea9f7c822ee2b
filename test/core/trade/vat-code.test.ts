import { expect } from 'chai';
import { LISTS } from '../../../src/core/trade/lists.ts';
import {
  BEARING,
  BOXED_WITHOUT_VAT,
  LEAVING_MARGIN,
  NEED_VAT_NUMBER,
  OWED_BY_BUYER,
  percentageOn,
  VAT_CODES,
  vatColumn,
  vatRow,
} from '../../../src/core/trade/vat-code.ts';
import { rateOn, steadyDay } from '../../../src/core/trade/vat-rate.ts';

const { HIGH, LOW, ZERO, EXEMPT, REVERSE_CHARGE, MARGIN, OUTSIDE, INTRA_COMMUNITY, EXPORT } = LISTS.vatcodes;

describe('VAT codes', () => {
  it('have a percentage each', () => {
    const percentages = VAT_CODES.map((code) => percentageOn(code, '2026-05-01'));

    expect(percentages).to.deep.equal(['21', '9', '0', '0', '0', '0', '0', '0', '0']);
    expect(() => percentageOn(99, '2026-05-01')).to.throw(RangeError, 'Unknown value of vatcodes: 99');
  });

  it('have the rates of the Dutch law by day', () => {
    const days = ['2012-09-30', '2012-10-01', '2018-12-31', '2019-01-01'];
    const rates = (code: number) => days.map((day) => percentageOn(code, day));

    expect(rates(HIGH)).to.deep.equal(['19', '21', '21', '21']);
    expect(rates(LOW)).to.deep.equal(['6', '6', '6', '9']);
    expect(rates(ZERO)).to.deep.equal(['0', '0', '0', '0']);
  });

  it('depend on the time zone only on the two days of UTC around a change', () => {
    const days = ['2018-12-30', '2018-12-31', '2019-01-01', '2019-01-02'];

    const steady = days.map((day) => steadyDay(`${day} 12:00:00.000`));

    expect(steady).to.deep.equal(['2018-12-30', undefined, undefined, '2019-01-02']);
  });

  it('have a rate from a day on', () => {
    const rates = [
      { from: '2012-10-01', percentage: '21' },
      { from: '2027-01-01', percentage: '22' },
      { from: '2028-07-01', percentage: '23' },
    ] as const;
    const days = ['2010-01-01', '2026-12-31', '2027-01-01', '2028-06-30', '2028-07-01'];

    expect(days.map((day) => rateOn(rates, day))).to.deep.equal(['21', '21', '22', '22', '23']);
  });

  it('belong to the lists that the books ask', () => {
    expect(BEARING).to.deep.equal([HIGH, LOW]);
    expect(OWED_BY_BUYER).to.deep.equal([REVERSE_CHARGE, INTRA_COMMUNITY]);
    expect(BOXED_WITHOUT_VAT).to.deep.equal([ZERO, EXPORT]);
    expect(LEAVING_MARGIN).to.deep.equal([HIGH, LOW, ZERO, REVERSE_CHARGE, INTRA_COMMUNITY, EXPORT]);
    expect(NEED_VAT_NUMBER).to.deep.equal([REVERSE_CHARGE, INTRA_COMMUNITY]);
  });

  it('have a column of the order only if they put VAT on an invoice', () => {
    const columns = VAT_CODES.map(vatColumn);

    expect(columns.filter((column) => column !== undefined)).to.deep.equal(['vat_high', 'vat_low']);
    expect(vatColumn(MARGIN)).to.equal(undefined);
  });

  it('have notes whose order is clear', () => {
    const noted = VAT_CODES.filter((code) => vatRow(code).note !== null);
    const ranks = noted.map((code) => vatRow(code).note?.rank);

    expect(noted).to.deep.equal([EXEMPT, REVERSE_CHARGE, MARGIN, OUTSIDE, INTRA_COMMUNITY, EXPORT]);
    expect(new Set(ranks).size).to.equal(noted.length);
  });
});
