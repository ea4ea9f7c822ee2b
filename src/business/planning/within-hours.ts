// Whether an appointment lies within the hours of its employee and its workplace, and within no absence. An appointment
// over breaks only begins and ends so.

import { type AnyRow, anyRow } from '../../core/model/statements/any-row.ts';
import type { Garage } from '../../core/model/statements/garage.ts';
import { Pieces } from '../../core/model/statements/piece.ts';
import { prepared } from '../../core/model/statements/prepared.ts';
import { Absence } from '../../core/resources/absence.ts';
import type { AppointmentRow } from '../../core/resources/appointment.ts';
import { WorkHour } from '../../core/resources/work-hour.ts';
import { DAY_MS } from '../../core/trade/time/duration.ts';
import type { Interval } from '../../core/trade/time/interval.ts';
import { between, Calendar } from '../../core/trade/time/working-time.ts';
import { hoursWithin, withHours } from './at-work.ts';
import { BOOKED, type BookedField } from './booked.ts';
import { boundsOf, readClock } from './timetable.ts';

/**
 * An older release took longer appointments than now. Nobody works for so long without a break, and the days of a
 * longer one would take long to count.
 */
const MOST_DAYS = 366;
const PIECE = 10_000;

type Times = Pick<AppointmentRow, BookedField | 'starts_at' | 'ends_at'>;

export async function isWithinHours(
  garage: Garage,
  appointment: Times & Pick<AppointmentRow, 'is_over_breaks'>,
): Promise<boolean> {
  const { starts_at, ends_at, is_over_breaks } = appointment;
  for (const part of boundParts(between(starts_at, ends_at), is_over_breaks)) {
    const { start, end } = boundsOf(part);
    if (!(await isWorked(garage, { ...appointment, starts_at: start, ends_at: end }))) return false;
  }
  return true;
}

/**
 * The parts of an appointment that must lie within hours. Instants have whole milliseconds, so the first millisecond is
 * worked where the start lies within hours, and the last one where the end does.
 */
export const boundParts = ({ start, end }: Interval, isOverBreaks: number): Interval[] =>
  isOverBreaks === 0
    ? [{ start, end }]
    : [
        { start, end: start + 1 },
        { start: end - 1, end },
      ];

/** Whether an appointment is longer than hours are counted for. */
export const isEndless = ({ start, end }: Interval): boolean => end - start > MOST_DAYS * DAY_MS;

async function isWorked(garage: Garage, times: Times): Promise<boolean> {
  const found = await readWhatBinds(garage, times);
  if (found?.absence === 1) return false;
  for (const field of BOOKED) {
    const id = times[field];
    // Who has no weekly hours works at any time.
    if (id === null || found?.[field] !== 1) continue;
    if (!(await isAtWork(garage, field, id, times))) return false;
  }
  return true;
}

/**
 * `absence`: the employee, the workplace or the whole garage is away for a part of the time. `employee_id`,
 * `workplace_id`: each has weekly hours.
 */
async function readWhatBinds(
  garage: Garage,
  times: Times,
): Promise<AnyRow<'absence' | BookedField> | undefined> {
  const [found] = await prepared('what binds an appointment', (mark) => {
    const absences = Absence.ofMarked(mark)
      .where('starts_at', '<', mark('ends_at'))
      .where('ends_at', '>', mark('starts_at'))
      .where((whose) => {
        whose.where((garage) => garage.whereNull('employee_id').whereNull('workplace_id'));
        for (const field of BOOKED) whose.orWhere(field, mark(field));
      });
    const hours = (field: BookedField) => WorkHour.ofMarked(mark).where(field, mark(field));
    return anyRow({
      absence: absences,
      employee_id: hours('employee_id'),
      workplace_id: hours('workplace_id'),
    });
  }).rows<AnyRow<'absence' | BookedField>>(garage, times);
  return found;
}

/** Whether an employee or a workplace with weekly hours works all the time. */
async function isAtWork(
  garage: Garage,
  field: BookedField,
  id: number,
  { starts_at, ends_at }: Times,
): Promise<boolean> {
  const within = between(starts_at, ends_at);
  if (isEndless(within)) return false;
  const clock = await readClock(garage);
  const asked = { within, calendar: new Calendar(clock.days(within)), pieces: new Pieces(PIECE) };
  for await (const { working } of withHours(garage, field, asked, { only: id }))
    return (await hoursWithin(working, asked)).covers(within);
  return false;
}
