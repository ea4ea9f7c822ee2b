// Working time from any number of weekly hours, compared with the union of all rows on all days.
import { expect } from 'chai';
import fc from 'fast-check';
import { clip, type Interval, IntervalSet, unionOf } from '../../../src/core/trade/time/interval.ts';
import { databaseTime } from '../../../src/core/trade/time/timestamp.ts';
import { type Day, MINUTES_A_DAY, minutesOf, WallClock } from '../../../src/core/trade/time/wall-clock.ts';
import {
  addDayHours,
  between,
  Calendar,
  milliseconds,
  type WeeklyHours,
  WorkingTime,
} from '../../../src/core/trade/time/working-time.ts';

const DAY = 86_400_000;
const STARTS = ['2026-05-01', '2026-03-20', '2026-10-16', '2024-09-01', '2026-04-01'].map((day) =>
  Date.parse(day),
);
const ZONES = ['Europe/Amsterdam', 'America/Santiago', 'Australia/Lord_Howe'];
const DAYS = 20;

const clock = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** Instants are given by what they come after the first day. */
const instants = fc.option(fc.integer({ min: -2 * DAY, max: (DAYS + 2) * DAY }));
const rows = fc.record({
  weekday: fc.integer({ min: 1, max: 7 }),
  minutes: fc.uniqueArray(fc.integer({ min: 0, max: MINUTES_A_DAY }), { minLength: 2, maxLength: 2 }),
  validity: fc.tuple(instants, instants),
});

interface Drawn {
  readonly weekday: number;
  readonly minutes: readonly number[];
  readonly validity: readonly (number | null)[];
}

function hoursOf(first: number, { weekday, minutes, validity }: Drawn): WeeklyHours {
  const [start = 0, end = 0] = [...minutes].sort((a, b) => a - b);
  const [from, until] = validity.map((after) =>
    after === null ? null : databaseTime(new Date(first + after)),
  );
  return {
    weekday,
    start_time: clock(start),
    end_time: clock(end),
    valid_from: from ?? null,
    valid_until: until ?? null,
  };
}

const unionOfAll = (all: readonly WeeklyHours[], days: readonly Day[], bounds: Interval): IntervalSet =>
  unionOf(
    days.flatMap((day) =>
      all
        .filter(({ weekday }) => weekday === day.weekday)
        .map(({ start_time, end_time, valid_from, valid_until }) => {
          const time = {
            start: day.at(minutesOf(start_time), 'start'),
            end: day.at(minutesOf(end_time), 'end'),
          };
          return clip(clip(time, between(valid_from, valid_until)), bounds);
        }),
    ),
  );

const timesOf = (all: readonly WeeklyHours[], days: readonly Day[], bounds: Interval): IntervalSet => {
  const calendar = new Calendar(days);
  const working = new WorkingTime(calendar);
  for (const row of all) working.add(row);
  const times = new IntervalSet();
  const hoursOn = working.byDay();
  for (const day of calendar.days) addDayHours(times, bounds, day, hoursOn(day));
  return times;
};

const listOf = (set: IntervalSet): Interval[] =>
  Array.from({ length: set.length }, (_, index) => set.at(index));

describe('working time', () => {
  it('is the union of all rows, also where the clock is turned', () => {
    const garages = fc.tuple(
      fc.constantFrom(...STARTS),
      fc.constantFrom(...ZONES),
      fc.array(rows, { maxLength: 40 }),
      fc.integer({ min: 0, max: 3 * DAY }),
    );

    fc.assert(
      fc.property(garages, ([first, zone, some, cut]) => {
        const all = some.map((row) => hoursOf(first, row));
        const days = new WallClock(zone).days({ start: first, end: first + DAYS * DAY });
        const bounds = { start: first + cut, end: first + DAYS * DAY - cut };
        expect(listOf(timesOf(all, days, bounds))).to.deep.equal(listOf(unionOfAll(all, days, bounds)));
      }),
      { numRuns: 150 },
    );
  });

  it('joins many rows of one day that are valid for a part of it', () => {
    const first = Date.parse('2026-05-04');
    const days = new WallClock('Europe/Amsterdam').dates('2026-05-04', '2026-05-04');
    const at = (seconds: number) => databaseTime(new Date(first + seconds * 1000));
    const all = Array.from({ length: 5_000 }, (_, index) => ({
      weekday: 1,
      start_time: '08:00',
      end_time: '17:00',
      valid_from: at(8 * 3600 + 2 * (index % 2_500)),
      valid_until: at(8 * 3600 + 2 * (index % 2_500) + 1),
    }));

    const times = timesOf(all, days, { start: first, end: first + DAY });

    expect(times).to.have.length(2_500);
    expect(listOf(times).every(({ start, end }) => end - start === 1_000)).to.equal(true);
  });

  it('reads instants of the database, with and without a fraction', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
        (date) => {
          expect(milliseconds(databaseTime(date))).to.equal(date.getTime());
        },
      ),
    );
    expect(milliseconds('2026-05-04 08:30:00')).to.equal(Date.parse('2026-05-04T08:30:00Z'));
  });
});
