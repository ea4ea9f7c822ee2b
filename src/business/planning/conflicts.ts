// Which appointments stand in an absence or outside the hours: an absence, or a change of hours, touches no appointment
// that was booked before.
import { type Violation, violation } from '../../core/errors.ts';
import { refuse } from '../../core/model/bodies/check.ts';
import type { Garage } from '../../core/model/statements/garage.ts';
import { Pieces } from '../../core/model/statements/piece.ts';
import { type Interval, IntervalSet, unionOf } from '../../core/trade/time/interval.ts';
import type { WallClock } from '../../core/trade/time/wall-clock.ts';
import { addDayHours, Calendar, milliseconds, type WorkingTime } from '../../core/trade/time/working-time.ts';
import { withHours } from './at-work.ts';
import { BOOKED, type BookedField, type Timed } from './booked.ts';
import { boundsOfDays } from './day-sums.ts';
import type { Days } from './load.ts';
import { readTaken, type Taken } from './occupied.ts';
import { findPairs, type Times } from './overlap.ts';
import { readAbsenceRows, readClock, readWithHours } from './timetable.ts';
import { boundParts, isEndless } from './within-hours.ts';

/** Pages would be of moments that differ, and a year whose every day is closed would be an answer without an end. */
const MOST = 10_000;
/** Appointments that are judged together: each block reads the hours anew. */
const BLOCK = 8_000;
/** Days and intervals that are looked at in one piece. */
const PIECE = 10_000;
/** An appointment or an absence is as much work as so many days. */
const WEIGHT = 10;

type Appointment = Times & Pick<Taken, 'is_overtime' | 'is_over_breaks'>;

export interface Conflict {
  readonly appointment: Appointment;
  /** The absence in which it stands; null: it stands outside the hours. */
  readonly absence: number | null;
}

/** The refusal of days with too many conflicts. */
export const TOO_MANY: Violation = violation('parameter_invalid', {
  field: 'to',
  reason: `more than [${MOST}] conflicts, ask for fewer days`,
});

/**
 * The conflicts of the appointments that take a part of the days, by the starts and the IDs of the appointments: one
 * for each absence, and then one for the hours. Each appointment is judged as a whole, also beyond the days. `garage`
 * should read from one snapshot. Throws Problem: too many.
 */
export async function readConflicts(garage: Garage, { from, to }: Days): Promise<Conflict[]> {
  const clock = await readClock(garage);
  const found: Conflict[] = [];
  const note = (conflict: Conflict) => {
    refuse(found.length < MOST ? [] : [TOO_MANY]);
    found.push(conflict);
  };
  let block: Appointment[] = [];
  const judge = async () => {
    block.sort((one, other) => one.start - other.start);
    await findAbsent(garage, block, note);
    await findOutside(garage, clock, block, note);
    block = [];
  };
  for await (const rows of readTaken(garage, boundsOfDays(clock.dates(from, to)))) {
    for (const row of rows) {
      const { is_overtime, is_over_breaks } = row;
      block.push({ ...timesOf(row), is_overtime, is_over_breaks });
    }
    if (block.length >= BLOCK) await judge();
  }
  await judge();
  return found.sort(inOrder);
}

const timesOf = ({ id, employee_id, workplace_id, starts_at, ends_at }: Timed & { id: number }): Times => ({
  id,
  employee_id,
  workplace_id,
  start: milliseconds(starts_at),
  end: milliseconds(ends_at),
});

const inOrder = (one: Conflict, other: Conflict): number =>
  one.appointment.start - other.appointment.start ||
  one.appointment.id - other.appointment.id ||
  (one.absence ?? Number.POSITIVE_INFINITY) - (other.absence ?? Number.POSITIVE_INFINITY);

/** From the first start to the last end. */
const hullOf = (times: readonly Interval[]): Interval => ({
  start: times.reduce((least, { start }) => Math.min(least, start), Number.POSITIVE_INFINITY),
  end: times.reduce((most, { end }) => Math.max(most, end), Number.NEGATIVE_INFINITY),
});

/** Notes those that share a time with an absence. */
async function findAbsent(
  garage: Garage,
  appointments: readonly Appointment[],
  note: (conflict: Conflict) => void,
): Promise<void> {
  if (appointments.length === 0) return;
  await findPairs(
    appointments,
    readTimes(garage, hullOf(appointments)),
    (appointment, { id }) => note({ appointment, absence: id }),
    { pieces: new Pieces(PIECE), weight: WEIGHT },
  );
}

/** The absences that have a part of the interval, by their starts. */
async function* readTimes(garage: Garage, within: Interval): AsyncGenerator<Times[]> {
  for await (const rows of readAbsenceRows(garage, within, 'starts_at')) yield rows.map(timesOf);
}

/** Notes those that stand outside the hours of their employee or of their workplace. */
async function findOutside(
  garage: Garage,
  clock: WallClock,
  appointments: readonly Appointment[],
  note: (conflict: Conflict) => void,
): Promise<void> {
  const bound = appointments.filter(({ is_overtime }) => is_overtime === 0);
  const counted = bound.filter((time) => !isEndless(time));
  const within = hullOf(counted);
  const calendar = new Calendar(counted.length === 0 ? [] : clock.days(within));
  const outside = new Set<Appointment>();
  const pieces = new Pieces(PIECE);
  for (const field of BOOKED) {
    const left = await boundByHours(garage, field, bound);
    if (left.size === 0) continue;
    const wanted = { isWanted: (id: number) => left.has(id) };
    // Without any days there are no hours.
    const all = counted.length === 0 ? [] : withHours(garage, field, { within, calendar }, wanted);
    for await (const { id, working } of all) {
      const own = left.get(id) ?? [];
      const worked = await workedOn(own, working, calendar, pieces);
      left.set(
        id,
        own.filter((one) => isEndless(one) || !isCovered(worked, one)),
      );
      const pause = pieces.add(WEIGHT * own.length);
      if (pause) await pause;
    }
    // Also all of those whose hours are not valid then.
    for (const own of left.values()) for (const one of own) outside.add(one);
  }
  for (const appointment of outside) note({ appointment, absence: null });
}

/** The appointments of those who have weekly hours, valid or not. Who has none works at any time. */
async function boundByHours(
  garage: Garage,
  field: BookedField,
  appointments: readonly Appointment[],
): Promise<Map<number, Appointment[]>> {
  const known = await readWithHours(garage, field);
  const bound = new Map<number, Appointment[]>();
  for (const one of appointments) {
    const id = one[field];
    if (id === null || !known.has(id)) continue;
    const own = bound.get(id) ?? [];
    bound.set(id, own);
    own.push(one);
  }
  return bound;
}

/** The working time of the days on which there are appointments. */
async function workedOn(
  appointments: readonly Appointment[],
  working: WorkingTime,
  { days }: Calendar,
  pieces: Pieces,
): Promise<IntervalSet> {
  const taken = unionOf(appointments);
  const worked = new IntervalSet();
  const hoursOn = working.byDay();
  for (const day of days) {
    const hours = hoursOn(day);
    const pause = pieces.add(taken.meets(day) ? addDayHours(worked, day, day, hours) : 1);
    if (pause) await pause;
  }
  return worked;
}

const isCovered = (worked: IntervalSet, appointment: Appointment): boolean =>
  boundParts(appointment, appointment.is_over_breaks).every((part) => worked.covers(part));
