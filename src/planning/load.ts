// How busy the garage is on each day: the hours that its employees have, are booked for, and have worked.
import { setImmediate } from 'node:timers/promises';
import { selection } from '../model/find.ts';
import type { Session } from '../model/session.ts';
import { TimeEntry } from '../resources/time-entry.ts';
import { clip, type Interval } from '../trade/interval.ts';
import { databaseNow, databaseTime } from '../trade/timestamp.ts';
import { type Day, MINUTES_A_DAY } from '../trade/wall-clock.ts';
import { between } from '../trade/working-time.ts';
import { readEmployees } from './employees.ts';
import { readTaken } from './occupied.ts';
import { readClock, Timetable } from './timetable.ts';

const HOUR = 3_600_000;
const DECIMALS = 10_000;

export interface DayLoad {
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
export async function readLoad(session: Session, owner: number, { from, to }: Days): Promise<DayLoad[]> {
  const clock = await readClock(session, owner);
  const days = clock.dates(from, to);
  const bounds = days.map(boundsOf);
  const whole = { start: bounds.at(0)?.start ?? 0, end: bounds.at(-1)?.end ?? 0 };
  const [capacity, planned, worked] = [new Sums(bounds), new Sums(bounds), new Sums(bounds)];
  const timetable = await Timetable.read(session, owner, whole);
  for (const employee of await readEmployees(session, owner)) {
    for (const time of timetable.ofEmployee(employee)) capacity.add(time);
    // A year of many employees takes long, and other requests wait.
    await setImmediate();
  }
  for (const { employee_id, time } of await readTaken(session, owner, whole))
    if (employee_id !== null) planned.add(clip(time, whole));
  for (const time of await readWorked(session, owner, whole)) worked.add(clip(time, whole));
  return days.map(({ date }, index) => ({
    date,
    capacity_hours: capacity.hours(index),
    planned_hours: planned.hours(index),
    worked_hours: worked.hours(index),
  }));
}

const boundsOf = ({ at }: Day): Interval => ({ start: at(0, 'start'), end: at(MINUTES_A_DAY, 'start') });

/** The times of entries that have a part of the days. A running entry counts until now, as if it were stopped. */
async function readWorked(session: Session, owner: number, { start, end }: Interval): Promise<Interval[]> {
  const now = databaseNow();
  const rows = await TimeEntry.of(session, owner, 't')
    .select(...selection(TimeEntry.resource, ['started_at', 'ended_at']))
    .where('t.started_at', '<', databaseTime(new Date(end)))
    .where((late) => late.whereNull('t.ended_at').orWhere('t.ended_at', '>', databaseTime(new Date(start))));
  return rows.map(({ started_at, ended_at }) => between(started_at, ended_at ?? now));
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
