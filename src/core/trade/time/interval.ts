// Sets of instants: intervals in milliseconds since 1970, sorted and apart from each other. The end is not part of an
// interval.
import { countWhere } from '../grouped.ts';

export interface Interval {
  readonly start: number;
  readonly end: number;
}

/** A set that is made in the order of its ends. Lists of numbers take a fifth of the memory of as many objects. */
export class IntervalSet {
  readonly starts: number[] = [];
  readonly ends: number[] = [];

  get length(): number {
    return this.starts.length;
  }

  /** Adds an interval that is not empty, and ends no earlier than those before. */
  add({ start, end }: Interval): void {
    this.append(start, end);
  }

  /** The same, without an object for each interval. */
  append(start: number, end: number): void {
    const { starts, ends } = this;
    let first = start;
    while (ends.length > 0 && (ends[ends.length - 1] as number) >= first) {
      first = Math.min(first, starts.pop() as number);
      ends.pop();
    }
    starts.push(first);
    ends.push(end);
  }

  at(index: number): Interval {
    return { start: this.starts[index] as number, end: this.ends[index] as number };
  }

  /** How many of the intervals end at the instant or before. */
  endedBy(instant: number): number {
    return countWhere(this.ends, (end) => end <= instant);
  }

  /** Whether the set has an instant of an interval. */
  meets({ start, end }: Interval): boolean {
    const index = this.endedBy(start);
    return index < this.length && (this.starts[index] as number) < end;
  }

  /** Whether the set has all instants of an interval that is not empty. */
  covers({ start, end }: Interval): boolean {
    const index = this.endedBy(start);
    return index < this.length && covers(this.at(index), { start, end });
  }
}

/** The instants of any intervals. Intervals that touch become one, and empty ones vanish. */
export function unionOf(intervals: readonly Interval[]): IntervalSet {
  const union = new IntervalSet();
  const sorted = intervals.filter(({ start, end }) => start < end).sort((a, b) => a.end - b.end);
  for (const interval of sorted) union.add(interval);
  return union;
}

/** The instants of a set that are not in the other set. */
export function without(set: IntervalSet, other: IntervalSet): IntervalSet {
  const left = new IntervalSet();
  visitWithout(set, other, (start, end) => left.append(start, end));
  return left;
}

/** The same, interval after interval in place of a set. */
export function visitWithout(
  set: IntervalSet,
  other: IntervalSet,
  visit: (start: number, end: number) => void,
): void {
  let hole = set.length > 0 ? other.endedBy(set.starts[0] as number) : 0;
  for (let index = 0; index < set.length; index += 1) {
    const end = set.ends[index] as number;
    let from = set.starts[index] as number;
    while (hole < other.length && (other.starts[hole] as number) < end) {
      if ((other.starts[hole] as number) > from) visit(from, other.starts[hole] as number);
      from = Math.max(from, other.ends[hole] as number);
      // A hole that reaches beyond this interval may reach into the next one.
      if (from > end) break;
      hole += 1;
    }
    if (from < end) visit(from, end);
  }
}

/** The instants that both sets have. `bounds`: intervals that lie wholly outside may be left out. */
export function common(set: IntervalSet, other: IntervalSet, bounds: Interval = ALWAYS): IntervalSet {
  const both = new IntervalSet();
  let [index, at] = [set.endedBy(bounds.start), other.endedBy(bounds.start)];
  while (index < set.length && at < other.length) {
    const [end, otherEnd] = [set.ends[index] as number, other.ends[at] as number];
    const start = Math.max(set.starts[index] as number, other.starts[at] as number);
    if (start >= bounds.end) break;
    if (start < Math.min(end, otherEnd)) both.append(start, Math.min(end, otherEnd));
    if (end <= otherEnd) index += 1;
    if (otherEnd <= end) at += 1;
  }
  return both;
}
const ALWAYS: Interval = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY };

/** The set of one interval; an empty one gives an empty set. */
export function setOf({ start, end }: Interval): IntervalSet {
  const set = new IntervalSet();
  if (start < end) set.append(start, end);
  return set;
}

/** The part of an interval that lies within another one. It is empty if its start is not before its end. */
export const clip = ({ start, end }: Interval, bounds: Interval): Interval => ({
  start: Math.max(start, bounds.start),
  end: Math.min(end, bounds.end),
});

/** Whether the interval contains the whole of another one. */
export const covers = (interval: Interval, { start, end }: Interval): boolean =>
  interval.start <= start && end <= interval.end;
