// Credit notes: the rest of an invoice, what they may take of it, and when they take back the whole.
import { expect } from 'chai';
import { LISTS } from '../../../../src/core/trade/lists.ts';
import {
  isTakenOff,
  judgeWhole,
  takenLines,
  unfitCredit,
} from '../../../../src/core/trade/order-case/credit.ts';
import { isWithin, restOf, restsOf, sumsOf } from '../../../../src/core/trade/order-case/rest.ts';
import { lineOf } from '../../../support/build/case-line.ts';

const { WORKSHOP, VEHICLE_PURCHASE, INTERNAL_REVERSAL } = LISTS.ordertypes;
const { TRADE_IN } = LISTS.linekinds;
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
  net_high: '100.00',
  net_low: '0.00',
  vat_high: '21.00',
  vat_low: '0.00',
  ...more,
});
const creditOf = (id: number, total_gross: string, more: object = {}) =>
  order(id, { order_type: INTERNAL_REVERSAL, total_gross, net_high: '0.00', vat_high: '0.00', ...more });
/** A line that takes back a part of the line 1. */
const back = (order_id: number, quantity: string, line_net: string, more: object = {}) =>
  lineOf({ id: order_id * 10, order_id, credited_line_id: 1, quantity, line_net, ...more });

const sold = lineOf({ id: 1, order_id: 1, quantity: '4.0000', price: '25.0000' });

describe('the rest of an invoice', () => {
  it('is its lines less those of its credit notes', () => {
    const rests = restsOf([sold, back(2, '-1.0000', '-25.00', { price: '25.0000' })], 1);

    expect(rests.get(1)).to.include({ pieces: 30_000n, net: 7_500n, isAtPrice: true });
    expect(isWithin(rests, 1, '-3.0000')).to.equal(true);
    expect(isWithin(rests, 1, '-3.0001')).to.equal(false);
    expect(isWithin(rests, 1, '1.0000')).to.equal(false);
    expect(isWithin(rests, 2, '-1.0000')).to.equal(false);
  });

  it('of a line below 0 is taken by a line above 0', () => {
    const rests = restsOf([lineOf({ id: 1, quantity: '-2.0000' })], 1);

    expect(isWithin(rests, 1, '2.0000')).to.equal(true);
    expect(isWithin(rests, 1, '-1.0000')).to.equal(false);
  });

  it('gives its VAT to the credit note that takes the rest of a code', () => {
    const rest = restOf(
      { invoice: order(1, { vat_high: '21.01' }), credits: [], lines: [sold] },
      '2026-05-01',
    );
    const credit = { order_type: INTERNAL_REVERSAL, is_vat_included: 0, day: '2026-05-01' };

    expect(sumsOf([back(2, '-4.0000', '-100.00')], credit, rest)).to.include({ vat_high: -2_101n });
    expect(sumsOf([back(2, '-3.0000', '-75.00')], credit, rest)).to.include({ vat_high: -1_575n });
  });
});

describe('a credit note', () => {
  const judged = (total_gross: string, lines: ReturnType<typeof lineOf>[], more: object = {}) =>
    unfitCredit({
      credit: creditOf(2, total_gross, more),
      lines,
      credited: { invoice: order(1), credits: [creditOf(3, '-21.00')], lines: [sold] },
      isDeducted: false,
    }).map(({ field }) => field);
  const CASES: [string, string, ReturnType<typeof lineOf>[], object, string[]][] = [
    ['takes the rest', '-100.00', [back(2, '-3.0000', '-79.00')], {}, []],
    ['takes no more than the rest', '-100.01', [back(2, '-3.0000', '-79.00')], {}, ['total_gross']],
    ['takes no more pieces than a line has', '-1.00', [back(2, '-4.0001', '-1.00')], {}, ['total_gross']],
    ['adds nothing to the invoice', '1.00', [back(2, '1.0000', '1.00')], {}, ['total_gross']],
    [
      'takes nothing of another VAT code',
      '-1.00',
      [back(2, '-1.0000', '-1.00', { vat_code: LOW })],
      {},
      ['vat_code'],
    ],
    ['takes no more than a VAT code has', '-1.00', [back(2, '-1.0000', '-100.01')], {}, ['vat_code']],
    [
      'has the payer of the invoice',
      '-1.00',
      [back(2, '-1.0000', '-1.00')],
      { invoice_contact_id: 6 },
      ['invoice_contact_id'],
    ],
    ['takes nothing of 0', '0.00', [back(2, '-1.0000', '0.00', { vat_code: LOW })], {}, []],
  ];
  for (const [title, total, lines, more, expected] of CASES)
    it(title, () => {
      expect(judged(total, lines, more)).to.deep.equal(expected);
    });

  it('of an invoice below 0 is above 0', () => {
    const credited = {
      invoice: order(1, { total_gross: '-121.00' }),
      credits: [],
      lines: [lineOf({ line_net: '-100.00' })],
    };
    const found = (total_gross: string) =>
      unfitCredit({ credit: creditOf(2, total_gross), lines: [], credited, isDeducted: false });

    expect(found('121.00')).to.deep.equal([]);
    expect(found('-1.00')).to.have.length(1);
  });

  it('takes nothing of a deposit that an invoice took off', () => {
    const deposit = lineOf({ id: 1, order_id: 1 });
    const deduction = lineOf({ id: 8, order_id: 9, credited_line_id: 1, quantity: '-1.0000' });
    const undone = lineOf({ id: 9, order_id: 10, credited_line_id: 8, quantity: '1.0000' });

    const target = (...lines: ReturnType<typeof lineOf>[]) => ({ id: 9, is_vat_included: 0, lines });

    expect(isTakenOff([deposit], target(deduction))).to.equal(true);
    expect(isTakenOff([deposit], target(deduction, undone))).to.equal(false);
    expect(isTakenOff([deposit], target())).to.equal(false);
  });

  it('takes a deposit back after a note by hand that took the invoice back', () => {
    const deposit = lineOf({ id: 1, order_id: 1, line_net: '40.00' });
    const work = lineOf({ id: 7, order_id: 9 });
    const deduction = lineOf({
      ...{ id: 8, order_id: 9, credited_line_id: 1, quantity: '-1.0000', line_net: '-40.00' },
    });
    const byHand = (line_net: string) => lineOf({ id: 9, order_id: 10, line_net });
    const isTaken = (line_net: string) =>
      isTakenOff([deposit], { id: 9, is_vat_included: 0, lines: [work, deduction, byHand(line_net)] });

    expect(isTaken('-59.99')).to.equal(true);
    expect(isTaken('-60.00')).to.equal(false);
  });
});

describe('a credit note of the whole', () => {
  const whole = (
    invoice: ReturnType<typeof order>,
    lines: ReturnType<typeof lineOf>[],
    own: ReturnType<typeof lineOf>[],
  ) => judgeWhole({ credit: creditOf(2, '-1.00'), lines: own, credited: { invoice, credits: [], lines } });

  it('leaves no code with an amount', () => {
    expect(whole(order(1), [sold], [back(2, '-4.0000', '-100.00')]).isWhole).to.equal(true);
    expect(whole(order(1), [sold], [back(2, '-3.0000', '-75.00')]).isWhole).to.equal(false);
    expect(whole(order(1), [sold], [lineOf({ order_id: 2, line_net: '-100.00' })]).isWhole).to.equal(true);
  });

  it('takes lines of 0 back by their pieces', () => {
    const free = lineOf({ id: 1, line_net: '0.00' });

    expect(whole(order(1), [free], [back(2, '-1.0000', '0.00')]).isWhole).to.equal(true);
    expect(whole(order(1), [free], [lineOf({ order_id: 2, line_net: '0.00' })]).isWhole).to.equal(false);
  });

  it('leaves no line: a deposit may be worth as much as the car that stays', () => {
    const car = lineOf({ id: 1, line_net: '20000.00' });
    const fee = lineOf({ id: 2 });
    const deposit = lineOf({ id: 3, quantity: '-1.0000', line_net: '-20000.00', credited_line_id: 99 });
    const lines = [car, fee, deposit];
    const backOf = (credited_line_id: number, line_net: string) =>
      lineOf({ id: 20 + credited_line_id, order_id: 2, quantity: '-1.0000', line_net, credited_line_id });
    const ofFee = backOf(2, '-100.00');
    const ofDeposit = { ...backOf(3, '20000.00'), pieces: 10_000n };

    expect(whole(order(1), lines, [ofFee]).isWhole).to.equal(false);
    expect(whole(order(1), lines, [ofFee, backOf(1, '-20000.00'), ofDeposit]).isWhole).to.equal(true);
    expect(whole(order(1), lines, [lineOf({ order_id: 2, line_net: '-100.00' })]).isWhole).to.equal(true);
  });

  it('may leave gifts of an invoice with amounts', () => {
    const gift = lineOf({ id: 5, line_net: '0.00' });

    expect(whole(order(1), [sold, gift], [back(2, '-4.0000', '-100.00')]).isWhole).to.equal(true);
  });

  it('names the codes whose amounts are 0 in all, if it is made by hand', () => {
    const swap = [
      lineOf({ id: 1, vat_code: MARGIN }),
      lineOf({ id: 2, vat_code: MARGIN, line_net: '-100.00' }),
      lineOf({ id: 3 }),
    ];
    const byHand = (vat_code: number, line_net: string) => lineOf({ order_id: 2, vat_code, line_net });
    const fee = byHand(HIGH, '-100.00');

    expect(whole(order(1), swap, [fee]).isWhole).to.equal(false);
    expect(whole(order(1), swap, [fee, byHand(MARGIN, '0.00')]).isWhole).to.equal(false);
    const all = [fee, byHand(MARGIN, '-100.00'), byHand(MARGIN, '100.00')];
    expect(whole(order(1), swap, all).isWhole).to.equal(true);
  });

  it('takes nothing back twice', () => {
    const lines = [sold, back(3, '-4.0000', '-100.00')];

    expect(whole(order(1), lines, [lineOf({ order_id: 2, line_net: '0.00' })]).isWhole).to.equal(false);
  });

  it('is demanded for a purchase and for a trade-in', () => {
    const part = [back(2, '-3.0000', '-75.00')];
    const traded = lineOf({ id: 4, line_kind: TRADE_IN, vat_code: HIGH });

    expect(whole(order(1), [sold], part).unfit).to.deep.equal([]);
    expect(whole(order(1), [sold, traded], part).unfit).to.have.length(1);
    expect(whole(order(1, { order_type: VEHICLE_PURCHASE }), [sold], part).unfit).to.have.length(1);
  });
});

describe('the lines to credit', () => {
  const rests = restsOf([sold, lineOf({ id: 2, quantity: '-1.0000' })], 1);
  const lines = [sold, lineOf({ id: 2, quantity: '-1.0000' })];
  const take = (wanted?: { id: number; quantity: string }[], invoice = order(1)) => {
    const { taken, unfit } = takenLines(invoice, lines, rests, wanted);
    return [taken.map(({ line, quantity }) => [line.id, quantity]), unfit.map(({ field }) => field)];
  };

  it('are all that is left', () => {
    expect(take()).to.deep.equal([
      [
        [1, '-4.0000'],
        [2, '1.0000'],
      ],
      [],
    ]);
    expect(takenLines(order(1), lines, new Map(), undefined).unfit).to.have.length(1);
  });

  const CASES: [string, { id: number; quantity: string }[], string[]][] = [
    ['have a quantity above 0', [{ id: 1, quantity: '0' }], ['orderline[0].quantity']],
    ['are lines of the invoice', [{ id: 3, quantity: '1' }], ['orderline[0].id']],
    ['are no more pieces than are left', [{ id: 1, quantity: '5' }], ['orderline[0].quantity']],
    [
      'stand there once',
      [
        { id: 1, quantity: '1' },
        { id: 1, quantity: '1' },
      ],
      ['orderline[1].quantity'],
    ],
    ['may be a part', [{ id: 2, quantity: '1' }], []],
  ];
  for (const [title, wanted, expected] of CASES)
    it(title, () => {
      expect(take(wanted)[1]).to.deep.equal(expected);
    });

  it('are lines without pieces while they have an amount, and no pieces that a lower price has taken back', () => {
    const told = lineOf({ quantity: '0.0000', price: '0.0000' });
    const whole = back(2, '0.0000', '-100.00', { price: '0.0000', line_gross: '-121.00' });
    const lower = back(2, '-4.0000', '-60.00', { price: '15.0000' });
    const quantities = (line: typeof told, ...credits: (typeof told)[]) =>
      takenLines(order(1), [line], restsOf([line, ...credits], 1), undefined).taken.map(
        (one) => one.quantity,
      );

    expect(quantities(told)).to.deep.equal(['0.0000']);
    expect([...quantities(told, whole), ...quantities(sold, lower)]).to.deep.equal([]);
  });

  it('are all lines of a purchase', () => {
    const bought = order(1, { order_type: VEHICLE_PURCHASE });

    expect(take([{ id: 2, quantity: '1' }], bought)[1]).to.deep.equal(['orderline']);
    expect(
      take(
        [
          { id: 1, quantity: '4' },
          { id: 2, quantity: '1' },
        ],
        bought,
      )[1],
    ).to.deep.equal([]);
  });

  it('of a purchase may leave gifts and texts, unless there is nothing else', () => {
    const free = { line_net: '0.00', line_vat: '0.00', line_gross: '0.00' };
    const [text, gift] = [lineOf({ id: 2, ...free }), lineOf({ id: 3, ...free })];
    const refused = (own: ReturnType<typeof lineOf>[], ...ids: number[]) => {
      const wanted = ids.map((id) => ({ id, quantity: id === 1 ? '4' : '1' }));
      const bought = order(1, { order_type: VEHICLE_PURCHASE });
      return takenLines(bought, own, restsOf(own, 1), wanted).unfit.map(({ field }) => field);
    };

    expect(refused([sold, text, gift], 1)).to.deep.equal([]);
    expect(refused([sold, text, gift], 1, 3)).to.deep.equal([]);
    expect(refused([sold, text, gift], 2, 3)).to.deep.equal(['orderline']);
    expect(refused([text, gift], 2)).to.deep.equal(['orderline']);
    expect(refused([text, gift], 2, 3)).to.deep.equal([]);
  });
});
