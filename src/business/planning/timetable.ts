// Reads when employees and workplaces are there: the weekly hours, the absences, and the garage's clock. Everything is
// read in portions: a garage may have any number of rows.

import { LRUCache } from 'lru-cache';
import { inPortions } from '../../core/model/lists/portion.ts';
import type { Garage } from '../../core/model/statements/garage.ts';
import { prepared } from '../../core/model/statements/prepared.ts';
import { Absence } from '../../core/resources/absence.ts';
import { WorkHour } from '../../core/resources/work-hour.ts';
import { storable } from '../../core/trade/time/day.ts';
import type { Interval } from '../../core/trade/time/interval.ts';
import { databaseTime } from '../../core/trade/time/timestamp.ts';
import { WallClock } from '../../core/trade/time/wall-clock.ts';
import type { WeeklyHours } from '../../core/trade/time/working-time.ts';
import { readTimezone } from '../invoicing/timezone.ts';
import { type Booked, type BookedField, BookedTimes, type Timed } from './booked.ts';

type HoursRow = WeeklyHours & Booked;

const HOURS = ['weekday', 'start_time', 'end_time', 'valid_from', 'valid_until'] as const;

/** Each clock keeps days, and an owner may choose any time zone. */
const clocks = new LRUCache<string, WallClock>({ max: 50 });

/** The clock on the wall of the owner's garage. */
export async function readClock(garage: Garage): Promise<WallClock> {
  const timezone = await readTimezone(garage);
  const clock = clocks.get(timezone) ?? new WallClock(timezone);
  clocks.set(timezone, clock);
  return clock;
}

/** The bounds of an interval as a statement takes them. The last day of all ends beyond the database's last instant. */
export const boundsOf = ({ start, end }: Interval) => ({
  start: databaseTime(new Date(start)),
  end: storable(new Date(end)),
});

/**
 * The weekly hours that are valid in a part of the interval, by the employee or by the workplace; of one of them, if an
 * ID is given.
 */
export const readHours = (
  garage: Garage,
  field: BookedField,
  within: Interval,
  id?: number,
): AsyncGenerator<HoursRow[]> =>
  inPortions<HoursRow>(
    garage,
    {
      name: `hours of ${id === undefined ? 'each' : 'one'} ${field}`,
      resource: WorkHour.resource,
      columns: [field, ...HOURS],
      by: field,
      where: (query, mark) => {
        if (id === undefined) query.whereNotNull(`t.${field}`);
        else query.where(`t.${field}`, mark('whose'));
        query
          .where((from) => from.whereNull('t.valid_from').orWhere('t.valid_from', '<', mark('end')))
          .where((until) => until.whereNull('t.valid_until').orWhere('t.valid_until', '>', mark('start')));
      },
    },
    { ...boundsOf(within), whose: id ?? null },
  );

/** The employees or the workplaces that have weekly hours, valid or not. */
export async function readWithHours(garage: Garage, field: BookedField): Promise<Set<number>> {
  const rows = await prepared(`each ${field} with hours`, (mark) =>
    WorkHour.ofMarked(mark).distinct(field).whereNotNull(field),
  ).rows<Booked>(garage, {});
  return new Set(rows.map((row) => Number(row[field])));
}

/** The absences that have a part of the interval. */
export async function readAbsences(garage: Garage, within: Interval): Promise<BookedTimes> {
  const absences = new BookedTimes();
  for await (const rows of readAbsenceRows(garage, within, 'ends_at'))
    for (const row of rows) absences.add(row);
  return absences;
}

/** The same one by one, sorted. Absences of the future are found quickly by their ends. */
export const readAbsenceRows = (
  garage: Garage,
  within: Interval,
  by: 'starts_at' | 'ends_at',
): AsyncGenerator<(Timed & { id: number })[]> =>
  inPortions<Timed>(
    garage,
    {
      name: `absences ${by}`,
      resource: Absence.resource,
      columns: ['employee_id', 'workplace_id', 'starts_at', 'ends_at'],
      by,
      where: (query, mark) =>
        query.where('t.starts_at', '<', mark('end')).where('t.ends_at', '>', mark('start')),
    },
    boundsOf(within),
  );
