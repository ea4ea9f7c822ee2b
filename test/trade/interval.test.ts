// Sets of intervals.
import { expect } from 'chai';
import { covers, type Interval, IntervalSet, unionOf, without } from '../../src/trade/time/interval.ts';

const set = (...pairs: [number, number][]): Interval[] => pairs.map(([start, end]) => ({ start, end }));

function setOf(...pairs: [number, number][]): IntervalSet {
  const made = new IntervalSet();
  for (const interval of set(...pairs)) made.add(interval);
  return made;
}

describe('a set of intervals', () => {
  it('joins what overlaps or touches, and drops what is empty', () => {
    expect(unionOf(set([5, 7], [1, 3], [3, 4], [6, 9], [8, 8], [9, 2]))).to.deep.equal(set([1, 4], [5, 9]));
  });

  it('loses the instants of another set', () => {
    expect([...without(set([0, 10], [20, 30]), setOf([2, 3], [8, 22], [24, 25], [29, 40]))]).to.deep.equal(
      set([0, 2], [3, 8], [22, 24], [25, 29]),
    );
    expect([...without(set([0, 10]), setOf([0, 10]))]).to.deep.equal([]);
    expect([...without(set([0, 10]), setOf([10, 20]))]).to.deep.equal(set([0, 10]));
  });

  it('joins intervals by their ends, one after the other', () => {
    const joined = setOf([0, 1], [3, 4], [6, 7], [9, 10], [4, 11], [12, 13]);

    expect([0, 1, 2].map((index) => joined.at(index))).to.deep.equal(set([0, 1], [3, 11], [12, 13]));
    expect(joined).to.have.length(3);
  });

  it('contains an interval as a whole', () => {
    expect(covers({ start: 6, end: 10 }, { start: 6, end: 10 })).to.equal(true);
    expect(covers({ start: 6, end: 10 }, { start: 5, end: 7 })).to.equal(false);
    expect(covers({ start: 6, end: 10 }, { start: 7, end: 11 })).to.equal(false);
  });
});
