// Appointments and hours: nobody is booked twice, and hours add up.
import type { Json } from '../../support/client/client.ts';
import type { Books } from './books.ts';

const TAKES_NO_TIME = [5, 6];

export function planFaults({ appointments, entries, orders }: Books): string[] {
  return [
    ...twice(appointments, 'employee_id'),
    ...twice(appointments, 'workplace_id'),
    ...running(entries),
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

function hours(orders: readonly Json[], entries: readonly Json[]): string[] {
  return orders.flatMap((order) => {
    const own = entries.filter(({ order_id, ended_at }) => order_id === order.id && ended_at !== null);
    const sum = own.reduce((total, { hours: worked }) => total + Math.round(10_000 * Number(worked)), 0);
    return Math.round(10_000 * Number(order.hours_worked)) === sum
      ? []
      : [`order ${order.id} has hours_worked ${order.hours_worked}, its entries ${sum / 10_000}`];
  });
}
