// A target is met or missed only if every round says so: ratios of a busy machine spread.
import { expect } from 'chai';
import { judge, spread } from '../../bench/statistics.ts';

describe('the targets of the bench', () => {
  const outcome = (rounds: number[], bound: Parameters<typeof judge>[1]) => judge(spread(rounds), bound);

  it('are met where all rounds are below the most', () => {
    expect(outcome([0.9, 1, 1.1], { most: 1.1 })).to.equal('met');
    expect(outcome([5, 6, 7], { least: 5 })).to.equal('met');
  });

  it('are missed where no round is', () => {
    expect(outcome([1.11, 1.2, 1.3], { most: 1.1 })).to.equal('missed');
    expect(outcome([4, 4.9], { least: 5 })).to.equal('missed');
  });

  it('are within the noise otherwise, whatever the median is', () => {
    expect(outcome([0.9, 1, 1.3], { most: 1.1 })).to.equal('within the noise');
    expect(outcome([4.9, 6, 7], { least: 5 })).to.equal('within the noise');
  });
});
