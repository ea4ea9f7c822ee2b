// Totals, compared with an independent computation, and the sums that hold for any order.

import { expect } from 'chai';
import fc from 'fast-check';
import { Decimal, roundTo } from '../../../src/core/trade/decimal.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { settledAmounts } from '../../../src/core/trade/settle.ts';
import { type Line, lineTotals, orderTotals, spreadNet } from '../../../src/core/trade/totals.ts';
import { percentageOn } from '../../../src/core/trade/vat-code.ts';
import { line as anyLine, inEuros, netOf, sum, vatOf } from './totals-by-decimal.ts';

const { HIGH, LOW } = LISTS.vatcodes;

const order = fc.array(anyLine, { minLength: 1, maxLength: 12 });

const DAY = '2026-05-01';

describe('totals', () => {
  it('are exact over 10,000 orders', function () {
    this.timeout(60_000);

    fc.assert(
      fc.property(order, (lines) => {
        expect(lines.map(net)).to.deep.equal(lines.map((one) => inEuros(netOf(one))));
        expect(totalsOf(lines).total_vat).to.equal(inEuros(vatOf(lines)));
      }),
      { numRuns: 10_000 },
    );
  });

  it('are the sum of their lines and of the VAT per rate', () => {
    fc.assert(
      fc.property(order, (lines) => {
        const { total_net, total_vat, total_gross, rates } = totalsOf(lines);
        expect(total_net).to.equal(inEuros(sum(lines.map(net))));
        expect(total_net).to.equal(inEuros(sum(rates.map((rate) => rate.net))));
        expect(total_vat).to.equal(inEuros(sum(rates.map((rate) => rate.vat))));
        expect(total_gross).to.equal(inEuros(sum([total_net, total_vat])));
      }),
    );
  });

  it('of an order and its whole credit sum up to zero', () => {
    fc.assert(
      fc.property(order, (lines) => {
        const credits = lines.map(credited);
        expect(credits.map(net)).to.deep.equal(lines.map(net).map(negated));
        expect(totalsOf(credits).total_gross).to.equal(negated(totalsOf(lines).total_gross));
      }),
    );
  });

  it('round half a cent away from zero', () => {
    const nets = ['0.125', '-0.125', '0.1249'].map((price) => totalsOfLine(line({ price })).line_net);

    expect(nets).to.deep.equal(['0.13', '-0.13', '0.12']);
  });

  it('round VAT once for each code, not for each line', () => {
    const lines = [line({ price: '0.07' }), line({ price: '0.07' }), line({ price: '0.07' })].map((one) =>
      totalsOfLine(one),
    );

    const totals = orderTotals(
      lines.map(({ line_net }) => ({ vat_code: HIGH, net: line_net, percentage: '21' })),
    );

    expect(lines.map(({ line_vat }) => line_vat)).to.deep.equal(['0.01', '0.01', '0.01']);
    expect(totals).to.deep.include({ total_net: '0.21', total_vat: '0.04', total_gross: '0.25' });
  });

  it('of prices with VAT are what the buyer was told, for each price, quantity and discount', function () {
    this.timeout(60_000);
    const told = fc.record({
      price: fc.integer({ min: 1, max: 1_000_000 }).map((units) => (units / 100).toFixed(2)),
      quantity: fc.integer({ min: 1, max: 7 }).map(String),
      discount_percentage: fc.option(fc.constantFrom('2.5', '5', '10', '12.5', '33.3333')),
      vat_code: fc.constantFrom(HIGH, LOW),
    });

    fc.assert(
      fc.property(fc.array(told, { minLength: 1, maxLength: 8 }), (lines) => {
        const grosses = lines.map((one) => inEuros(netOf(one)));
        expect(lines.map((one) => totalsOfLine(one, true).line_gross)).to.deep.equal(grosses);
        const settled = settle(lines);
        expect(settled.map(({ line_net, line_vat }) => inEuros(sum([line_net, line_vat])))).to.deep.equal(
          grosses,
        );
        for (const code of [HIGH, LOW]) {
          const of = settled.filter(({ vat_code }) => vat_code === code);
          const gross = sum(of.map(({ line_gross }) => line_gross));
          const vat = gross.times(code === HIGH ? 21 : 9).div(code === HIGH ? 121 : 109);
          expect(inEuros(sum(of.map(({ line_vat }) => line_vat)))).to.equal(inEuros(vat.toDecimalPlaces(2)));
        }
      }),
      { numRuns: 5_000 },
    );
  });

  it('of prices with VAT give the cents of the net to the largest remainders', () => {
    const nets = spreadNet([24900n, 1n, 1n, 1n, -500n], '21');

    expect(nets).to.deep.equal([20578n, 1n, 1n, 1n, -413n]);
  });

  it('of no lines are zero, without rates', () => {
    expect(orderTotals([])).to.deep.equal({
      total_net: '0.00',
      total_vat: '0.00',
      total_gross: '0.00',
      rates: [],
    });
  });

  it('list each rate once, by code', () => {
    const sums = [
      { vat_code: LOW, net: '50', percentage: '9' },
      { vat_code: HIGH, net: '10', percentage: '21' },
      { vat_code: LOW, net: '50', percentage: '9' },
    ];

    expect(orderTotals(sums).rates).to.deep.equal([
      { vat_code: HIGH, percentage: '21', net: '10.00', vat: '2.10' },
      { vat_code: LOW, percentage: '9', net: '100.00', vat: '9.00' },
    ]);
  });

  it('never write minus zero or an exponent', () => {
    const texts = [roundTo('-0.004', 2), roundTo('-0', 2), roundTo('1e21', 2), roundTo('1e-9', 4)];

    expect(texts).to.deep.equal(['0.00', '0.00', '1000000000000000000000.00', '0.0000']);
  });
});

const settle = (lines: readonly Line[]) => {
  const all = lines.map((one) => ({
    ...one,
    ...totalsOfLine(one, true),
    line_kind: LISTS.linekinds.ARTICLE,
    vehicle_id: null,
    purchase_price: null,
    credited_line_id: null,
  }));
  const order = { order_type: LISTS.ordertypes.WORKSHOP, vehicle_id: null, is_vat_included: 1, day: DAY };
  return settledAmounts(all, order).map((amounts, index) => ({
    ...(all[index] as (typeof all)[number]),
    ...amounts,
  }));
};

function line(changes: Partial<Line>): Line {
  return {
    quantity: '1',
    price: '100',
    discount_percentage: null,
    vat_code: HIGH,
    ...changes,
  };
}

const negated = (amount: string) => inEuros(new Decimal(amount).neg());

const credited = (one: Line): Line => ({ ...one, quantity: new Decimal(one.quantity).neg().toFixed(4) });

const totalsOfLine = (one: Line, isVatIncluded = false) =>
  lineTotals(one, percentageOn(one.vat_code, DAY), isVatIncluded);

const net = (one: Line) => totalsOfLine(one).line_net;

function totalsOf(lines: readonly Line[]) {
  return orderTotals(
    lines.map((one) => ({
      ...{ vat_code: one.vat_code, net: net(one) },
      percentage: percentageOn(one.vat_code, DAY),
    })),
  );
}
