// Which changes of appointments book somebody. Each request that books an employee or a workplace first writes the row
// of this employee or workplace, so two requests at once can't both find the time free.
import type { Appointment, AppointmentChange } from '../../core/resources/appointment.ts';
import { type ClaimedBooked, claimBooked } from './booked.ts';
import { isTakingTime } from './occupied.ts';

/** An appointment is judged again when one of these changes. */
const JUDGED = [
  'starts_at',
  'ends_at',
  'employee_id',
  'workplace_id',
  'is_overtime',
  'is_over_breaks',
] as const satisfies readonly (keyof Appointment)[];

/** Whether hours and other appointments may forbid the change. */
export function isJudged({ next, previous }: AppointmentChange): boolean {
  if (!isTakingTime(next)) return false;
  return !previous || !isTakingTime(previous) || JUDGED.some((name) => next[name] !== previous[name]);
}

const claimed = new WeakMap<AppointmentChange, ClaimedBooked>();

/** Claims all that the changes book, in one order: changes that exchange employees would wait for each other. */
export async function claimBookings(...changes: readonly AppointmentChange[]): Promise<void> {
  const [first, ...others] = changes.filter((change) => isJudged(change) && !claimed.has(change));
  if (!first) return;
  const states = await claimBooked(first.garage, first.next, ...others.map(({ next }) => next));
  for (const change of [first, ...others]) claimed.set(change, states);
}

/** The states that the claims of the change have told; undefined if it books nobody. */
export const claimsOf = (change: AppointmentChange): ClaimedBooked | undefined => claimed.get(change);
