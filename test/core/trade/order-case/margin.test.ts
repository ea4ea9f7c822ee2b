// The cost that a line takes from its car, and lines under the margin scheme that can't be invoiced.
import { expect } from 'chai';
import { LISTS } from '../../../../src/core/trade/lists.ts';
import {
  costlyVehicles,
  costOf,
  takenCosts,
  unfitMargin,
} from '../../../../src/core/trade/order-case/margin.ts';
import { lineOf } from '../../../support/build/case-line.ts';

const { WORKSHOP, VEHICLE_SALES, VEHICLE_PURCHASE, INTERNAL_REVERSAL } = LISTS.ordertypes;
const { VEHICLE, TRADE_IN, DEPOSIT, ARTICLE } = LISTS.linekinds;
const { MARGIN, HIGH } = LISTS.vatcodes;

const sale = { order_type: VEHICLE_SALES, vehicle_id: 1 };
const car = (id: number, more: object = {}) => ({
  id,
  tax_kind: LISTS.taxkinds.MARGIN,
  purchase_price: '8500.00',
  bpm_paid: null,
  ...more,
});
const cars = (...all: ReturnType<typeof car>[]) => new Map(all.map((one) => [one.id, one]));
const sold = (more: object = {}) => lineOf({ id: 7, line_kind: VEHICLE, vat_code: MARGIN, ...more });

describe('the cost of a sold car', () => {
  it('is what the garage paid, under the scheme with the tax on registration', () => {
    expect(costOf(car(1, { bpm_paid: '12.50' }), MARGIN)).to.equal('8512.5000');
    expect(costOf(car(1, { bpm_paid: '12.50' }), HIGH)).to.equal('8500.0000');
    expect(costOf(car(1, { purchase_price: null }), MARGIN)).to.equal(null);
    expect(costOf(undefined, MARGIN)).to.equal(null);
  });

  const CASES: [string, object, { order_type: number; vehicle_id: number | null }, [number, string][]][] = [
    ['is taken if the line has none', {}, sale, [[7, '8500.0000']]],
    ['stays if a user typed it', { purchase_price: '1.0000' }, sale, []],
    [
      'is taken anew if the order has another car',
      { purchase_price: '8500.0000' },
      { ...sale, vehicle_id: 2 },
      [[7, '7000.0000']],
    ],
    [
      'stays if the line names its own car',
      { purchase_price: '8500.0000', vehicle_id: 1 },
      { ...sale, vehicle_id: 2 },
      [],
    ],
    ['is not taken by another kind of line', { line_kind: ARTICLE }, sale, []],
    ['is taken by a line with VAT, too', { vat_code: HIGH }, sale, [[7, '8500.0000']]],
    ['is not taken by a purchase', {}, { ...sale, order_type: VEHICLE_PURCHASE }, []],
    ['is not taken by a credit note', {}, { ...sale, order_type: INTERNAL_REVERSAL }, []],
    ['is not known without a car', {}, { ...sale, vehicle_id: null }, []],
  ];
  for (const [title, line, next, expected] of CASES)
    it(title, () => {
      const known = cars(car(1), car(2, { purchase_price: '7000.00' }));

      const taken = takenCosts([sold(line)], { next, previous: sale, cars: known });

      expect([...taken]).to.deep.equal(expected);
    });

  it('reads the cars of lines that sell them', () => {
    expect(
      costlyVehicles([sold(), lineOf({ vehicle_id: 3 })], [sale, { ...sale, vehicle_id: 2 }]),
    ).to.deep.equal([1, 2]);
    expect(costlyVehicles([sold()], [{ order_type: WORKSHOP, vehicle_id: 1 }])).to.deep.equal([]);
  });
});

describe('a line under the margin scheme', () => {
  const withVat = cars(car(1, { tax_kind: LISTS.taxkinds.VAT }));
  const CASES: [string, object, ReturnType<typeof cars>, string[]][] = [
    ['fits with its cost', { purchase_price: '1.0000' }, cars(car(1)), []],
    ['lacks its cost', {}, cars(car(1)), ['purchase_price']],
    ['sells no car that was bought with VAT', { purchase_price: '1.0000' }, withVat, ['vat_code']],
    ['lowers the price of no such car either', { line_kind: ARTICLE }, withVat, ['vat_code']],
    ['may be a trade-in', { line_kind: TRADE_IN }, withVat, []],
    ['may be a deposit', { line_kind: DEPOSIT }, withVat, []],
  ];
  for (const [title, line, known, fields] of CASES)
    it(title, () => {
      const found = unfitMargin([sold(line)], sale, known);

      expect(found.map(({ field }) => field)).to.deep.equal(fields);
      expect(unfitMargin([sold(line)], { ...sale, order_type: VEHICLE_PURCHASE }, known)).to.deep.equal([]);
    });
});
