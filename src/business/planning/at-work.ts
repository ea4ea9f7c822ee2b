// When employees and workplaces are at work, one after the other: their weekly hours without absences.
import type { Garage } from '../../core/model/statements/garage.ts';
import type { Pieces } from '../../core/model/statements/piece.ts';
import { type Interval, IntervalSet, setOf, without } from '../../core/trade/time/interval.ts';
import { addDayHours, type Calendar, WorkingTime } from '../../core/trade/time/working-time.ts';
import type { BookedField, BookedTimes } from './booked.ts';
import { readHours, readWithHours } from './timetable.ts';

export interface AtWork {
  readonly id: number;
  /** Within the interval that was asked for. */
  readonly times: IntervalSet;
}

export interface Asked {
  readonly within: Interval;
  /** The days of the interval. */
  readonly calendar: Calendar;
  readonly absences: BookedTimes;
  /** Counts the days and intervals that are worked out. */
  readonly pieces: Pieces;
  /** Times that are shorter may be left out, in milliseconds. */
  readonly shortest?: number;
}

/** The weekly hours of one of them. */
interface WithHours {
  readonly id: number;
  readonly working: WorkingTime;
}

interface Wanted {
  /** No others than this one. */
  readonly only?: number | undefined;
  /** The others are left out. */
  readonly isWanted?: (id: number) => boolean;
}

/** The employees, or the workplaces, that have weekly hours in the interval, by their IDs. */
export async function* withHours(
  garage: Garage,
  field: BookedField,
  { within, calendar }: Pick<Asked, 'within' | 'calendar'>,
  { only, isWanted = () => true }: Wanted,
): AsyncGenerator<WithHours> {
  let one: WithHours | undefined;
  for await (const rows of readHours(garage, field, within, only))
    for (const row of rows) {
      const id = row[field] ?? 0;
      if (!isWanted(id)) continue;
      if (one?.id !== id) {
        if (one) yield one;
        one = { id, working: new WorkingTime(calendar) };
      }
      one.working.add(row);
    }
  if (one) yield one;
}

/** When those with weekly hours are at work. */
export async function* atWork(
  garage: Garage,
  field: BookedField,
  asked: Asked,
  wanted: Wanted,
): AsyncGenerator<AtWork> {
  for await (const { id, working } of withHours(garage, field, asked, wanted))
    yield { id, times: await present(field, id, await hoursWithin(working, asked), asked) };
}

/** The weekly hours of one of them, whatever the absences. */
export async function hoursWithin(
  working: WorkingTime,
  { within, calendar, pieces, shortest }: Omit<Asked, 'absences'>,
): Promise<IntervalSet> {
  const times = new IntervalSet();
  const hoursOn = working.byDay();
  for (const day of calendar.days) {
    const pause = pieces.add(addDayHours(times, within, day, hoursOn(day), shortest));
    if (pause) await pause;
  }
  return times;
}

/** Those without weekly hours, who are at work all the time. */
export async function* withoutHours(
  garage: Garage,
  field: BookedField,
  ids: readonly number[],
  asked: Asked,
): AsyncGenerator<AtWork> {
  if (ids.length === 0) return;
  const known = await readWithHours(garage, field);
  for (const id of ids)
    if (!known.has(id)) yield { id, times: await present(field, id, setOf(asked.within), asked) };
}

/** The times without absences. */
export async function present(
  field: BookedField,
  id: number,
  times: IntervalSet,
  { absences, pieces }: Asked,
): Promise<IntervalSet> {
  let left = times;
  for (const away of absences.all(field, id)) {
    const pause = pieces.add(left.length + away.length);
    if (pause) await pause;
    left = without(left, away);
  }
  return left;
}
