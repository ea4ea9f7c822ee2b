// When employees and workplaces are free, one after the other: their working time without what they are booked for.
import type { Garage } from '../model/statements/garage.ts';
import { type Interval, without } from '../trade/time/interval.ts';
import { type Calendar, WorkingTime } from '../trade/time/working-time.ts';
import type { BookedField, BookedTimes } from './booked.ts';
import { readHours, readWithHours } from './timetable.ts';

/** An employee or a workplace. `time` is worked out while it is read. */
export interface Free {
  readonly id: number;
  readonly time: Iterable<Interval>;
}

interface Asked {
  readonly within: Interval;
  readonly calendar: Calendar;
  /** What takes time: absences, appointments. */
  readonly taken: readonly BookedTimes[];
}

/** The free time of employees by their IDs, each with the time of its contract. Nobody is free without weekly hours. */
export async function* freeEmployees(
  garage: Garage,
  contracts: ReadonlyMap<number, Interval>,
  asked: Asked,
): AsyncGenerator<Free> {
  for await (const { id, working } of workingTimes(garage, 'employee_id', asked)) {
    const contract = contracts.get(id);
    if (contract) yield { id, time: untaken('employee_id', id, working.times(contract), asked) };
  }
}

/** The free time of workplaces in any order. A workplace without weekly hours is free at any time. */
export async function* freeWorkplaces(
  garage: Garage,
  ids: readonly number[],
  asked: Asked,
): AsyncGenerator<Free> {
  const [wanted, withHours] = [new Set(ids), await readWithHours(garage, 'workplace_id')];
  for (const id of ids)
    if (!withHours.has(id)) yield { id, time: untaken('workplace_id', id, [asked.within], asked) };
  for await (const { id, working } of workingTimes(garage, 'workplace_id', asked))
    if (wanted.has(id)) yield { id, time: untaken('workplace_id', id, working.times(asked.within), asked) };
}

async function* workingTimes(
  garage: Garage,
  field: BookedField,
  { within, calendar }: Asked,
): AsyncGenerator<{ id: number; working: WorkingTime }> {
  let one: { id: number; working: WorkingTime } | undefined;
  for await (const rows of readHours(garage, field, within))
    for (const row of rows) {
      const id = Number(row[field]);
      if (one?.id !== id) {
        if (one) yield one;
        one = { id, working: new WorkingTime(calendar) };
      }
      one.working.add(row);
    }
  if (one) yield one;
}

const untaken = (field: BookedField, id: number, time: Iterable<Interval>, { taken }: Asked) =>
  taken
    .flatMap((times) => [times.ofGarage, times.of(field, id)])
    .reduce<Iterable<Interval>>((left, times) => (times ? without(left, times) : left), time);
