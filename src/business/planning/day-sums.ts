// Adds up time by the days of the garage's calendar.
import { countWhere } from '../../core/trade/grouped.ts';
import { HOUR_MS } from '../../core/trade/time/duration.ts';
import type { Interval, IntervalSet } from '../../core/trade/time/interval.ts';
import { type Day, MINUTES_A_DAY } from '../../core/trade/time/wall-clock.ts';

const DECIMALS = 10_000;

/** From the first instant of the first day to the end of the last one. */
export const boundsOfDays = (days: readonly Day[]): Interval => ({
  start: days.at(0)?.at(0, 'start') ?? 0,
  end: days.at(-1)?.at(MINUTES_A_DAY, 'start') ?? 0,
});

/** Sums for each of the days, which follow each other. */
export class DaySums {
  private readonly days: number;
  /** The first instants of the days, and the end of the last one. */
  private readonly bounds: readonly number[];
  /** The time of intervals that fill a part of the day. */
  private readonly parts: number[];
  /** How many more intervals fill the day than the day before. */
  private readonly more: number[];
  /** The day that was found last: the next interval often lies on the same one. */
  private found = 0;

  constructor(days: readonly Day[]) {
    this.days = days.length;
    this.bounds = [...days.map(({ at }) => at(0, 'start')), boundsOfDays(days).end];
    this.parts = days.map(() => 0);
    this.more = days.map(() => 0);
  }

  /** Adds time of one day, by its index. */
  addToDay(day: number, time: number): void {
    this.parts[day] = (this.parts[day] ?? 0) + time;
  }

  /** Adds the part of a set that lies within an interval. */
  addSet({ length, starts, ends }: IntervalSet, { start, end }: Interval): void {
    for (let index = 0; index < length; index += 1)
      this.add(Math.max(starts[index] as number, start), Math.min(ends[index] as number, end));
  }

  /** Adds the part of an interval that lies within the days. An interval that ends before its start is empty. */
  add(start: number, end: number): void {
    const from = Math.max(start, this.bounds[0] ?? 0);
    const until = Math.min(end, this.bounds[this.days] ?? 0);
    if (from >= until) return;
    const first = this.dayOf(from);
    const last = until <= this.endOf(first) ? first : this.dayOf(until - 1);
    if (first === last) {
      this.parts[first] = (this.parts[first] ?? 0) + until - from;
      return;
    }
    this.parts[first] = (this.parts[first] ?? 0) + this.endOf(first) - from;
    this.parts[last] = (this.parts[last] ?? 0) + until - (this.bounds[last] ?? 0);
    this.more[first + 1] = (this.more[first + 1] ?? 0) + 1;
    this.more[last] = (this.more[last] ?? 0) - 1;
  }

  /** The hours of each day, in their order. */
  hours(): number[] {
    let filled = 0;
    return this.parts.map((part, day) => {
      filled += this.more[day] ?? 0;
      const time = part + filled * (this.endOf(day) - (this.bounds[day] ?? 0));
      return Math.round((time / HOUR_MS) * DECIMALS) / DECIMALS;
    });
  }

  private endOf(day: number): number {
    return this.bounds[day + 1] ?? 0;
  }

  /** The day that contains an instant. */
  private dayOf(instant: number): number {
    const { bounds, found } = this;
    if ((bounds[found] ?? 0) <= instant && instant < this.endOf(found)) return found;
    this.found = Math.max(0, countWhere(bounds, (start) => start <= instant, this.days) - 1);
    return this.found;
  }
}
