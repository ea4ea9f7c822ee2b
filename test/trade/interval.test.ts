// Sets of intervals.
import { expect } from 'chai';
import { covers, type Interval, unionOf, without } from '../../src/trade/interval.ts';

const set = (...pairs: [number, number][]): Interval[] => pairs.map(([start, end]) => ({ start, end }));

describe('a set of intervals', () => {
  it('joins what overlaps or touches, and drops what is empty', () => {
    expect(unionOf(set([5, 7], [1, 3], [3, 4], [6, 9], [8, 8], [9, 2]))).to.deep.equal(set([1, 4], [5, 9]));
  });

  it('loses the instants of another set', () => {
    expect(without(set([0, 10], [20, 30]), set([2, 3], [8, 22], [24, 25], [29, 40]))).to.deep.equal(
      set([0, 2], [3, 8], [22, 24], [25, 29]),
    );
    expect(without(set([0, 10]), set([0, 10]))).to.deep.equal([]);
    expect(without(set([0, 10]), set([10, 20]))).to.deep.equal(set([0, 10]));
  });

  it('covers an interval only in one piece', () => {
    expect(covers(set([0, 5], [6, 10]), { start: 6, end: 10 })).to.equal(true);
    expect(covers(set([0, 5], [6, 10]), { start: 4, end: 7 })).to.equal(false);
  });
});
