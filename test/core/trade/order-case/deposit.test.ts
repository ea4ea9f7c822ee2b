// Deposits fit their order, and its invoice takes exactly their net and VAT off.
import { expect } from 'chai';
import { LISTS } from '../../../../src/core/trade/lists.ts';
import {
  amountsWithout,
  byCodeOf,
  deductionLines,
  partsOf,
  unfitDeduction,
  unfitDeposit,
} from '../../../../src/core/trade/order-case/deposit.ts';

const { WORKSHOP, BPM } = LISTS.ordertypes;
const { HIGH, LOW, MARGIN } = LISTS.vatcodes;

const order = (id: number, more: object = {}) => ({
  id,
  order_type: WORKSHOP as number,
  contact_id: 5,
  invoice_contact_id: null,
  vehicle_id: null,
  is_vat_included: 0,
  deposit_of_order_id: null,
  total_gross: '121.00',
  invoice_number: 'F1',
  ...more,
});
const line = (order_id: number, vat_code: number, line_net: string, more: object = {}) => ({
  id: order_id * 10,
  order_id,
  credited_order_id: null,
  vat_code,
  line_net,
  vat_percentage: '21.0000',
  turnover_group_id: 3,
  vat_high: '21.00',
  vat_low: '9.00',
  ...more,
});

describe('a deposit', () => {
  const deposit = (more: object = {}) => order(2, { deposit_of_order_id: 1, total_gross: '100.00', ...more });
  const CASES: [string, object, object, bigint, string[]][] = [
    ['fits its order', {}, {}, 2_100n, []],
    ['exceeds its order', {}, {}, 2_101n, ['total_gross']],
    ['has another payer', { invoice_contact_id: 6 }, {}, 0n, ['invoice_contact_id']],
    ['is of an order that takes none', {}, { order_type: BPM }, 0n, ['deposit_of_order_id']],
    ['is of a deposit', {}, { deposit_of_order_id: 9 }, 0n, ['deposit_of_order_id']],
  ];
  for (const [title, more, target, taken, expected] of CASES)
    it(title, () => {
      const found = unfitDeposit(deposit(more), order(1, target), taken);

      expect(found.map(({ field }) => field)).to.deep.equal(expected);
    });
});

describe('the deduction of deposits', () => {
  it('counts the VAT of an order once for each code', () => {
    const lines = [
      line(2, HIGH, '60.00'),
      line(2, HIGH, '40.00'),
      line(2, LOW, '100.00'),
      line(2, MARGIN, '50.00'),
    ];

    expect([...byCodeOf(lines)]).to.deep.equal([
      [HIGH, { net: 10_000n, vat: 2_100n }],
      [LOW, { net: 10_000n, vat: 900n }],
      [MARGIN, { net: 5_000n, vat: 0n }],
    ]);
  });

  it('leaves out a deposit that was credited', () => {
    const back = line(3, HIGH, '-100.00', { credited_order_id: 2, vat_high: '-21.00' });

    expect(partsOf([{ order: order(2), lines: [line(2, HIGH, '100.00'), back] }])).to.deep.equal([]);
  });

  const parts = partsOf([{ order: order(2), lines: [line(2, HIGH, '100.00')] }]);

  it('is a line of quantity -1 with the amounts of the deposit', () => {
    const [own] = deductionLines(order(1), parts, 'en');

    expect(own).to.include({ order_id: 1, quantity: '-1.0000', price: '100.0000', credited_line_id: 20 });
    expect(own).to.include({
      line_net: '-100.00',
      line_vat: '-21.00',
      line_gross: '-121.00',
      margin_vat: null,
    });
    expect(own).to.include({
      description: 'Less: deposit, invoice F1',
      vat_percentage: '21.0000',
      turnover_group_id: 3,
    });
    expect(deductionLines(order(1, { is_vat_included: 1 }), parts, null)[0]).to.include({
      price: '121.0000',
    });
  });

  it('lowers the totals of the order', () => {
    const before = {
      total_net: '150.00',
      net_high: '150.00',
      net_low: '0.00',
      vat_high: '31.50',
      vat_low: '0.00',
    };

    expect(amountsWithout(before, parts)).to.include({
      total_net: '50.00',
      vat_high: '10.50',
      total_gross: '60.50',
    });
  });

  it('is no more than the order, of one payer', () => {
    const fields = (more: object) => unfitDeduction(order(1, more), parts).map(({ field }) => field);

    expect(fields({})).to.deep.equal([]);
    expect(fields({ total_gross: '120.99' })).to.deep.equal(['total_gross']);
    expect(fields({ invoice_contact_id: 6 })).to.deep.equal(['invoice_contact_id']);
  });
});
