// What counts beside the lines of the invoices of one car, without a database.
import { type CarCredit, type CarInvoice, movesOf } from '../../../src/core/trade/margin/margin-car.ts';
import { expect } from '../../support/client/expect.ts';

const instant = '2026-01-01';

/** An acquisition by one line, whose ID is ten times that of its invoice. */
const bought = (order: number, amount: bigint): CarInvoice => ({
  order,
  instant,
  bought: [{ line: 10 * order, amount }],
  sold: undefined,
});
const sold = (order: number, leavesMargin: boolean, bpm = 0n): CarInvoice => ({
  order,
  instant,
  bought: [],
  sold: { line: 10 * order, leavesMargin, gross: 700n, bpm },
});
const credit = (credited: number, more: Partial<CarCredit> = {}): CarCredit => ({
  ...{ instant, credited, isWhole: true, bought: [], sold: 0n },
  ...more,
});
const pricesOf = (events: readonly (CarInvoice | CarCredit)[]) =>
  movesOf(events).map(({ line, price }) => [line, price]);

describe('what a car counts beside the lines of its invoices', () => {
  it('is nothing while it is bought and sold under the scheme', () => {
    expect(pricesOf([bought(1, 500n), sold(2, false), bought(3, 600n), credit(1)])).to.deep.equal([]);
  });

  it('is its acquisition when a sale with VAT takes it out, line by line', () => {
    const invoice = {
      ...bought(1, 500n),
      bought: [
        { line: 10, amount: 500n },
        { line: 11, amount: -20n },
        { line: 12, amount: 0n },
      ],
    };

    expect(pricesOf([invoice, sold(2, true)])).to.deep.equal([
      [10, 500n],
      [11, -20n],
    ]);
  });

  it('is the rest of an acquisition that was credited in part, before it left and after', () => {
    const part = credit(1, { isWhole: false, bought: [{ line: 30, amount: -100n }] });

    expect(pricesOf([bought(1, 500n), part, sold(2, true)])).to.deep.equal([[10, 400n]]);
    expect(pricesOf([bought(1, 500n), sold(2, true), part, credit(2)])).to.deep.equal([
      [10, 500n],
      [30, -100n],
      [10, -400n],
    ]);
  });

  it('stays out when other lines of the invoice are credited that gave the car away', () => {
    const gift: CarInvoice = {
      ...sold(2, true),
      sold: { line: 20, leavesMargin: true, gross: 0n, bpm: 0n },
    };
    const fee = credit(2, { isWhole: false });

    expect(pricesOf([bought(1, 500n), gift, fee])).to.deep.equal([[10, 500n]]);
    expect(pricesOf([bought(1, 500n), gift, credit(2)])).to.deep.equal([
      [10, 500n],
      [10, -500n],
    ]);
  });

  it('comes back when the sale is credited line by line, or as a whole', () => {
    const part = (amount: bigint) => credit(2, { isWhole: false, sold: amount });

    expect(pricesOf([bought(1, 500n), sold(2, true), part(-300n)])).to.deep.equal([[10, 500n]]);
    for (const credits of [[part(-300n), part(-400n)], [credit(2)]])
      expect(pricesOf([bought(1, 500n), sold(2, true), ...credits, sold(3, true)])).to.deep.equal([
        [10, 500n],
        [10, -500n],
        [10, 500n],
      ]);
  });

  it('is its BPM, which the credit note of the sale takes back', () => {
    expect(pricesOf([bought(1, 500n), sold(2, false, 50n), credit(2)])).to.deep.equal([
      [20, -50n],
      [20, 50n],
    ]);
  });

  it('ignores credit notes of invoices that it does not know', () => {
    expect(pricesOf([credit(9), bought(1, 500n), credit(9), sold(2, true)])).to.deep.equal([[10, 500n]]);
  });
});
