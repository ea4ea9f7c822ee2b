// Which times of an employee or a workplace are taken by appointments. Cancelled and missed appointments take no time.

import { inPortions } from '../../core/model/lists/portion.ts';
import { type AnyRow, anyRow } from '../../core/model/statements/any-row.ts';
import { type Garage, garageOf } from '../../core/model/statements/garage.ts';
import { marks, padded, prepared } from '../../core/model/statements/prepared.ts';
import type { Session } from '../../core/model/statements/session.ts';
import { Appointment, type AppointmentRow } from '../../core/resources/appointment.ts';
import { TAKING_TIME } from '../../core/trade/kinds/appointment-status.ts';
import type { Interval } from '../../core/trade/time/interval.ts';
import { failure } from '../../platform/job-failure.ts';
import { BOOKED, BOOKED_RESOURCES, type BookedField, BookedTimes, type Timed } from './booked.ts';
import { boundsOf } from './timetable.ts';

export const isTakingTime = ({ appointment_status }: Pick<AppointmentRow, 'appointment_status'>): boolean =>
  TAKING_TIME.includes(appointment_status);

/**
 * Which of both, employee or workplace, another appointment takes for a part of the time. `pending`: appointments that
 * the same request moves later.
 */
export async function occupiedFields(
  garage: Garage,
  appointment: AppointmentRow,
  pending: readonly number[] = [],
): Promise<BookedField[]> {
  const apart = padded([appointment.id, ...pending]);
  // Prepared, because an order may come with a thousand appointments.
  const [found] = await prepared(`occupied ${apart.length}`, (mark) => {
    const others = (field: BookedField) =>
      Appointment.ofMarked(mark)
        .where(field, mark(field))
        .where('ends_at', '>', mark('starts_at'))
        .where('starts_at', '<', mark('ends_at'))
        .whereIn('appointment_status', [...TAKING_TIME])
        .whereNotIn('id', marks(mark, 'apart', apart.length));
    return anyRow({ employee_id: others('employee_id'), workplace_id: others('workplace_id') });
  }).rows<AnyRow<BookedField>>(garage, { ...appointment, apart });
  return BOOKED.filter((field) => found?.[field] === 1);
}

/** An appointment that takes time. */
export type Taken = Timed & {
  readonly id: number;
  readonly is_overtime: number;
  readonly is_over_breaks: number;
};

/** The appointments that take a part of the interval, by their ends. */
export const readTaken = (garage: Garage, within: Interval): AsyncGenerator<Taken[]> =>
  inPortions<Taken>(
    garage,
    {
      name: 'taken times',
      resource: Appointment.resource,
      columns: ['employee_id', 'workplace_id', 'starts_at', 'ends_at', 'is_overtime', 'is_over_breaks'],
      by: 'ends_at',
      where: (query, mark) =>
        query
          .where('t.starts_at', '<', mark('end'))
          .where('t.ends_at', '>', mark('start'))
          .whereIn('t.appointment_status', [...TAKING_TIME]),
    },
    boundsOf(within),
  );

/** The times that appointments take in the interval, but one appointment. */
export async function readBooked(garage: Garage, within: Interval, except?: number): Promise<BookedTimes> {
  const booked = new BookedTimes();
  for await (const rows of readTaken(garage, within))
    for (const row of rows) if (row.id !== except) booked.add(row);
  return booked;
}

/** Throws a JobFailure if two appointments of a restored garage overlap: no garage has such appointments. */
export async function refuseOverlaps(garage: Garage): Promise<void> {
  for await (const { resource, id } of findOverlaps(garage))
    throw failure('appointments_overlap', { resource, id });
}

/** An appointment that begins before an earlier one of the same employee or workplace has ended. */
interface Overlap {
  /** `employee` or `workplace`. */
  readonly resource: string;
  readonly owner: number;
  readonly id: number;
}

/** For doctor: the overlaps of all owners. To be called in a snapshot: an appointment may move between two portions. */
export async function* findAllOverlaps(session: Session): AsyncGenerator<Overlap> {
  const owners = await Appointment.ofAllOwners('doctor', session).distinct('owner_id').orderBy('owner_id');
  for (const { owner_id } of owners) yield* findOverlaps(garageOf(session, owner_id));
}

/**
 * The overlaps of one owner. They are sought here and not by SQL: for the latest end of all earlier rows, a window of
 * MySQL or MariaDB reads these rows anew for each row.
 */
async function* findOverlaps(garage: Garage): AsyncGenerator<Overlap> {
  const latestEnds = { employee_id: new Map<number, string>(), workplace_id: new Map<number, string>() };
  for await (const rows of readByStart(garage))
    for (const row of rows)
      for (const field of BOOKED) {
        const booked = row[field];
        if (booked === null) continue;
        const latest = latestEnds[field].get(booked) ?? '';
        if (row.starts_at < latest)
          yield { resource: BOOKED_RESOURCES[field].name, owner: garage.owner, id: row.id };
        if (row.ends_at > latest) latestEnds[field].set(booked, row.ends_at);
      }
}

const readByStart = (garage: Garage) =>
  inPortions<Timed>(
    garage,
    {
      name: 'taken times by their starts',
      resource: Appointment.resource,
      columns: ['employee_id', 'workplace_id', 'starts_at', 'ends_at'],
      by: 'starts_at',
      where: (query) => query.whereIn('t.appointment_status', [...TAKING_TIME]),
    },
    {},
  );
