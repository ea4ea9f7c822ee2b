// Totals, compared with an independent computation, and the sums that hold for any order.

import { expect } from 'chai';
import fc from 'fast-check';
import { Decimal, roundTo } from '../../src/trade/decimal.ts';
import { LISTS } from '../../src/trade/lists.ts';
import { type Line, lineTotals, orderTotals } from '../../src/trade/totals.ts';
import { line as anyLine, inEuros, marginVatOf, netOf, sum, vatOf } from './totals-by-decimal.ts';

const { HIGH, LOW, MARGIN } = LISTS.vatcodes;

const order = fc.array(anyLine, { minLength: 1, maxLength: 12 });

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
        expect(credits.map(marginOfCredit)).to.deep.equal(lines.map(margin).map(negated));
        expect(totalsOf(credits).total_gross).to.equal(negated(totalsOf(lines).total_gross));
      }),
    );
  });

  it('of margin lines have a margin VAT of 21/121', () => {
    fc.assert(
      fc.property(anyLine, (one) => {
        const { margin_vat, line_vat } = lineTotals({ ...one, vat_code: MARGIN });
        expect(margin_vat).to.equal(inEuros(marginVatOf(one)));
        expect(line_vat).to.equal('0.00');
      }),
    );
  });

  it('round half a cent away from zero', () => {
    const nets = ['0.125', '-0.125', '0.1249'].map((price) => lineTotals(line({ price })).line_net);

    expect(nets).to.deep.equal(['0.13', '-0.13', '0.12']);
  });

  it('round VAT once for each code, not for each line', () => {
    const lines = [line({ price: '0.07' }), line({ price: '0.07' }), line({ price: '0.07' })].map((one) =>
      lineTotals(one),
    );

    const totals = orderTotals(lines.map(({ line_net }) => ({ vat_code: HIGH, net: line_net })));

    expect(lines.map(({ line_vat }) => line_vat)).to.deep.equal(['0.01', '0.01', '0.01']);
    expect(totals).to.deep.include({ total_net: '0.21', total_vat: '0.04', total_gross: '0.25' });
  });

  it('of a sold margin car show no VAT, and the margin in the books', () => {
    const car = lineTotals(line({ price: '12100', purchase_price: '10890', vat_code: MARGIN }));

    expect(car).to.deep.equal({
      line_net: '12100.00',
      line_vat: '0.00',
      vat_percentage: '0',
      margin_vat: '210.00',
    });
  });

  it('of a margin car sold at a loss have no margin VAT, and neither has its credit', () => {
    const loss = { price: '900', purchase_price: '1000', vat_code: MARGIN };

    const margins = [
      lineTotals(line(loss)).margin_vat,
      lineTotals(line({ ...loss, quantity: '-1' }), true).margin_vat,
    ];

    expect(margins).to.deep.equal(['0.00', '0.00']);
  });

  it('of a margin car that is traded in have no margin VAT', () => {
    const tradedIn = line({ quantity: '-1', price: '5000', purchase_price: '4000', vat_code: MARGIN });

    expect(lineTotals(tradedIn).margin_vat).to.equal('0.00');
    expect(lineTotals(tradedIn, true).margin_vat).to.equal('-173.55');
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
      { vat_code: LOW, net: '50' },
      { vat_code: HIGH, net: '10' },
      { vat_code: LOW, net: '50' },
    ];

    expect(orderTotals(sums).rates).to.deep.equal([
      { vat_code: HIGH, percentage: '21', net: '10.00', vat: '2.10' },
      { vat_code: LOW, percentage: '9', net: '100.00', vat: '9.00' },
    ]);
  });

  it('refuse a VAT code that does not exist', () => {
    expect(() => orderTotals([{ vat_code: 8, net: '1' }])).to.throw(RangeError, 'Unknown VAT code: 8');
  });

  it('never write minus zero or an exponent', () => {
    const texts = [roundTo('-0.004', 2), roundTo('-0', 2), roundTo('1e21', 2), roundTo('1e-9', 4)];

    expect(texts).to.deep.equal(['0.00', '0.00', '1000000000000000000000.00', '0.0000']);
  });
});

function line(changes: Partial<Line>): Line {
  return {
    quantity: '1',
    price: '100',
    discount_percentage: null,
    vat_code: HIGH,
    purchase_price: null,
    ...changes,
  };
}

const negated = (amount: string | null) => (amount === null ? null : inEuros(new Decimal(amount).neg()));

const credited = (one: Line): Line => ({ ...one, quantity: new Decimal(one.quantity).neg().toFixed(4) });

const net = (one: Line) => lineTotals(one).line_net;
const margin = (one: Line) => lineTotals(one).margin_vat;
const marginOfCredit = (one: Line) => lineTotals(one, true).margin_vat;

function totalsOf(lines: readonly Line[]) {
  return orderTotals(lines.map((one) => ({ vat_code: one.vat_code, net: net(one) })));
}
