// The working time of an employee, or the opening time of a workplace: rows of weekly hours on the garage's clock. Any
// number of rows is counted in memory that hangs on the number of days.
import { clip, type Interval, unionOf } from './interval.ts';
import { formatTimestamp } from './timestamp.ts';
import { type Day, MINUTES_A_DAY, minutesOf } from './wall-clock.ts';

/** A row of weekly hours, in the form of the database. `valid_until` is not part of the validity. */
export type WeeklyHours = {
  readonly weekday: number;
  readonly start_time: string;
  readonly end_time: string;
  readonly valid_from: string | null;
  readonly valid_until: string | null;
};

/** An instant of the database in milliseconds since 1970. */
export const milliseconds = (instant: string): number => Date.parse(formatTimestamp(instant));

/** An interval between two instants of the database; null is open. */
export const between = (start: string | null, end: string | null): Interval => ({
  start: start === null ? Number.NEGATIVE_INFINITY : milliseconds(start),
  end: end === null ? Number.POSITIVE_INFINITY : milliseconds(end),
});

/** A day, from its first instant to that of the next day. */
type CalendarDay = Day &
  Interval & { /** Its index among the days of its weekday. */ readonly index: number };

/** Days that follow each other. All whose working time is worked out share them. */
export class Calendar {
  readonly days: readonly CalendarDay[];
  private readonly weekdays = new Map<number, CalendarDay[]>();

  constructor(days: readonly Day[]) {
    this.days = days.map((day) => {
      const same = this.weekdays.get(day.weekday) ?? [];
      this.weekdays.set(day.weekday, same);
      const bounds = { start: day.at(0, 'start'), end: day.at(MINUTES_A_DAY, 'end') };
      const made = { ...day, ...bounds, index: same.length };
      same.push(made);
      return made;
    });
  }

  /** The days of a weekday, in their order. */
  daysOf(weekday: number): readonly CalendarDay[] {
    return this.weekdays.get(weekday) ?? [];
  }
}

/** From one minute of a day to another. */
type Stretch = readonly [from: number, until: number];

/** Intervals of one day that wait to be joined. */
const MOST_PARTS = 1_000;

/** What the rows say about a weekday. */
class WeekdayHours {
  /**
   * For each day on which something changes, by how much the number of rows that begin or end at each minute does.
   */
  readonly changes = new Map<number, Int32Array>();
  /** By the day: the times of rows that are valid for a part of the day. */
  private readonly parts = new Map<number, { times: Interval[]; most: number }>();

  /** Rows with this stretch begin to be valid on the day with this index (1), or end to be (-1). */
  change(index: number, [from, until]: Stretch, by: 1 | -1): void {
    const change = this.changes.get(index) ?? new Int32Array(MINUTES_A_DAY + 1);
    this.changes.set(index, change);
    change[from] = (change[from] ?? 0) + by;
    change[until] = (change[until] ?? 0) - by;
  }

  addPart(index: number, time: Interval): void {
    const part = this.parts.get(index) ?? { times: [], most: MOST_PARTS };
    this.parts.set(index, part);
    part.times.push(time);
    if (part.times.length < part.most) return;
    part.times = unionOf(part.times);
    part.most = Math.max(MOST_PARTS, 2 * part.times.length);
  }

  partsOf(index: number): readonly Interval[] {
    return this.parts.get(index)?.times ?? [];
  }
}

/** When the rows of one employee or one workplace say that it works. */
export class WorkingTime {
  private readonly calendar: Calendar;
  private readonly weekdays = new Map<number, WeekdayHours>();

  constructor(calendar: Calendar) {
    this.calendar = calendar;
  }

  add({ weekday, start_time, end_time, valid_from, valid_until }: WeeklyHours): void {
    const days = this.calendar.daysOf(weekday);
    const validity = between(valid_from, valid_until);
    const stretch: Stretch = [minutesOf(start_time), minutesOf(end_time)];
    const hours = this.weekdays.get(weekday) ?? new WeekdayHours();
    this.weekdays.set(weekday, hours);
    // The row is valid all day from the first of these days until before the second one.
    const first = countWhere(days, ({ start }) => start < validity.start);
    const last = countWhere(days, ({ end }) => end <= validity.end);
    if (first < last) {
      hours.change(first, stretch, 1);
      if (last < days.length) hours.change(last, stretch, -1);
    }
    for (const index of new Set([first - 1, last])) {
      const day = days[index];
      const time = day && clip(timeOf(day, stretch), validity);
      if (time && time.start < time.end) hours.addPart(index, time);
    }
  }

  /** The working time within the bounds: intervals in their order, and apart from each other. */
  *times(bounds: Interval): Generator<Interval> {
    let last: Interval | undefined;
    for (const time of this.timesByDay()) {
      if (last && time.start <= last.end) last = { start: last.start, end: Math.max(last.end, time.end) };
      else {
        yield* unlessEmpty(last && clip(last, bounds));
        last = time;
      }
    }
    yield* unlessEmpty(last && clip(last, bounds));
  }

  /** Sorted by their starts; those of one day may touch those of the next one. */
  private *timesByDay(): Generator<Interval> {
    const running = new Map<WeekdayHours, { readonly counts: Int32Array; stretches: readonly Stretch[] }>();
    for (const day of this.calendar.days) {
      const hours = this.weekdays.get(day.weekday);
      if (!hours) continue;
      const now = running.get(hours) ?? { counts: new Int32Array(MINUTES_A_DAY + 1), stretches: [] };
      running.set(hours, now);
      const change = hours.changes.get(day.index);
      if (change) {
        for (let minute = 0; minute < change.length; minute += 1)
          now.counts[minute] = (now.counts[minute] ?? 0) + (change[minute] ?? 0);
        now.stretches = stretchesOf(now.counts);
      }
      const { stretches } = now;
      const parts = hours.partsOf(day.index);
      const whole = stretches.map((stretch) => timeOf(day, stretch)).filter(({ start, end }) => start < end);
      if (parts.length > 0) yield* unionOf([...whole, ...parts]);
      else yield* whole;
    }
  }
}

/** The instants of a stretch of a day. It may be empty where the clock skips it. */
const timeOf = (day: Day, [from, until]: Stretch): Interval => ({
  start: day.at(from, 'start'),
  end: day.at(until, 'end'),
});

function* unlessEmpty(time: Interval | undefined): Generator<Interval> {
  if (time && time.start < time.end) yield time;
}

/** Joins what overlaps or touches. `counts`: by minute, how many more rows begin than end. */
function stretchesOf(counts: Int32Array): Stretch[] {
  const found: Stretch[] = [];
  let open = 0;
  let from = 0;
  for (let minute = 0; minute < counts.length; minute += 1) {
    const before = open;
    open += counts[minute] ?? 0;
    if (before === 0 && open > 0) from = minute;
    else if (before > 0 && open === 0) found.push([from, minute]);
  }
  return found;
}

/** How many of the first days are such; the days behind them are not. */
function countWhere(days: readonly CalendarDay[], isSuch: (day: CalendarDay) => boolean): number {
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isSuch(days[middle] as CalendarDay)) low = middle + 1;
    else high = middle;
  }
  return low;
}
