// Two appointments exchange their employees, their workplaces or their times, in one transaction. Neither change could
// go first: the other appointment would be in its way.
import { Problem, type Violation, violation } from '../../core/errors.ts';
import { lockRecords } from '../../core/model/lists/find.ts';
import type { Garage } from '../../core/model/statements/garage.ts';
import { changeTogether } from '../../core/model/writes/change-together.ts';
import { Appointment, type AppointmentRow } from '../../core/resources/appointment.ts';
import { claimBookings } from './booking.ts';

/** What two appointments may exchange, and the fields that this means. */
const SWAPPED = {
  employee_id: ['employee_id'],
  workplace_id: ['workplace_id'],
  times: ['starts_at', 'ends_at'],
} as const satisfies Readonly<Record<string, readonly (keyof AppointmentRow)[]>>;

export type SwapField = keyof typeof SWAPPED;
export const SWAP_FIELDS = Object.keys(SWAPPED) as SwapField[];

interface Swap {
  readonly first_id: number;
  readonly second_id: number;
  readonly fields: readonly SwapField[];
}

/**
 * Both appointments as they are then, the first one first. Their orders are not locked: no state of an order binds an
 * appointment, and an order that is cancelled locks its appointments too, in the other direction. Throws Problem:
 * unknown 404, and as PUT /appointment.
 */
export async function swapAppointments(garage: Garage, swap: Swap): Promise<AppointmentRow[]> {
  const { first_id, second_id } = swap;
  if (first_id === second_id) throw new Problem(SAME_TWICE(second_id));
  const rows = await lockRecords(garage, Appointment.resource, 'id', [first_id, second_id]);
  const first = rows.find(({ id }) => id === first_id);
  const second = rows.find(({ id }) => id === second_id);
  if (!first || !second)
    throw new Problem([
      ...(first ? [] : [unknown('first_id', first_id)]),
      ...(second ? [] : [unknown('second_id', second_id)]),
    ]);
  const change = (previous: AppointmentRow, other: AppointmentRow) => {
    const next = { ...previous, ...taken(swap.fields, other) };
    return { previous, next, given: () => undefined, garage };
  };
  const changes = [change(first, second), change(second, first)];
  await claimBookings(...changes);
  await changeTogether(Appointment.resource, changes);
  return changes.map(({ next }) => next);
}

/** The values that one appointment takes from the other. */
const taken = (fields: readonly SwapField[], other: AppointmentRow): Partial<AppointmentRow> =>
  Object.fromEntries(fields.flatMap((field) => SWAPPED[field].map((name) => [name, other[name]])));

const unknown = (field: string, value: number): Violation => violation('reference_unknown', { field, value });

/** The refusal of an appointment that should be exchanged with itself. */
export const SAME_TWICE = (value: number): Violation =>
  violation('value_invalid', { field: 'second_id', value, validation: 'two appointments' });
