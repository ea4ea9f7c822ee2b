// The margin over periods, with amounts computed by hand.
import { expect } from 'chai';
import { LISTS } from '../../src/trade/lists.ts';
import { beginsPeriod, endsPeriod, globalMargin, periodsFrom } from '../../src/trade/margin-period.ts';
import { cents, euros } from '../../src/trade/totals.ts';

const { MONTH, QUARTER, YEAR } = LISTS.vatperiods;

describe('the margin over periods', () => {
  const quarters = [
    { sales: cents('150000'), purchases: cents('100000') },
    { sales: cents('100000'), purchases: 0n },
    { sales: 0n, purchases: cents('100000') },
    { sales: cents('90000'), purchases: cents('20000') },
  ];
  const shown = (from: number, to = from + 1) => {
    const { carried_in, margin, vat, carried_out } = globalMargin(quarters.slice(0, to), from);
    return [carried_in, margin, vat, carried_out].map(euros);
  };

  it('bears VAT where it is above 0, and is carried on where it is below 0', () => {
    expect(shown(0)).to.deep.equal(['0.00', '50000.00', '8677.69', '0.00']);
    expect(shown(1)).to.deep.equal(['0.00', '100000.00', '17355.37', '0.00']);
    expect(shown(2)).to.deep.equal(['0.00', '-100000.00', '0.00', '100000.00']);
    expect(shown(3)).to.deep.equal(['100000.00', '70000.00', '0.00', '30000.00']);
  });

  it('adds up several periods, each with its own VAT', () => {
    expect(shown(0, 4)).to.deep.equal(['0.00', '120000.00', '26033.06', '30000.00']);
  });

  it('has periods of the calendar', () => {
    expect(periodsFrom('2026-02-11', '2026-07-01', QUARTER)).to.deep.equal([
      '2026-01-01',
      '2026-04-01',
      '2026-07-01',
    ]);
    expect(periodsFrom('2025-12-31', '2026-01-01', MONTH)).to.deep.equal(['2025-12-01', '2026-01-01']);
    expect([beginsPeriod('2026-04-01', QUARTER), beginsPeriod('2026-05-01', QUARTER)]).to.deep.equal([
      true,
      false,
    ]);
    expect([
      endsPeriod('2024-02-29', MONTH),
      endsPeriod('2025-12-31', YEAR),
      endsPeriod('2026-11-30', QUARTER),
    ]).to.deep.equal([true, true, false]);
  });
});
