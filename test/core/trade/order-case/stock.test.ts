// The vehicles that an invoice moves, and why they can't be moved.
import { expect } from 'chai';
import { LISTS } from '../../../../src/core/trade/lists.ts';
import { movedIn, tradeOf, unfitStock } from '../../../../src/core/trade/order-case/stock.ts';
import { lineOf } from '../../../support/build/case-line.ts';

const { WORKSHOP, VEHICLE_SALES, VEHICLE_PURCHASE } = LISTS.ordertypes;
const { VEHICLE, TRADE_IN, FEE, ARTICLE } = LISTS.linekinds;
const { MARGIN, HIGH, OUTSIDE } = LISTS.vatcodes;
const { STOCK, CUSTOMER, SOLD, EXPECTED, DEMO } = LISTS.stockstatuses;
const [MARGIN_TAX, VAT_TAX] = [LISTS.taxkinds.MARGIN, LISTS.taxkinds.VAT];

const order = (
  order_type: number,
  vehicle_id: number | null = null,
  deposit_of_order_id: number | null = null,
) => ({
  order_type,
  vehicle_id,
  deposit_of_order_id,
});
const car = (id: number, more: object = {}) => ({
  id,
  stock_status: STOCK,
  is_system: 0,
  is_blocked: 0,
  is_archived: 0,
  ...more,
});

describe('the trade of an invoice', () => {
  const CASES: [string, ReturnType<typeof order>, object[], number[], [number, string, number][]][] = [
    ['work moves nothing', order(WORKSHOP, 1), [{ line_kind: ARTICLE, vehicle_id: 2 }], [], []],
    ['a sale sells its car', order(VEHICLE_SALES, 1), [], [1], []],
    [
      'a sale sells the cars of its lines',
      order(VEHICLE_SALES, 1),
      [{ line_kind: VEHICLE, vehicle_id: 2 }],
      [1, 2],
      [],
    ],
    ['a deposit sells nothing', order(VEHICLE_SALES, 1, 9), [], [], []],
    [
      'a trade-in comes into stock at its worth',
      order(VEHICLE_SALES, 1),
      [{ line_kind: TRADE_IN, vehicle_id: 3, line_net: '-500.00', vat_code: MARGIN }],
      [1],
      [[3, '500.00', MARGIN_TAX]],
    ],
    [
      'a purchase buys its car, without a fee of another code',
      order(VEHICLE_PURCHASE, 4),
      [
        { line_kind: VEHICLE, line_net: '900.00', vat_code: HIGH },
        { line_kind: ARTICLE, line_net: '-100.00', vat_code: HIGH },
        { line_kind: FEE, line_net: '45.00', vat_code: OUTSIDE },
      ],
      [],
      [[4, '800.00', VAT_TAX]],
    ],
    [
      'a purchase without a line of a car buys the car of the order',
      order(VEHICLE_PURCHASE, 4),
      [{ line_kind: ARTICLE, line_net: '10.00', vat_code: MARGIN }],
      [],
      [[4, '10.00', MARGIN_TAX]],
    ],
  ];
  for (const [title, sold, lines, out, brought] of CASES)
    it(title, () => {
      const trade = tradeOf(sold, lines.map(lineOf));

      expect([...trade.sold]).to.deep.equal(out);
      expect([...trade.bought].map(([id, cost]) => [id, cost.purchase_price, cost.tax_kind])).to.deep.equal(
        brought,
      );
      expect(movedIn(trade)).to.deep.equal([...out, ...brought.map(([id]) => id)]);
    });

  const sale = tradeOf(order(VEHICLE_SALES, 1), []);
  const both = tradeOf(order(VEHICLE_SALES, 1), [lineOf({ line_kind: TRADE_IN, vehicle_id: 1 })]);
  const REFUSED: [string, typeof sale, object, string[]][] = [
    ['a car in stock is sold', sale, {}, []],
    ['an expected car is sold', sale, { stock_status: EXPECTED }, []],
    ['a demonstration car is sold', sale, { stock_status: DEMO }, []],
    ['a car of a customer is not sold', sale, { stock_status: CUSTOMER }, ['value_invalid']],
    ['a sold car is not sold again', sale, { stock_status: SOLD }, ['value_invalid']],
    ['a blocked car does not move', sale, { is_blocked: 1 }, ['record_blocked']],
    ['an archived car does not move', sale, { is_archived: 1 }, ['record_archived']],
    ['a system car does not move', sale, { is_system: 1, is_blocked: 1 }, ['record_system']],
    ['a car is not traded in for itself', both, {}, ['value_invalid']],
  ];
  for (const [title, trade, more, codes] of REFUSED)
    it(title, () => {
      const found = unfitStock(trade, [car(1, more)]);

      expect(found.map(({ code }) => code)).to.deep.equal(codes);
    });
});
