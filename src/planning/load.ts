// How busy the garage is on each day: the hours that its employees have, are booked for, and have worked.

import { inPortions } from '../model/lists/portion.ts';
import type { Garage } from '../model/statements/garage.ts';
import { Pieces } from '../model/statements/piece.ts';
import { TimeEntry } from '../resources/time-entry.ts';
import { HOUR_MS } from '../trade/time/duration.ts';
import { clip, type Interval } from '../trade/time/interval.ts';
import { type Day, MINUTES_A_DAY } from '../trade/time/wall-clock.ts';
import { between, Calendar } from '../trade/time/working-time.ts';
import { readContracts } from './employees.ts';
import { freeEmployees } from './free-time.ts';
import { readTaken } from './occupied.ts';
import { boundsOf, readAbsences, readClock } from './timetable.ts';

const DECIMALS = 10_000;
/** Intervals that are worked out in one piece. */
const PIECE = 1_000;

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
  const days = (await readClock(garage)).dates(from, to);
  const bounds = days.map(boundsOfDay);
  const within = { start: bounds.at(0)?.start ?? 0, end: bounds.at(-1)?.end ?? 0 };
  const [capacity, planned, worked] = [new Sums(bounds), new Sums(bounds), new Sums(bounds)];
  const contracts = await readContracts(garage, within);
  const taken = [await readAbsences(garage, within)];
  const asked = { within, calendar: new Calendar(days), taken };
  const pieces = new Pieces(PIECE);
  for await (const { time } of freeEmployees(garage, contracts, asked))
    for (const interval of time) {
      capacity.add(interval);
      const pause = pieces.add();
      if (pause) await pause;
    }
  for await (const rows of readTaken(garage, within))
    for (const { employee_id, starts_at, ends_at } of rows)
      if (employee_id !== null) planned.add(clip(between(starts_at, ends_at), within));
  for await (const rows of readWorked(garage, within))
    for (const { started_at, ended_at } of rows) worked.add(clip(between(started_at, ended_at), within));
  const hours = [capacity, planned, worked].map((sums) => sums.hours());
  return days.map(({ date }, index) => {
    const [capacity_hours = 0, planned_hours = 0, worked_hours = 0] = hours.map(
      (ofDays) => ofDays[index] ?? 0,
    );
    return { date, capacity_hours, planned_hours, worked_hours };
  });
}

const boundsOfDay = ({ at }: Day): Interval => ({ start: at(0, 'start'), end: at(MINUTES_A_DAY, 'start') });

/** The time that employees have worked. An entry that runs has no hours yet. */
const readWorked = (garage: Garage, within: Interval) =>
  inPortions<{ started_at: string; ended_at: string }>(
    garage,
    {
      name: 'worked times',
      resource: TimeEntry.resource,
      columns: ['started_at', 'ended_at'],
      by: 'ended_at',
      where: (query, mark) =>
        query.where('t.started_at', '<', mark('end')).where('t.ended_at', '>', mark('start')),
    },
    boundsOf(within),
  );

/** Sums of time for each of the days, which follow each other. */
class Sums {
  private readonly days: readonly Interval[];
  /** The time of intervals that fill a part of the day. */
  private readonly parts: number[];
  /** How many more intervals fill the day than the day before. */
  private readonly more: number[];

  constructor(days: readonly Interval[]) {
    this.days = days;
    this.parts = days.map(() => 0);
    this.more = days.map(() => 0);
  }

  /** Adds an interval within the days. */
  add(time: Interval): void {
    if (time.start >= time.end) return;
    const [first, last] = [this.dayOf(time.start), this.dayOf(time.end - 1)];
    for (const index of new Set([first, last])) {
      const { start, end } = clip(time, this.days[index] as Interval);
      this.parts[index] = (this.parts[index] ?? 0) + end - start;
    }
    if (last - first < 2) return;
    this.more[first + 1] = (this.more[first + 1] ?? 0) + 1;
    this.more[last] = (this.more[last] ?? 0) - 1;
  }

  /** The hours of each day, in their order. */
  hours(): number[] {
    let filled = 0;
    return this.days.map(({ start, end }, index) => {
      filled += this.more[index] ?? 0;
      const time = (this.parts[index] ?? 0) + filled * (end - start);
      return Math.round((time / HOUR_MS) * DECIMALS) / DECIMALS;
    });
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
