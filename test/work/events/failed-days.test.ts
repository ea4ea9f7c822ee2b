// The days on which all tries of a subscription failed.
import { expect } from 'chai';
import { changesOf } from '../../../src/work/events/failed-days.ts';

const at = (day: number, hour = 12) => `2026-03-${String(day).padStart(2, '0')} ${hour}:00:00.000`;
const since = (first: number, days: number, last: number, delivered: string | null = null) => ({
  failing_since: at(first, 10),
  last_delivery_at: delivered,
  failed_days: days,
  failed_on: at(last, 10),
});
const NEVER = { failing_since: null, last_delivery_at: null, failed_days: null, failed_on: null };

describe('the days with failed tries only', () => {
  it('begin with the first failure, or on the day after a success', () => {
    expect(changesOf(NEVER, at(3))).to.deep.equal({
      failing_since: at(3),
      failed_days: 1,
      failed_on: at(3),
    });
    expect(changesOf({ ...NEVER, last_delivery_at: at(3, 11) }, at(3))).to.include({ failed_days: 0 });
    expect(changesOf({ ...NEVER, last_delivery_at: at(2, 23) }, at(3))).to.include({ failed_days: 1 });
  });

  it('count once each, and only those with a try', () => {
    expect(changesOf(since(3, 1, 3), at(3, 23))).to.equal(undefined);
    expect(changesOf(since(3, 1, 3), at(4))).to.deep.equal({ failed_days: 2, failed_on: at(4) });
    expect(changesOf(since(3, 2, 4), at(20))).to.deep.equal({ failed_days: 3, failed_on: at(20) });
  });

  it('begin anew after a success, also where an older version noted it', () => {
    const noted = { ...since(3, 4, 6), failing_since: null };
    const older = { ...since(3, 4, 6), failing_since: at(8) };

    expect(changesOf(noted, at(8))).to.include({ failing_since: at(8), failed_days: 1 });
    expect(changesOf(older, at(9))).to.deep.equal({ failing_since: at(8), failed_days: 1, failed_on: at(9) });
  });

  it('do not grow when the clock goes back, and go on from there', () => {
    expect(changesOf(since(3, 2, 9), at(4))).to.deep.equal({ failed_days: 2, failed_on: at(4) });
    expect(changesOf({ ...NEVER, failing_since: at(20) }, at(4))).to.include({
      failing_since: at(4),
      failed_days: 1,
    });
  });

  it('do not count while the clock is in doubt', () => {
    expect(changesOf(since(3, 4, 6), at(7), true)).to.equal(undefined);
    expect(changesOf(NEVER, at(7), true)).to.deep.equal({ failing_since: at(7) });
  });
});
