// Nobody is booked twice, nor outside the hours. business/planning/booking.ts says when an appointment is judged.
import { about, type Violation, violation } from '../../core/errors.ts';
import { rulesOf } from '../../core/model/records/record.ts';
import { Appointment, type AppointmentChange } from '../../core/resources/appointment.ts';
import { LISTS } from '../../core/trade/lists.ts';
import { DAY_MS } from '../../core/trade/time/duration.ts';
import { instant } from '../../core/trade/time/timestamp.ts';
import { milliseconds } from '../../core/trade/time/working-time.ts';
import { BOOKED, BOOKED_RESOURCES, refuseNeither } from '../planning/booked.ts';
import { claimBookings, claimsOf, isJudged } from '../planning/booking.ts';
import { isTakingTime, occupiedFields, refuseOverlaps } from '../planning/occupied.ts';
import { isWithinHours } from '../planning/within-hours.ts';
import { orderMayChange } from './moved-to-order.ts';

const { DONE } = LISTS.appointmentstatuses;
const WORKING_HOURS = 'working hours';
const MOST_DAYS = 31;
const NOT_TOO_LONG = `at most ${MOST_DAYS} days`;

rulesOf(Appointment, {
  rules: [({ next }) => refuseNeither(next), notTooLong, orderMayChange(Appointment.resource)],
  before: async (change) => {
    takeFromOrder(change);
    // Before the row is written: the foreign key would lock the employee for reading, and two requests that both go on
    // to write the employee would wait for each other.
    await claimBookings(change);
  },
  lateRules: [bookable, withinHours, bookedOnce],
  refuses: {
    write: [
      violation('field_required', { field: 'employee_id' }),
      violation('value_invalid', {
        field: 'starts_at',
        value: '2026-05-03T10:00:00.000Z',
        validation: WORKING_HOURS,
      }),
      violation('value_invalid', {
        field: 'ends_at',
        value: '2026-06-04T10:00:00.001Z',
        validation: NOT_TOO_LONG,
      }),
      violation('record_frozen', { resource: 'employee', state: 'blocked' }),
      violation('record_occupied', { field: 'starts_at', resource: 'workplace' }),
    ],
  },
  afterRestore: refuseOverlaps,
});

function takeFromOrder({ next, previous, parent }: AppointmentChange): void {
  if (previous || !parent) return;
  next.contact_id ??= Number(parent.contact_id);
  next.vehicle_id ??= parent.vehicle_id === null ? null : Number(parent.vehicle_id);
}

/**
 * Days have 24 hours here, also if the clock is turned meanwhile. Older releases took appointments of any length: only
 * a length that changes is judged, whatever the status.
 */
function notTooLong({ next, previous, given }: AppointmentChange): Violation | undefined {
  const { starts_at, ends_at } = next;
  if (starts_at === previous?.starts_at && ends_at === previous.ends_at) return undefined;
  if (milliseconds(ends_at) - milliseconds(starts_at) <= MOST_DAYS * DAY_MS) return undefined;
  const value = given('ends_at') ?? instant(ends_at);
  return violation('value_invalid', { field: 'ends_at', value, validation: NOT_TOO_LONG });
}

/** Finished work may be entered for anyone who did it. */
function bookable(change: AppointmentChange): Violation[] {
  if (!isJudged(change) || change.next.appointment_status === DONE) return [];
  return BOOKED.toReversed().flatMap((field) => {
    const { isBlocked, isArchived } = claimsOf(change)?.[field].get(change.next[field] ?? 0) ?? {};
    const state = isBlocked ? 'blocked' : isArchived ? 'archived' : undefined;
    const { name } = BOOKED_RESOURCES[field];
    const refused = state ? [violation('record_frozen', { resource: name, state })] : [];
    return about(name, Number(change.next[field]), refused);
  });
}

async function withinHours(change: AppointmentChange) {
  const { next, given, garage } = change;
  if (!isJudged(change) || next.is_overtime === 1 || (await isWithinHours(garage, next))) return undefined;
  const value = given('starts_at') ?? instant(next.starts_at);
  return violation('value_invalid', { field: 'starts_at', value, validation: WORKING_HOURS });
}

/**
 * If two children of one order exclude each other, the second one is refused: the first one would fit. A child is
 * judged also if its time stays: those before it were judged without it.
 */
async function bookedOnce(change: AppointmentChange): Promise<Violation[]> {
  const { next, garage, siblings } = change;
  if (siblings ? !isTakingTime(next) : !isJudged(change)) return [];
  const occupied = await occupiedFields(garage, next, siblings?.pending);
  return occupied.toReversed().flatMap((field) => {
    const { name } = BOOKED_RESOURCES[field];
    const refused = violation('record_occupied', { field: 'starts_at', resource: name });
    return about(name, Number(next[field]), [refused]);
  });
}
