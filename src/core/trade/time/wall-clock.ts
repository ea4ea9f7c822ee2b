// The clock on the wall of a garage. A face is what the clock shows, as the milliseconds since 1970 that it would be in
// UTC. When the clock is turned, some faces never come, and others come twice.
import { DateTime, type Zone } from 'luxon';
import { DAY_MS, MINUTE_MS } from './duration.ts';
import type { Interval } from './interval.ts';
import { utcDay } from './timestamp.ts';

export const MINUTES_A_DAY = 1440;
/** No zone is further from UTC. */
const FURTHEST = 15 * 60 * MINUTE_MS;
/** 1970 began on a Thursday. */
const WEEKDAY_OF_FIRST_DAY = 3;

/** A time that comes twice is the first one as a start, and the second one as an end. */
export type Side = 'start' | 'end';

/** A day of the garage's calendar. */
export interface Day {
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** 1 is Monday. */
  readonly weekday: number;
  /** Whether the clock is turned on this day or close to it. Otherwise each minute of the day is a minute long. */
  readonly isTurned: boolean;
  /** The instant of a time of this day, in minutes; 1440 is 24:00. */
  readonly at: (minutes: number, side: Side) => number;
}

const CLOCK_TIME = /^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/;

/** Whether a text is a time of a day, `00:00` to `24:00`. */
export const isClockTime = (text: string): boolean => CLOCK_TIME.test(text);

/** The minutes of a time of a day, `HH:MM`. */
export function minutesOf(time: string): number {
  const digit = (at: number) => time.charCodeAt(at) - ZERO;
  return 600 * digit(0) + 60 * digit(1) + 10 * digit(3) + digit(4);
}
const ZERO = '0'.charCodeAt(0);

/** A year, and what lies around it. */
const DAYS_KEPT = 1_500;

export class WallClock {
  private readonly zone: Zone;
  /** By their numbers: the offsets of a day take longer than all the rest of it. */
  private readonly known = new Map<number, Day>();

  constructor(timezone: string) {
    this.zone = DateTime.fromMillis(0, { zone: timezone }).zone;
  }

  /** The days that have a part of the interval. */
  days({ start, end }: Interval): Day[] {
    const first = Math.floor(this.face(start) / DAY_MS);
    const last = Math.floor(this.face(end - 1) / DAY_MS);
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => this.day(first + index));
  }

  /** The days from one date to another one, both included. */
  dates(from: string, to: string): Day[] {
    const [first, last] = [from, to].map((date) => Date.parse(`${date}T00:00:00Z`) / DAY_MS) as [
      number,
      number,
    ];
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => this.day(first + index));
  }

  private day(number: number): Day {
    const known = this.known.get(number);
    if (known) return known;
    const day = this.makeDay(number);
    if (this.known.size >= DAYS_KEPT) this.known.clear();
    this.known.set(number, day);
    return day;
  }

  private makeDay(number: number): Day {
    const midnight = number * DAY_MS;
    const bounds = [midnight - FURTHEST, midnight + DAY_MS + FURTHEST] as const;
    const [before, after] = [this.offset(bounds[0]), this.offset(bounds[1])];
    // Found once for the day: the offset of an instant takes ten microseconds.
    const turned = before === after ? undefined : this.turn(...bounds);
    return {
      date: utcDay(new Date(midnight).toISOString()),
      isTurned: turned !== undefined,
      weekday: ((((number + WEEKDAY_OF_FIRST_DAY) % 7) + 7) % 7) + 1,
      at: (minutes, side) => {
        const face = midnight + minutes * MINUTE_MS;
        if (turned === undefined) return face - before;
        return instantOf({ early: face - before, late: face - after, turned }, side);
      },
    };
  }

  /** The instant at which the clock is turned: `early` is before this instant, and `late` is not. */
  private turn(early: number, late: number): number {
    const before = this.offset(early);
    let [low, high] = [early, late];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.offset(middle) === before) low = middle;
      else high = middle;
    }
    return high;
  }

  private face(instant: number): number {
    return instant + this.offset(instant);
  }

  /** By how many milliseconds the clock is ahead of UTC. */
  private offset(instant: number): number {
    return this.zone.offset(instant) * MINUTE_MS;
  }
}

/**
 * When the clock shows a time on a day on which it is turned. `early` and `late`: the instants of this time by the
 * offset before the turn, and by the offset after it. If the clock skips the time, the moment after the gap.
 */
function instantOf(
  { early, late, turned }: { early: number; late: number; turned: number },
  side: Side,
): number {
  const [isEarly, isLate] = [early < turned, late >= turned];
  if (isEarly && isLate) return side === 'start' ? early : late;
  if (isEarly) return early;
  return isLate ? late : turned;
}
