// Sets of intervals.
import { expect } from 'chai';
import {
  common,
  covers,
  type Interval,
  IntervalSet,
  unionOf,
  without,
} from '../../../src/core/trade/time/interval.ts';

const set = (...pairs: [number, number][]): Interval[] => pairs.map(([start, end]) => ({ start, end }));

function setOf(...pairs: [number, number][]): IntervalSet {
  const made = new IntervalSet();
  for (const interval of set(...pairs)) made.add(interval);
  return made;
}

const listOf = (made: IntervalSet): Interval[] =>
  Array.from({ length: made.length }, (_, index) => made.at(index));

describe('a set of intervals', () => {
  it('joins what overlaps or touches, and drops what is empty', () => {
    const union = unionOf(set([5, 7], [1, 3], [3, 4], [6, 9], [8, 8], [9, 2]));

    expect(listOf(union)).to.deep.equal(set([1, 4], [5, 9]));
  });

  it('loses the instants of another set', () => {
    const left = without(setOf([0, 10], [20, 30]), setOf([2, 3], [8, 22], [24, 25], [29, 40]));

    expect(listOf(left)).to.deep.equal(set([0, 2], [3, 8], [22, 24], [25, 29]));
    expect(listOf(without(setOf([0, 10]), setOf([0, 10])))).to.deep.equal([]);
    expect(listOf(without(setOf([0, 10]), setOf([10, 20])))).to.deep.equal(set([0, 10]));
    expect(listOf(without(setOf([5, 6], [7, 9]), setOf([0, 1], [4, 8])))).to.deep.equal(set([8, 9]));
  });

  it('has instants in common with another set', () => {
    const [one, other] = [setOf([0, 10], [20, 30], [40, 41]), setOf([5, 8], [10, 22], [25, 50])];

    expect(listOf(common(one, other))).to.deep.equal(set([5, 8], [20, 22], [25, 30], [40, 41]));
    expect(listOf(common(other, one))).to.deep.equal(listOf(common(one, other)));
    expect(listOf(common(one, other, { start: 8, end: 40 }))).to.deep.equal(set([20, 22], [25, 30]));
    expect(listOf(common(one, setOf()))).to.deep.equal([]);
  });

  it('finds its intervals by an instant', () => {
    const some = setOf([0, 10], [20, 30]);

    expect([-1, 0, 9, 10, 29, 30].map((instant) => some.endedBy(instant))).to.deep.equal([0, 0, 0, 1, 1, 2]);
    expect(some.covers({ start: 20, end: 30 })).to.equal(true);
    expect(some.covers({ start: 10, end: 11 })).to.equal(false);
    expect(some.covers({ start: 9, end: 21 })).to.equal(false);
    expect(some.covers({ start: 30, end: 31 })).to.equal(false);
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
