// Reads when employees and workplaces are there: the weekly hours, the absences, and the garage's clock.
import { DEFAULT_TIMEZONE } from '../invoicing/invoice/invoice.ts';
import type { Garage } from '../model/garage.ts';
import { prepared } from '../model/prepared.ts';
import type { RowIn } from '../model/record.ts';
import { Absence } from '../resources/absence.ts';
import type { EmployeeRow } from '../resources/employee.ts';
import { Owner } from '../resources/owner.ts';
import { WorkHour } from '../resources/work-hour.ts';
import { clip, type Interval, unionOf, without } from '../trade/interval.ts';
import { databaseTime } from '../trade/timestamp.ts';
import { type Day, WallClock } from '../trade/wall-clock.ts';
import { between, type WeeklyHours, workingTime } from '../trade/working-time.ts';
import { type BOOKED, type Booked, type Timed, timed } from './booked.ts';

type HoursRow = WeeklyHours & Booked;
type AbsenceRow = Booked & Pick<RowIn<typeof Absence>, 'starts_at' | 'ends_at'>;

const HOURS = [
  'employee_id',
  'workplace_id',
  'weekday',
  'start_time',
  'end_time',
  'valid_from',
  'valid_until',
] as const;

const clocks = new Map<string, WallClock>();

/** The clock on the wall of the owner's garage. */
export async function readClock(garage: Garage): Promise<WallClock> {
  const [row] = await prepared('timezone', (mark) => Owner.ofMarked(mark).select('timezone')).rows(
    garage,
    {},
  );
  const timezone = String(row?.timezone ?? DEFAULT_TIMEZONE);
  const clock = clocks.get(timezone) ?? new WallClock(timezone);
  clocks.set(timezone, clock);
  return clock;
}

/** All weekly hours of the owner. */
const readAllHours = (garage: Garage): Promise<HoursRow[]> =>
  prepared('all hours', (mark) => WorkHour.ofMarked(mark).select(...HOURS)).rows<HoursRow>(garage, {});

/** The weekly hours of an employee and a workplace. */
export const readHours = (garage: Garage, { employee_id, workplace_id }: Booked): Promise<HoursRow[]> =>
  prepared('hours', (mark) =>
    WorkHour.ofMarked(mark)
      .select(...HOURS)
      .where((whose) =>
        whose.where('employee_id', mark('employee_id')).orWhere('workplace_id', mark('workplace_id')),
      ),
  ).rows<HoursRow>(garage, { employee_id, workplace_id });

/** The absences that have a part of the interval. */
export async function readAbsences(garage: Garage, { start, end }: Interval): Promise<Timed[]> {
  const rows = await prepared('absences', (mark) =>
    Absence.ofMarked(mark)
      .select('employee_id', 'workplace_id', 'starts_at', 'ends_at')
      .where('starts_at', '<', mark('end'))
      .where('ends_at', '>', mark('start')),
  ).rows<AbsenceRow>(garage, {
    start: databaseTime(new Date(start)),
    end: databaseTime(new Date(end)),
  });
  return rows.map(timed);
}

/** When the employees and the workplaces of a garage are there, within an interval. */
export class Timetable {
  readonly days: readonly Day[];
  private readonly within: Interval;
  private readonly closed: readonly Interval[];
  private readonly hours: Record<(typeof BOOKED)[number], Map<number | null, HoursRow[]>>;
  private readonly absences: Record<(typeof BOOKED)[number], Map<number | null, Interval[]>>;

  constructor(within: Interval, clock: WallClock, hours: readonly HoursRow[], absences: readonly Timed[]) {
    this.within = within;
    this.days = clock.days(within);
    this.closed = timesOf(absences.filter(isOfGarage));
    this.hours = {
      employee_id: grouped(hours, ({ employee_id }) => employee_id),
      workplace_id: grouped(hours, ({ workplace_id }) => workplace_id),
    };
    this.absences = {
      employee_id: timesBy('employee_id', absences),
      workplace_id: timesBy('workplace_id', absences),
    };
  }

  static async read(garage: Garage, within: Interval): Promise<Timetable> {
    const clock = await readClock(garage);
    const hours = await readAllHours(garage);
    return new Timetable(within, clock, hours, await readAbsences(garage, within));
  }

  /** When an employee works; never without weekly hours. */
  ofEmployee({ id, start_date, end_date }: Pick<EmployeeRow, 'id' | 'start_date' | 'end_date'>) {
    const working = this.working('employee_id', id) ?? [];
    return this.less('employee_id', id, within(working, clip(between(start_date, end_date), this.within)));
  }

  /** When a workplace can be used; at any time without weekly hours. */
  ofWorkplace(id: number): Interval[] {
    const open = this.working('workplace_id', id);
    return this.less('workplace_id', id, open ? within(open, this.within) : [this.within]);
  }

  private working(field: (typeof BOOKED)[number], id: number): Interval[] | undefined {
    const rows = this.hours[field].get(id);
    return rows && workingTime(rows, this.days);
  }

  private less(field: (typeof BOOKED)[number], id: number, time: readonly Interval[]): Interval[] {
    return without(without(time, this.closed), this.absences[field].get(id) ?? []);
  }
}

const within = (set: readonly Interval[], bounds: Interval): Interval[] =>
  unionOf(set.map((one) => clip(one, bounds)));

/** The times of absences or appointments. */
const timesOf = (rows: readonly Timed[]): Interval[] => unionOf(rows.map(({ time }) => time));

/** The times of each employee or each workplace, by its ID. */
export function timesBy<Field extends (typeof BOOKED)[number]>(
  field: Field,
  rows: readonly Timed[],
): Map<number | null, Interval[]> {
  const groups = grouped(rows, (row) => row[field]);
  return new Map([...groups].map(([id, times]) => [id, timesOf(times)]));
}

function grouped<T, Key>(items: readonly T[], keyOf: (item: T) => Key): Map<Key, T[]> {
  const groups = new Map<Key, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

/** Whether the whole garage is closed. */
export const isOfGarage = ({ employee_id, workplace_id }: Booked): boolean =>
  employee_id === null && workplace_id === null;
