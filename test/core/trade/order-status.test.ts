// Every pair of order statuses, compared with the specification's table.

import { expect } from 'chai';
import { frozenState, mayMove, mayStart } from '../../../src/core/trade/kinds/order-status.ts';

const STATUSES = [1, 2, 3, 4, 5, 6, 7, 8];

describe('order status', () => {
  for (const [from, to] of [
    [1, [2, 7, 8]],
    [2, [3, 4, 6, 7, 8]],
    [3, [2, 4, 7, 8]],
    [4, [5, 6, 7, 8]],
    [5, [4, 6, 7, 8]],
    [6, [4, 7]],
    [7, []],
    [8, [2]],
  ] as const) {
    it(`goes from ${from} to ${to.join(', ') || 'nothing'}`, () => {
      expect(STATUSES.filter((status) => mayMove(from, status))).to.deep.equal(to);
    });
  }

  it('goes nowhere from an unknown status', () => {
    expect(STATUSES.filter((status) => mayMove(0, status) || mayMove(9, status))).to.deep.equal([]);
  });

  it('begins as a quotation or an order', () => {
    expect(STATUSES.filter(mayStart)).to.deep.equal([1, 2]);
  });

  it('freezes invoiced and cancelled orders', () => {
    const states = STATUSES.map(frozenState).filter(Boolean);

    expect(states).to.deep.equal(['invoice', 'cancelled']);
    expect([frozenState(7), frozenState(8)]).to.deep.equal(states);
  });
});
