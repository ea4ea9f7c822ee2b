// Whether an appointment lies within the hours of its employee and its workplace, and within no absence.

import type { Garage } from '../model/garage.ts';
import type { AppointmentRow } from '../resources/appointment.ts';
import { covers, type Interval } from '../trade/interval.ts';
import { DAY, type WallClock } from '../trade/wall-clock.ts';
import { between, type WeeklyHours, workingTime } from '../trade/working-time.ts';
import { BOOKED } from './booked.ts';
import { isOfGarage, readAbsences, readClock, readHours } from './timetable.ts';

/** Nobody works for longer without a break, and the days of a longer appointment would take long to count. */
const MOST_DAYS = 366;

type Times = Pick<AppointmentRow, (typeof BOOKED)[number] | 'starts_at' | 'ends_at'>;

export async function isWithinHours(garage: Garage, appointment: Times): Promise<boolean> {
  const time = between(appointment.starts_at, appointment.ends_at);
  const absences = await readAbsences(garage, time);
  const isAbsent = absences.some(
    (absence) =>
      isOfGarage(absence) ||
      BOOKED.some((field) => absence[field] !== null && absence[field] === appointment[field]),
  );
  if (isAbsent) return false;
  const hours = await readHours(garage, appointment);
  if (hours.length === 0) return true;
  const clock = await readClock(garage);
  return BOOKED.every((field) => {
    const own = hours.filter((row) => row[field] !== null);
    return own.length === 0 || isAtWork(own, clock, time);
  });
}

function isAtWork(hours: readonly WeeklyHours[], clock: WallClock, time: Interval): boolean {
  if (time.end - time.start > MOST_DAYS * DAY) return false;
  return covers(workingTime(hours, clock.days(time)), time);
}
