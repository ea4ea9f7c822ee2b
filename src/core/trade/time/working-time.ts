// The working time of an employee, or the opening time of a workplace: rows of weekly hours on the garage's clock. Any
// number of rows is counted in memory that depends on the number of days.

import { countWhere } from '../grouped.ts';
import { MINUTE_MS } from './duration.ts';
import { clip, type Interval, type IntervalSet, unionOf } from './interval.ts';
import { type Day, MINUTES_A_DAY, minutesOf } from './wall-clock.ts';

/** A row of weekly hours, in the form of the database. `valid_until` is not part of the validity. */
export type WeeklyHours = {
  readonly weekday: number;
  readonly start_time: string;
  readonly end_time: string;
  readonly valid_from: string | null;
  readonly valid_until: string | null;
};

/** An instant of the database in milliseconds since 1970. A plan has thousands, and Date.parse is slower. */
export function milliseconds(instant: string): number {
  const two = (at: number) => 10 * instant.charCodeAt(at) + instant.charCodeAt(at + 1) - 11 * ZERO;
  const fraction = instant.length < 23 ? instant.slice(20).padEnd(3, '0') : undefined;
  return Date.UTC(
    100 * two(0) + two(2),
    two(5) - 1,
    two(8),
    two(11),
    two(14),
    two(17),
    fraction === undefined ? 10 * two(20) + instant.charCodeAt(22) - ZERO : Number(fraction),
  );
}
const ZERO = '0'.charCodeAt(0);

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

/** Intervals or stretches of one day that wait to be joined. */
const MOST_PARTS = 1_000;

/** A stretch of a day as one number that sorts by its start. */
const stretchOf = (from: number, until: number): number => from * BEYOND_A_DAY + until;
const BEYOND_A_DAY = 2_048;

/** The minutes from and until which any of the stretches lasts: `[480, 720, 780, 1020]`. */
function boundsOf(stretches: readonly number[]): number[] {
  const bounds: number[] = [];
  let last = -1;
  for (const stretch of Int32Array.from(stretches).sort()) {
    const until = stretch % BEYOND_A_DAY;
    const from = (stretch - until) / BEYOND_A_DAY;
    if (from <= last) bounds[bounds.length - 1] = last = Math.max(last, until);
    else {
      bounds.push(from, until);
      last = until;
    }
  }
  return bounds;
}

/** What the rows say about a weekday. */
class WeekdayHours {
  /** Of rows that are always valid. */
  private always: number[] = [];
  /** For each day on which something changes: at which minute more rows begin than end, and how many more. */
  private readonly changes = new Map<number, Map<number, number>>();
  /** By the day: the times of rows that are valid for a part of the day. */
  private readonly parts = new Map<number, { times: Interval[]; most: number }>();

  addAlways(from: number, until: number): void {
    this.always.push(stretchOf(from, until));
    // A day has fewer minutes, so this halves them.
    if (this.always.length < 2 * MINUTES_A_DAY) return;
    const bounds = boundsOf(this.always);
    this.always = bounds.flatMap((from, at) => (at % 2 === 0 ? stretchOf(from, bounds[at + 1] ?? from) : []));
  }

  /** Rows from one minute to another begin to be valid on the day with this index (1), or end to be (-1). */
  change(index: number, from: number, until: number, by: 1 | -1): void {
    const change = this.changes.get(index) ?? new Map<number, number>();
    this.changes.set(index, change);
    change.set(from, (change.get(from) ?? 0) + by);
    change.set(until, (change.get(until) ?? 0) - by);
  }

  addPart(index: number, time: Interval): void {
    const part = this.parts.get(index) ?? { times: [], most: MOST_PARTS };
    this.parts.set(index, part);
    part.times.push(time);
    if (part.times.length < part.most) return;
    const union = unionOf(part.times);
    part.times = Array.from({ length: union.length }, (_, at) => union.at(at));
    part.most = Math.max(MOST_PARTS, 2 * part.times.length);
  }

  partsOf(index: number): readonly Interval[] {
    return this.parts.get(index)?.times ?? [];
  }

  /** Answers, for day after day, the minutes from and until which rows are valid all day. */
  dayByDay(): (index: number) => readonly number[] {
    let bounds = boundsOf(this.always);
    if (this.changes.size === 0) return () => bounds;
    const minutes = new Set(bounds);
    for (const change of this.changes.values()) for (const minute of change.keys()) minutes.add(minute);
    // In their order, so that one look over the counts finds the bounds.
    const counts = new Map([...minutes].sort((a, b) => a - b).map((minute) => [minute, 0]));
    for (const [at, minute] of bounds.entries()) counts.set(minute, at % 2 === 0 ? 1 : -1);
    return (index) => {
      const change = this.changes.get(index);
      if (!change) return bounds;
      for (const [minute, by] of change) counts.set(minute, (counts.get(minute) ?? 0) + by);
      bounds = openMinutes(counts);
      return bounds;
    };
  }
}

/** The minutes from and until which rows last. `counts`: by minute, how many more rows begin than end. */
function openMinutes(counts: ReadonlyMap<number, number>): number[] {
  const bounds: number[] = [];
  let open = 0;
  for (const [minute, more] of counts) {
    if (more !== 0 && (open === 0 || open + more === 0)) bounds.push(minute);
    open += more;
  }
  return bounds;
}

/** When the rows of one employee or one workplace say that it works. */
export class WorkingTime {
  private readonly calendar: Calendar;
  /** By the weekday. */
  private readonly hours: (WeekdayHours | undefined)[] = [];

  constructor(calendar: Calendar) {
    this.calendar = calendar;
  }

  add({ weekday, start_time, end_time, valid_from, valid_until }: WeeklyHours): void {
    const [from, until] = [minutesOf(start_time), minutesOf(end_time)];
    const hours = this.hours[weekday] ?? new WeekdayHours();
    this.hours[weekday] = hours;
    if (valid_from === null && valid_until === null) hours.addAlways(from, until);
    else this.addValid(hours, { weekday, from, until, validity: between(valid_from, valid_until) });
  }

  private addValid(
    hours: WeekdayHours,
    row: { weekday: number; from: number; until: number; validity: Interval },
  ): void {
    const { from, until, validity } = row;
    const days = this.calendar.daysOf(row.weekday);
    // The row is valid all day from the first of these days until before the second one.
    const first = countWhere(days, ({ start }) => start < validity.start);
    const last = countWhere(days, ({ end }) => end <= validity.end);
    if (first < last) {
      hours.change(first, from, until, 1);
      if (last < days.length) hours.change(last, from, until, -1);
    }
    for (const index of new Set([first - 1, last])) {
      const day = days[index];
      const time = day && clip({ start: day.at(from, 'start'), end: day.at(until, 'end') }, validity);
      if (time && time.start < time.end) hours.addPart(index, time);
    }
  }

  /** Answers the hours of day after day of the calendar. */
  byDay(): (day: CalendarDay) => DayHours {
    const minutesOn = this.hours.map((hours) => hours?.dayByDay());
    return (day) => ({
      minutes: minutesOn[day.weekday]?.(day.index) ?? NONE,
      parts: this.hours[day.weekday]?.partsOf(day.index) ?? NONE,
    });
  }
}

/** The hours of one day. */
interface DayHours {
  /** From and until which minutes rows are valid that count all day, one stretch behind the other. */
  readonly minutes: readonly number[];
  /** The times of rows that are valid for a part of the day. */
  readonly parts: readonly Interval[];
}
const NONE: readonly never[] = [];

/** How much time it is, in milliseconds; undefined: the clock is turned, or rows are valid for a part of the day. */
export function plainLength({ isTurned }: Day, { minutes, parts }: DayHours): number | undefined {
  if (isTurned || parts.length > 0) return undefined;
  let length = 0;
  for (let index = 0; index < minutes.length; index += 2)
    length += (minutes[index + 1] as number) - (minutes[index] as number);
  return length * MINUTE_MS;
}

/**
 * Adds the hours of a day within the bounds to a set that has those of the days before. Times that are shorter than
 * `shortest` may be left out. Answers how much work that was.
 */
export function addDayHours(
  set: IntervalSet,
  bounds: Interval,
  day: CalendarDay,
  hours: DayHours,
  shortest = 0,
): number {
  const { minutes, parts } = hours;
  if (parts.length > 0) addAll(set, bounds, unionOf([...timesOf(day, minutes), ...parts]));
  else if (day.isTurned) addAll(set, bounds, unionOf(timesOf(day, minutes)));
  else
    for (let index = 0; index < minutes.length; index += 2) {
      const from = minutes[index] as number;
      const until = minutes[index + 1] as number;
      // Nothing touches it but at midnight.
      const isAlone = from > 0 && until < MINUTES_A_DAY;
      if (isAlone && (until - from) * MINUTE_MS < shortest) continue;
      const start = Math.max(bounds.start, day.start + from * MINUTE_MS);
      const end = Math.min(bounds.end, day.start + until * MINUTE_MS);
      if (start < end) set.append(start, end);
    }
  return 1 + minutes.length + parts.length;
}

function addAll(set: IntervalSet, bounds: Interval, union: IntervalSet): void {
  for (let index = 0; index < union.length; index += 1) {
    const { start, end } = clip(union.at(index), bounds);
    if (start < end) set.append(start, end);
  }
}

/** They may be empty where the clock skips all of them. */
const timesOf = (day: Day, minutes: readonly number[]): Interval[] =>
  minutes.flatMap((from, index) =>
    index % 2 === 0 ? { start: day.at(from, 'start'), end: day.at(minutes[index + 1] ?? from, 'end') } : [],
  );
