// Appointments and hours: nobody is booked twice, and hours add up.
import type { Json } from '../../support/client/client.ts';
import type { Books } from './books.ts';
import { divide } from './exact.ts';

const TAKES_NO_TIME = [5, 6];

export function planFaults({ appointments, entries, orders }: Books): string[] {
  return [
    ...twice(appointments, 'employee_id'),
    ...twice(appointments, 'workplace_id'),
    ...running(entries),
    ...entries.flatMap(worked),
    ...hours(orders, entries),
  ];
}

function twice(appointments: readonly Json[], field: 'employee_id' | 'workplace_id'): string[] {
  const busy = appointments
    .filter((one) => one[field] !== null && !TAKES_NO_TIME.includes(Number(one.appointment_status)))
    .sort((a, b) => String(a.starts_at).localeCompare(String(b.starts_at)));
  return busy.flatMap((one, index) =>
    busy
      .slice(index + 1)
      .filter((other) => other[field] === one[field] && String(other.starts_at) < String(one.ends_at))
      .map((other) => `appointments ${one.id} and ${other.id} overlap for ${field} ${one[field]}`),
  );
}

function running(entries: readonly Json[]): string[] {
  const open = entries.filter(({ ended_at }) => ended_at === null).map(({ employee_id }) => employee_id);
  return open
    .filter((employee, index) => open.indexOf(employee) !== index)
    .map((employee) => `employee ${employee} has two running entries`);
}

/** An entry that has ended has the hours between its start and its end, with four decimals. */
function worked({ id, started_at, ended_at, hours }: Json): string[] {
  if (ended_at === null) return hours === null ? [] : [`time entry ${id} runs, and has hours ${hours}`];
  const milliseconds = Date.parse(String(ended_at)) - Date.parse(String(started_at));
  const computed = divide(10_000n * BigInt(milliseconds), 3_600_000n);
  return milliseconds > 0 && Math.round(10_000 * Number(hours)) === computed
    ? []
    : [
        `time entry ${id} from ${started_at} to ${ended_at} has hours ${hours}, computed ${computed / 10_000}`,
      ];
}

function hours(orders: readonly Json[], entries: readonly Json[]): string[] {
  return orders.flatMap((order) => {
    const own = entries.filter(({ order_id, ended_at }) => order_id === order.id && ended_at !== null);
    const sum = own.reduce((total, { hours: worked }) => total + Math.round(10_000 * Number(worked)), 0);
    return Math.round(10_000 * Number(order.hours_worked)) === sum
      ? []
      : [`order ${order.id} has hours_worked ${order.hours_worked}, its entries ${sum / 10_000}`];
  });
}
