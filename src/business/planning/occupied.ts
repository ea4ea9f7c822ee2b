// Which times of an employee or a workplace are taken by appointments. Cancelled and missed appointments take no time.

import { inPortions } from '../../core/model/lists/portion.ts';
import { type AnyRow, anyRow } from '../../core/model/statements/any-row.ts';
import { type Garage, garageOf } from '../../core/model/statements/garage.ts';
import { marks, padded, prepared } from '../../core/model/statements/prepared.ts';
import type { Session } from '../../core/model/statements/session.ts';
import { Appointment, type AppointmentRow } from '../../core/resources/appointment.ts';
import { LISTS } from '../../core/trade/lists.ts';
import type { Interval } from '../../core/trade/time/interval.ts';
import { failure } from '../../platform/job-failure.ts';
import { BOOKED, type BookedField, BookedTimes, type Timed } from './booked.ts';
import { latestBefore } from './fragment.ts';
import { boundsOf } from './timetable.ts';

const { PLANNED, ARRIVED, STARTED, DONE } = LISTS.appointmentstatuses;

/** The statuses of appointments that take time. */
const TAKING_TIME: readonly number[] = [PLANNED, ARRIVED, STARTED, DONE];

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
  const [first] = await findOverlaps(garage, 1, garage.owner);
  if (first) throw failure('appointments_overlap', { resource: first.resource, id: first.id });
}

/**
 * The first appointments that begin before an earlier one of the same employee or workplace has ended; of one owner, or
 * of all.
 */
export async function findOverlaps(
  session: Session,
  most: number,
  owner?: number,
): Promise<{ resource: string; owner: number; id: number }[]> {
  const appointments = () =>
    owner === undefined
      ? Appointment.ofAllOwners('doctor', session)
      : Appointment.of(garageOf(session, owner));
  const found: { resource: string; owner: number; id: number }[] = [];
  for (const field of BOOKED) {
    const before = appointments()
      .select('id', latestBefore('ends_at', field, 'starts_at', 'taken_until'))
      .whereNotNull(field)
      .whereIn('appointment_status', [...TAKING_TIME])
      .as('before');
    const overlapping = await appointments()
      .join(before, 'before.id', 'appointments.id')
      .whereColumn('appointments.starts_at', '<', 'before.taken_until')
      .select('appointments.owner_id', 'appointments.id')
      .orderBy('appointments.id')
      .limit(most);
    const resource = field.replace('_id', '');
    found.push(...overlapping.map(({ owner_id, id }) => ({ resource, owner: owner_id, id })));
  }
  return found.slice(0, most);
}
