// The time that mechanics worked on orders of the workshop. Nobody is at work when a seed ends.
import type { TimeEntry } from '../resources/time-entry.ts';
import { LISTS } from '../trade/lists.ts';
import { addHours, hoursBetween } from '../trade/time/hours.ts';
import { quarterAfterOpening } from './calendar.ts';
import type { Sheet } from './orders.ts';
import type { Random } from './random.ts';
import type { Setup } from './setup.ts';
import type { Draft } from './writer.ts';

const { WORKSHOP } = LISTS.ordertypes;
const { IN_PROGRESS, WAITING, READY, INVOICE } = LISTS.orderstatuses;
const WORKED_ON: readonly number[] = [IN_PROGRESS, WAITING, READY, INVOICE];
const NOTES = ['Bout afgebroken, uitgeboord', 'Proefrit gemaakt 🚗', null, null, null];

interface Worked {
  readonly order: Sheet['order'];
  readonly entry: Draft<typeof TimeEntry>;
}

/** One or two entries for each order of the workshop that was worked on. Sets the hours of the orders. */
export function workOnOrders(random: Random, sheets: readonly Sheet[], { mechanics }: Setup): Worked[] {
  return sheets.filter(isWorkedOn).flatMap((sheet) => {
    const { order, plan } = sheet;
    const start = random.whole(0, 8);
    const middle = start + random.whole(1, 12);
    const ends = random.chance(0.4) ? [middle, middle + random.whole(1, 12)] : [middle];
    const entries = ends.map((end, index) => {
      const started_at = quarterAfterOpening(plan.at, index === 0 ? start : middle);
      const ended_at = quarterAfterOpening(plan.at, end);
      const hours = hoursBetween(started_at, ended_at);
      return {
        employee_id: random.pick(mechanics).id,
        started_at,
        ended_at,
        hours,
        notes: random.pick(NOTES),
      };
    });
    order.hours_worked = addHours(...entries.map(({ hours }) => hours));
    return entries.map((entry) => ({ order, entry }));
  });
}

const isWorkedOn = ({ order, plan, credited }: Sheet): boolean =>
  order.order_type === WORKSHOP && !credited && WORKED_ON.includes(plan.status);
