// Times of the garage's clock as instants, also on the days on which the clock is turned.
import { expect } from 'chai';
import { type Side, WallClock } from '../../../src/core/trade/time/wall-clock.ts';

/** The instant of a time on a day, as ISO 8601 without seconds. */
function at(date: string, minutes: number, side: Side = 'start', timezone = 'Europe/Amsterdam'): string {
  const [day] = new WallClock(timezone).dates(date, date);
  return new Date(day?.at(minutes, side) ?? 0).toISOString().slice(0, 16);
}

const HOUR = 60;

describe('the clock on the wall', () => {
  it('shows summer and winter time', () => {
    expect(at('2026-01-05', 8 * HOUR)).to.equal('2026-01-05T07:00');
    expect(at('2026-07-06', 8 * HOUR)).to.equal('2026-07-06T06:00');
    expect(at('2026-07-06', 24 * HOUR, 'end')).to.equal('2026-07-06T22:00');
  });

  it('takes the moment after the gap for a time that is skipped', () => {
    for (const minutes of [2 * HOUR, 2 * HOUR + 30, 3 * HOUR])
      for (const side of ['start', 'end'] as const)
        expect(at('2026-03-29', minutes, side)).to.equal('2026-03-29T01:00');

    expect(at('2026-03-29', 2 * HOUR - 1)).to.equal('2026-03-29T00:59');
  });

  it('takes the first of two equal times as a start, and the second as an end', () => {
    expect(at('2026-10-25', 2 * HOUR + 30, 'start')).to.equal('2026-10-25T00:30');
    expect(at('2026-10-25', 2 * HOUR + 30, 'end')).to.equal('2026-10-25T01:30');
    expect(at('2026-10-25', 3 * HOUR, 'start')).to.equal('2026-10-25T02:00');
    expect(at('2026-10-25', 24 * HOUR, 'end')).to.equal('2026-10-25T23:00');
  });

  it('knows gaps at midnight and half hours', () => {
    expect(at('2024-09-08', 0, 'start', 'America/Santiago')).to.equal('2024-09-08T04:00');
    expect(at('2026-10-04', 2 * HOUR + 10, 'start', 'Australia/Lord_Howe')).to.equal('2026-10-03T15:30');
  });

  it('counts the days of an interval, and their weekdays', () => {
    const start = Date.parse('2026-03-28T23:30:00Z');
    const days = new WallClock('Europe/Amsterdam').days({ start, end: start + 86_400_000 });

    expect(days.map(({ date, weekday }) => [date, weekday])).to.deep.equal([
      ['2026-03-29', 7],
      ['2026-03-30', 1],
    ]);
  });
});
