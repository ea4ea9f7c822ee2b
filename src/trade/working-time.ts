// The working time of an employee, or the opening time of a workplace: rows of weekly hours on the garage's clock.
import { clip, type Interval, unionOf } from './interval.ts';
import { formatTimestamp } from './timestamp.ts';
import { type Day, minutesOf } from './wall-clock.ts';

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

/** When the rows say that somebody works, on these days. */
export function workingTime(rows: readonly WeeklyHours[], days: readonly Day[]): Interval[] {
  const read = rows.map(({ weekday, start_time, end_time, valid_from, valid_until }) => ({
    weekday,
    from: minutesOf(start_time),
    until: minutesOf(end_time),
    validity: between(valid_from, valid_until),
  }));
  return unionOf(
    days.flatMap((day) =>
      read
        .filter(({ weekday }) => weekday === day.weekday)
        .map(({ from, until, validity }) =>
          clip({ start: day.at(from, 'start'), end: day.at(until, 'end') }, validity),
        ),
    ),
  );
}
