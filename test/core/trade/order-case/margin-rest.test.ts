// What credit notes take back of the VAT within the margins of their invoice, with amounts computed by hand.
import { expect } from 'chai';
import { LISTS } from '../../../../src/core/trade/lists.ts';
import type { CaseLine, LineRow } from '../../../../src/core/trade/order-case/line.ts';
import { amountsOf, restOf } from '../../../../src/core/trade/order-case/rest.ts';
import { lineOf } from '../../../support/build/case-line.ts';

const { WORKSHOP, VEHICLE_SALES, INTERNAL_REVERSAL } = LISTS.ordertypes;
const { VEHICLE, ARTICLE } = LISTS.linekinds;
const { MARGIN } = LISTS.vatcodes;
const DAY = '2026-05-01';
/** The car of the invoice, another car on it, and a car that it does not sell. */
const [FIRST, SECOND, STRANGE] = [7, 8, 9];

/** A line of the invoice. */
const sold = (id: number, price: string, more: Partial<LineRow> = {}): CaseLine =>
  lineOf({
    ...{ id, order_id: 1, line_kind: VEHICLE, vat_code: MARGIN, vat_percentage: '0.0000', price },
    ...{ line_net: price, line_vat: '0.00', line_gross: price, margin_vat: '0.00' },
    ...more,
  });
/** A line of the credit note `order_id`. */
const back = (order_id: number, price: string, more: Partial<LineRow> = {}): CaseLine =>
  sold(10 * order_id + (more.credited_line_id ?? 0), price, {
    ...{ order_id, quantity: '-1.0000', line_net: `-${price}`, line_gross: `-${price}` },
    ...more,
  });
const byHand = (order_id: number, price: string, more: Partial<LineRow> = {}): CaseLine =>
  back(order_id, price, { line_kind: ARTICLE, ...more });

/** 21/121 of 2,000 and of 1,000. The line of the first car names no car: the invoice does. */
const CARS = [
  sold(1, '10000.00', { purchase_price: '8000.0000', margin_vat: '347.11' }),
  sold(2, '6000.00', { purchase_price: '5000.0000', margin_vat: '173.55', vehicle_id: SECOND }),
];
const firstBack = (order: number) =>
  back(order, '10000.00', { credited_line_id: 1, purchase_price: '8000.0000' });
const secondBack = (order: number) =>
  back(order, '6000.00', { credited_line_id: 2, purchase_price: '5000.0000', vehicle_id: SECOND });
/** 21/121 of 10,800 − 8,300. */
const CAR_AND_PART = [
  sold(1, '10000.00', { purchase_price: '8000.0000', margin_vat: '433.88' }),
  sold(2, '800.00', { line_kind: ARTICLE, purchase_price: '300.0000' }),
];
/** Half of the first part was credited at 290.40 a piece: 21/121 of 145.20, and not of 60.50. */
const PARTS = [
  sold(1, '121.00', { line_kind: ARTICLE, margin_vat: '21.00' }),
  sold(2, '121.00', { line_kind: ARTICLE, margin_vat: '21.00' }),
];
const TOO_MUCH = byHand(2, '290.40', {
  ...{ credited_line_id: 1, quantity: '-0.5000', line_net: '-145.20', line_gross: '-145.20' },
  margin_vat: '-25.20',
});

/** `margin_vat` of the lines of a credit note. `earlier`: the lines of credit notes before it. */
function taken(
  invoice: readonly CaseLine[],
  earlier: readonly CaseLine[],
  own: readonly CaseLine[],
  order_type: number = VEHICLE_SALES,
) {
  const sale = { id: 1, order_type, vehicle_id: order_type === VEHICLE_SALES ? FIRST : STRANGE };
  const sums = { net_high: '0.00', net_low: '0.00', vat_high: '0.00', vat_low: '0.00' };
  const credit = { order_type: INTERNAL_REVERSAL, vehicle_id: null, is_vat_included: 0, day: DAY };
  const rest = restOf({ invoice: { ...sale, ...sums }, credits: [], lines: [...invoice, ...earlier] }, DAY);
  return amountsOf(own, credit, rest).map(({ margin_vat }) => margin_vat);
}

describe('the margin that a credit note takes back', () => {
  const CASES: [string, readonly CaseLine[], CaseLine[], CaseLine[], string[]][] = [
    // 21/121 of 3,000 are 520.66: the margin of both cars.
    [
      'is no more than that of the car which its line names',
      CARS,
      [],
      [byHand(2, '3000.00', { vehicle_id: SECOND })],
      ['-173.55'],
    ],
    [
      'is so of the car of the invoice too',
      CARS,
      [],
      [byHand(2, '3000.00', { vehicle_id: FIRST })],
      ['-347.11'],
    ],
    // 21/121 of 4,000 are 694.21, and the invoice bears 347.11 + 173.55.
    ['is limited by the invoice if its line names no car', CARS, [], [byHand(2, '4000.00')], ['-520.66']],
    [
      'is limited by the invoice if its line names a car of no other line',
      CARS,
      [],
      [byHand(2, '4000.00', { vehicle_id: STRANGE })],
      ['-520.66'],
    ],
    [
      'is 0 for a car whose margin a line by hand took, and whole for the other car',
      CARS,
      [byHand(2, '3000.00', { vehicle_id: SECOND, margin_vat: '-173.55' })],
      [firstBack(3), secondBack(3)],
      ['-347.11', '0.00'],
    ],
    // 520.66 − 347.11 − 100.00
    [
      'is what is left in all after a line by hand without a car',
      CARS,
      [byHand(2, '576.19', { margin_vat: '-100.00' })],
      [firstBack(3), secondBack(3)],
      ['-347.11', '-73.55'],
    ],
    // A note of an older release took 520.66 of the second car.
    [
      'is 0 if the margins of the invoice are taken back, whatever the car bears',
      CARS,
      [byHand(2, '3000.00', { vehicle_id: SECOND, margin_vat: '-520.66' })],
      [firstBack(3)],
      ['0.00'],
    ],
    // 21/121 of 800 are 138.84, and 433.88 − 138.84 are left.
    [
      'is the rest of the car and its part together',
      CAR_AND_PART,
      [byHand(2, '800.00', { margin_vat: '-138.84' })],
      [back(3, '10000.00', { credited_line_id: 1, purchase_price: '8000.0000' })],
      ['-295.04'],
    ],
    [
      'is taken once by the lines of one note',
      CARS,
      [],
      [firstBack(2), secondBack(2), { ...byHand(2, '500.00', { vehicle_id: SECOND }), id: 29 }],
      ['-347.11', '-173.55', '0.00'],
    ],
  ];
  for (const [title, invoice, earlier, own, expected] of CASES)
    it(title, () => {
      expect(taken(invoice, earlier, own)).to.deep.equal(expected);
    });

  it('mends first what an earlier note took too much of its line', () => {
    // The half that is left of the first part bears 21.00 − 25.20; in all 42.00 − 25.20 are left.
    const half = back(3, '121.00', { id: 39, credited_line_id: 1, quantity: '-0.5000' });

    const amounts = taken(PARTS, [TOO_MUCH], [back(3, '121.00', { credited_line_id: 2 }), half], WORKSHOP);

    expect(amounts).to.deep.equal(['-21.00', '4.20']);
  });

  it('is not limited by the car of a workshop order, which is not sold', () => {
    const named = byHand(2, '121.00', { vehicle_id: STRANGE });

    expect(taken(PARTS, [], [named], WORKSHOP)).to.deep.equal(['-21.00']);
  });
});
