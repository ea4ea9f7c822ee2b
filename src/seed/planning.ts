// The workshop's plan: workplaces, working hours, absences, and an appointment of an hour for most work. Each mechanic
// works at one workplace. No time is given twice: an appointment has a place that follows from its order's index.
import { Absence } from '../resources/absence.ts';
import type { Appointment } from '../resources/appointment.ts';
import { WorkHour } from '../resources/work-hour.ts';
import { Workplace } from '../resources/workplace.ts';
import { LISTS } from '../trade/lists.ts';
import { END, instantAt, midnight, quarterAfterOpening } from './calendar.ts';
import type { Sheet } from './orders.ts';
import type { Setup } from './setup.ts';
import type { Draft, RecordOf, Writer } from './writer.ts';

const { LIFT, FLOOR, MOT, WASH } = LISTS.workplacekinds;
const { IN_PROGRESS, WAITING, READY, INVOICE, CANCELLED } = LISTS.orderstatuses;
const { WORKSHOP } = LISTS.ordertypes;
const appointmentStatuses = LISTS.appointmentstatuses;

const KINDS = [LIFT, LIFT, LIFT, MOT, FLOOR, WASH];
const WORKING_DAYS = [1, 2, 3, 4, 5, 6];
/** They touch, so an appointment may lie across noon. */
const STRETCHES = [
  ['08:00', '12:30'],
  ['12:30', '17:00'],
] as const;
const HOURS_A_DAY = 8;
const QUARTERS_AN_HOUR = 4;
/** Closed, as month and day. */
const CLOSED = ['12-25', '12-26'];
const YEARS = [2022, 2023, 2024, 2025];

/** Writes the workplaces, one for each mechanic, with the hours and the absences. */
export async function setUpWorkshop(
  writer: Writer,
  mechanics: Setup['mechanics'],
  suffix: string,
): Promise<RecordOf<typeof Workplace>[]> {
  const workplaces = await writer.write(
    Workplace,
    mechanics.map((_, index) => ({
      code: `P${index + 1}${suffix}`,
      name: `Werkplek ${index + 1}`,
      workplace_kind: KINDS[index % KINDS.length],
      sort_order: index + 1,
    })),
  );
  const hours = mechanics.flatMap(({ id }) =>
    WORKING_DAYS.flatMap((weekday) =>
      STRETCHES.map(([start_time, end_time]) => ({ employee_id: id, weekday, start_time, end_time })),
    ),
  );
  await writer.write(WorkHour, hours);
  const closed: Draft<typeof Absence>[] = YEARS.map((year) => ({
    starts_at: `${year}-${CLOSED[0]} 00:00:00.000`,
    ends_at: `${year}-${CLOSED[1]} 23:00:00.000`,
    reason: 'Kerst',
  }));
  const away: Draft<typeof Absence>[] = [
    {
      employee_id: mechanics[0]?.id,
      starts_at: midnight(90, END),
      ends_at: midnight(104, END),
      reason: 'Vakantie',
    },
    {
      workplace_id: workplaces[0]?.id,
      starts_at: midnight(30, END),
      ends_at: midnight(31, END),
      reason: 'Keuring',
    },
  ];
  await writer.write(Absence, [...closed, ...away]);
  return workplaces;
}

/** The appointments of the orders `from` and on, of `all` orders. The orders have IDs. */
export function planWork(
  sheets: readonly Sheet[],
  { mechanics, workplaces }: Setup,
  { from, all }: { from: number; all: number },
): Draft<typeof Appointment>[] {
  // The slice before may have taken times of its last day.
  const firstDay = from === 0 ? '' : dayOf(instantAt(from / all));
  const taken = new Set<string>();
  return sheets.flatMap(({ plan, order }, place) => {
    const index = from + place;
    const mechanic = index % mechanics.length;
    const hour = Math.floor(index / mechanics.length) % HOURS_A_DAY;
    const day = dayOf(plan.at);
    const time = `${day} ${mechanic} ${hour}`;
    const isFree = day > firstDay && !CLOSED.includes(day.slice(5)) && !taken.has(time);
    if (plan.type !== WORKSHOP || !isFree) return [];
    taken.add(time);
    return {
      order_id: order.id,
      contact_id: order.contact_id,
      vehicle_id: order.vehicle_id,
      employee_id: mechanics[mechanic]?.id,
      workplace_id: workplaces[mechanic]?.id,
      starts_at: quarterAfterOpening(plan.at, hour * QUARTERS_AN_HOUR),
      ends_at: quarterAfterOpening(plan.at, (hour + 1) * QUARTERS_AN_HOUR),
      appointment_status: statusOf(plan.status),
      description: order.description,
    };
  });
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

function statusOf(orderStatus: number): number {
  if (orderStatus === CANCELLED) return appointmentStatuses.CANCELLED;
  if (orderStatus === READY || orderStatus === INVOICE) return appointmentStatuses.DONE;
  return orderStatus === IN_PROGRESS || orderStatus === WAITING
    ? appointmentStatuses.STARTED
    : appointmentStatuses.PLANNED;
}
