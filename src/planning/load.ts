// How busy the garage is on each day: the hours that its employees have, are booked for, and have worked.
import { setImmediate } from 'node:timers/promises';
import { selection } from '../model/find.ts';
import type { Garage } from '../model/garage.ts';
import { prepared } from '../model/prepared.ts';
import { TimeEntry } from '../resources/time-entry.ts';
import { clip, type Interval } from '../trade/interval.ts';
import { databaseTime, formatTimestamp } from '../trade/timestamp.ts';
import { type Day, MINUTES_A_DAY } from '../trade/wall-clock.ts';
import { readEmployees } from './employees.ts';
import { readTaken } from './occupied.ts';
import { readClock, Timetable } from './timetable.ts';

const HOUR = 3_600_000;
const DECIMALS = 10_000;

interface DayLoad {
  readonly date: string;
  readonly capacity_hours: number;
  readonly planned_hours: number;
  readonly worked_hours: number;
}

/** Days as `YYYY-MM-DD` on the garage's calendar, both included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** The load of each day. `session` should read from one snapshot. */
export async function readLoad(garage: Garage, { from, to }: Days): Promise<DayLoad[]> {
  const clock = await readClock(garage);
  const days = clock.dates(from, to);
  const bounds = days.map(boundsOf);
  const whole = { start: bounds.at(0)?.start ?? 0, end: bounds.at(-1)?.end ?? 0 };
  const [capacity, planned, worked] = [new Sums(bounds), new Sums(bounds), new Sums(bounds)];
  const timetable = await Timetable.read(garage, whole);
  for (const employee of await readEmployees(garage)) {
    for (const time of timetable.ofEmployee(employee)) capacity.add(time);
    // A year of many employees takes long, and other requests wait.
    await setImmediate();
  }
  for (const { employee_id, time } of await readTaken(garage, whole))
    if (employee_id !== null) planned.add(clip(time, whole));
  for (const time of await readWorked(garage, whole)) worked.add(clip(time, whole));
  return days.map(({ date }, index) => ({
    date,
    capacity_hours: capacity.hours(index),
    planned_hours: planned.hours(index),
    worked_hours: worked.hours(index),
  }));
}

const boundsOf = ({ at }: Day): Interval => ({ start: at(0, 'start'), end: at(MINUTES_A_DAY, 'start') });

/** The time that employees have worked. An entry that runs has no hours yet. */
async function readWorked(garage: Garage, { start, end }: Interval): Promise<Interval[]> {
  const { resource } = TimeEntry;
  const rows = await prepared('worked times', (mark) =>
    TimeEntry.ofMarked(mark, 't')
      .select(...selection(resource, ['started_at', 'ended_at']))
      .where('t.started_at', '<', mark('end'))
      .where('t.ended_at', '>', mark('start')),
  ).rows<{ started_at: string; ended_at: string }>(garage, {
    start: databaseTime(new Date(start)),
    end: databaseTime(new Date(end)),
  });
  return rows.map(({ started_at, ended_at }) => ({
    start: Date.parse(formatTimestamp(started_at)),
    end: Date.parse(formatTimestamp(ended_at)),
  }));
}

/** Sums of time for each of the days, which follow each other. */
class Sums {
  private readonly days: readonly Interval[];
  private readonly sums: number[];

  constructor(days: readonly Interval[]) {
    this.days = days;
    this.sums = days.map(() => 0);
  }

  add(time: Interval): void {
    for (let index = this.dayOf(time.start); index < this.days.length; index += 1) {
      const { start, end } = clip(time, this.days[index] as Interval);
      if (start >= end) return;
      this.sums[index] = (this.sums[index] ?? 0) + end - start;
    }
  }

  hours(index: number): number {
    return Math.round(((this.sums[index] ?? 0) / HOUR) * DECIMALS) / DECIMALS;
  }

  /** The day that contains an instant. */
  private dayOf(instant: number): number {
    let [low, high] = [0, this.days.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.days[middle] as Interval).start <= instant) low = middle;
      else high = middle;
    }
    return low;
  }
}
