// How busy the garage is on each day: the hours that its employees have, are booked for, and have worked.

import { inPortions } from '../../core/model/lists/portion.ts';
import type { Garage } from '../../core/model/statements/garage.ts';
import { Pieces } from '../../core/model/statements/piece.ts';
import { TimeEntry } from '../../core/resources/time-entry.ts';
import { common, covers, type Interval, IntervalSet } from '../../core/trade/time/interval.ts';
import {
  addDayHours,
  Calendar,
  milliseconds,
  plainLength,
  type WorkingTime,
} from '../../core/trade/time/working-time.ts';
import { type Asked, present, withHours, withoutHours } from './at-work.ts';
import { BookedTimes } from './booked.ts';
import { boundsOfDays, DaySums } from './day-sums.ts';
import { readContracts } from './employees.ts';
import { readTaken } from './occupied.ts';
import { boundsOf, readAbsences, readClock } from './timetable.ts';

/** Days and intervals that are worked out in one piece. */
const PIECE = 10_000;

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

const NO_TIME = new IntervalSet();

/** The load of each day. `garage` should read from one snapshot. */
export async function readLoad(garage: Garage, { from, to }: Days): Promise<DayLoad[]> {
  const days = (await readClock(garage)).dates(from, to);
  const within = boundsOfDays(days);
  const absences = await readAbsences(garage, within);
  const asked = { within, calendar: new Calendar(days), absences, pieces: new Pieces(PIECE) };
  const [capacity, planned, worked] = [new DaySums(days), new DaySums(days), new DaySums(days)];

  const overBreaks = await addUnbroken(garage, within, planned);
  const contracts = await readContracts(garage, within);
  for await (const employee of withHours(garage, 'employee_id', asked, {})) {
    const known = { contract: contracts.get(employee.id), booked: overBreaks.of('employee_id', employee.id) };
    await addEmployee({ ...employee, ...known }, asked, { capacity, planned });
  }
  for await (const { id, times } of withoutHours(
    garage,
    'employee_id',
    overBreaks.whose('employee_id'),
    asked,
  ))
    planned.addSet(common(times, overBreaks.of('employee_id', id) ?? NO_TIME), within);

  for await (const rows of readWorked(garage, within))
    for (const { started_at, ended_at } of rows) worked.add(milliseconds(started_at), milliseconds(ended_at));
  const hours = [capacity.hours(), planned.hours(), worked.hours()];
  return days.map(({ date }, day) => {
    const [capacity_hours = 0, planned_hours = 0, worked_hours = 0] = hours.map((of) => of[day] ?? 0);
    return { date, capacity_hours, planned_hours, worked_hours };
  });
}

interface Employee {
  readonly id: number;
  readonly working: WorkingTime;
  /** Undefined: nobody plans with the employee. */
  readonly contract: Interval | undefined;
  /** The times of appointments over breaks. */
  readonly booked: IntervalSet | undefined;
}

/** Adds the hours of an employee to the capacity, and those of appointments over breaks to the plan. */
async function addEmployee(
  { id, working, contract, booked }: Employee,
  asked: Asked,
  { capacity, planned }: { capacity: DaySums; planned: DaySums },
): Promise<void> {
  if (!contract && !booked) return;
  const special = [...asked.absences.all('employee_id', id), ...(booked ? [booked] : [])];
  const hoursOn = working.byDay();
  const times = new IntervalSet();
  for (const [index, day] of asked.calendar.days.entries()) {
    const hours = hoursOn(day);
    const isSpecial = special.some((set) => set.meets(day));
    // Most days need no instants.
    const length = !isSpecial && contract && covers(contract, day) ? plainLength(day, hours) : undefined;
    if (length !== undefined) capacity.addToDay(index, length);
    else addDayHours(times, asked.within, day, hours);
    const pause = asked.pieces.add(1 + hours.minutes.length + hours.parts.length);
    if (pause) await pause;
  }
  const left = await present('employee_id', id, times, asked);
  if (contract) capacity.addSet(left, contract);
  if (booked) planned.addSet(common(left, booked), asked.within);
}

/**
 * Adds the appointments of employees that count from start to end. Answers the others: they count where their employee
 * works, as capacity does, so capacity less plan is what is left of a day. Their workplace may have other breaks, and
 * is taken all the same.
 */
async function addUnbroken(garage: Garage, within: Interval, planned: DaySums): Promise<BookedTimes> {
  const overBreaks = new BookedTimes();
  for await (const rows of readTaken(garage, within))
    for (const row of rows)
      if (row.employee_id === null) continue;
      else if (row.is_over_breaks === 1 && row.is_overtime === 0) overBreaks.add(row);
      else planned.add(milliseconds(row.starts_at), milliseconds(row.ends_at));
  return overBreaks;
}

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
