// Whether an appointment lies within the hours of its employee and its workplace, and within no absence.

import type { Garage } from '../model/garage.ts';
import { Pieces } from '../model/piece.ts';
import { prepared } from '../model/prepared.ts';
import type { RowIn } from '../model/record.ts';
import { Absence } from '../resources/absence.ts';
import type { Appointment } from '../resources/appointment.ts';
import { WorkHour } from '../resources/work-hour.ts';
import { covers } from '../trade/interval.ts';
import { DAY } from '../trade/wall-clock.ts';
import { between, Calendar, WorkingTime } from '../trade/working-time.ts';
import { BOOKED, type BookedField } from './booked.ts';
import { readClock, readHours } from './timetable.ts';

/**
 * An older release took longer appointments than now. Nobody works for so long without a break, and the days of a
 * longer one would take long to count.
 */
const MOST_DAYS = 366;
const PIECE = 1_000;

type Times = Pick<RowIn<typeof Appointment>, BookedField | 'starts_at' | 'ends_at'>;

export async function isWithinHours(garage: Garage, appointment: Times): Promise<boolean> {
  if (await isAbsent(garage, appointment)) return false;
  for (const field of BOOKED) {
    const id = appointment[field];
    if (id !== null && !(await isAtWork(garage, field, id, appointment))) return false;
  }
  return true;
}

/** Whether the employee, the workplace or the whole garage is away for a part of the time. */
async function isAbsent(garage: Garage, appointment: Times): Promise<boolean> {
  const found = await prepared('absence at a time', (mark) =>
    Absence.ofMarked(mark)
      .select('id')
      .where('starts_at', '<', mark('ends_at'))
      .where('ends_at', '>', mark('starts_at'))
      .where((whose) => {
        whose.where((garage) => garage.whereNull('employee_id').whereNull('workplace_id'));
        for (const field of BOOKED) whose.orWhere(field, mark(field));
      })
      .limit(1),
  ).rows(garage, appointment);
  return found.length > 0;
}

/** Whether an employee or a workplace works all the time; always without weekly hours. */
async function isAtWork(
  garage: Garage,
  field: BookedField,
  id: number,
  { starts_at, ends_at }: Times,
): Promise<boolean> {
  if (!(await hasHours(garage, field, id))) return true;
  const time = between(starts_at, ends_at);
  if (time.end - time.start > MOST_DAYS * DAY) return false;
  const clock = await readClock(garage);
  const working = new WorkingTime(new Calendar(clock.days(time)));
  for await (const rows of readHours(garage, field, time, id)) for (const row of rows) working.add(row);
  const pieces = new Pieces(PIECE);
  for (const interval of working.times(time)) {
    if (covers(interval, time)) return true;
    const pause = pieces.add();
    if (pause) await pause;
  }
  return false;
}

async function hasHours(garage: Garage, field: BookedField, id: number): Promise<boolean> {
  const found = await prepared(`any hours of a ${field}`, (mark) =>
    WorkHour.ofMarked(mark).select('id').where(field, mark('id')).limit(1),
  ).rows(garage, { id });
  return found.length > 0;
}
