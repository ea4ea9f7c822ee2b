import { expect } from 'chai';
import { countWhere, grouped, portionsOf } from '../../../src/core/trade/grouped.ts';

describe('parts of a list', () => {
  it('are groups with one key each, in the order of the list', () => {
    const groups = grouped([3, 1, 4, 5], (number) => number % 2);

    expect([...groups]).to.deep.equal([
      [1, [3, 1, 5]],
      [0, [4]],
    ]);
  });

  it('are portions of a size, the last one smaller', () => {
    const portions = [[], [1, 2], [1, 2, 3]].map((items) => [...portionsOf(items, 2)]);

    expect(portions).to.deep.equal([[], [[1, 2]], [[1, 2], [3]]]);
  });

  it('are the first items that are such, whose number is sought by halves', () => {
    const items = [1, 2, 2, 3, 8];

    const counts = [0, 1, 2, 7, 8].map((limit) => countWhere(items, (item) => item <= limit));

    expect(counts).to.deep.equal([0, 1, 3, 4, 5]);
    expect(countWhere(items, () => true, 2)).to.equal(2);
    expect(countWhere([], () => true)).to.equal(0);
  });
});
