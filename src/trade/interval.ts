// Sets of instants: intervals in milliseconds since 1970, sorted and apart from each other. The end is not part of an
// interval.

export interface Interval {
  readonly start: number;
  readonly end: number;
}

/** The instants of any intervals. Intervals that touch become one, and empty ones vanish. */
export function unionOf(intervals: readonly Interval[]): Interval[] {
  const sorted = intervals.filter(({ start, end }) => start < end).sort((a, b) => a.start - b.start);
  const union: Interval[] = [];
  for (const { start, end } of sorted) {
    const last = union.at(-1);
    if (last && start <= last.end)
      union[union.length - 1] = { start: last.start, end: Math.max(last.end, end) };
    else union.push({ start, end });
  }
  return union;
}

/** The instants of a set that are not in the other set. */
export function without(set: readonly Interval[], other: readonly Interval[]): Interval[] {
  const left: Interval[] = [];
  let next = 0;
  for (const { start, end } of set) {
    let from = start;
    while (next < other.length && (other[next] as Interval).end <= start) next += 1;
    // The last one that begins before `end` may reach into the next interval, so it stays the next one.
    for (let index = next; index < other.length; index += 1) {
      const hole = other[index] as Interval;
      if (hole.start >= end) break;
      if (hole.start > from) left.push({ start: from, end: hole.start });
      from = Math.max(from, hole.end);
    }
    if (from < end) left.push({ start: from, end });
  }
  return left;
}

/** The part of an interval that lies within another one. It is empty if its start is not before its end. */
export const clip = ({ start, end }: Interval, bounds: Interval): Interval => ({
  start: Math.max(start, bounds.start),
  end: Math.min(end, bounds.end),
});

/** Whether an interval of the set contains the whole interval. */
export const covers = (set: readonly Interval[], { start, end }: Interval): boolean =>
  set.some((one) => one.start <= start && end <= one.end);
