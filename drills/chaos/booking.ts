// The workshop is booked by many at once: 200 clients book the same 50 slots, then all move appointments to random
// times. Nobody may be booked twice. Played with one process (`make chaos`), and with three nodes (`make cluster`).
import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Json } from '../../test/support/client/client.ts';
import { Tally } from '../cluster/tally.ts';
import type { Report } from './report.ts';
import { Scene } from './scene.ts';

export interface BookingOptions {
  /** For how long appointments are moved. */
  readonly milliseconds: number;
}

/** Sends a request of the garage's ADMIN to the process with this index. */
type Ask = (index: number, method: string, path: string, options?: { body?: Json }) => Promise<Answer>;

const SLOTS = 50;
const CLIENTS = 200;
const MOVERS = 12;
const QUARTER = 900_000;
/** A Monday. */
const DAY = Date.parse('2026-05-04T00:00:00Z');
const FROM = new Date(DAY).toISOString();
const UNTIL = new Date(DAY + 86_400_000).toISOString();

export async function booking(report: Report, folder: string, options: BookingOptions): Promise<void> {
  const scene = await Scene.open(folder, { orders: 0 });
  try {
    await scene.start();
    const ask: Ask = (_, method, path, { body } = {}) => scene.tenant.ask(scene.url, method, path, body);
    await playBooking(report, ask, options);
  } finally {
    await scene.close();
  }
}

/** `settle`: waits until each node has the commits of all nodes. */
export async function playBooking(
  report: Report,
  ask: Ask,
  { milliseconds }: BookingOptions,
  settle: () => Promise<void> = async () => {},
): Promise<void> {
  const add = async (resource: string, body: Json): Promise<number> => {
    const answer = await ask(0, 'POST', `/${resource}`, { body });
    if (answer.status !== 201) throw new Error(`POST /${resource} answered ${answer.status}: ${answer.text}`);
    return answer.data.id;
  };
  const employees: number[] = [];
  const workplaces: number[] = [];
  for (let index = 0; index < 3; index += 1) {
    employees.push(await add('employee', { first_name: 'Jan', last_name: `de Boer ${index}`, role_kind: 2 }));
    workplaces.push(await add('workplace', { code: `L${index}`, name: 'Brug', workplace_kind: 1 }));
  }
  for (const employee_id of employees.slice(0, 1))
    await add('workhour', { employee_id, weekday: 1, start_time: '00:00', end_time: '24:00' });
  const contact_id = await add('contact', { contact_kind: 1, last_name: 'Bakker', country_id: 1 });
  await settle();

  const { data: free } = await ask(0, 'GET', `/planning/slots?from=${FROM}&until=${UNTIL}&minutes=15`);
  const slots: Json[] = free.slice(0, SLOTS);
  const tally = new Tally();
  const began = performance.now();
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      const appointment = [slots[client % SLOTS]];
      const body = { order_type: 1, order_date: FROM, contact_id, appointment };
      tally.add(await insisting(() => ask(client, 'POST', '/order', { body })), 'POST /order');
    }),
  );
  const took = Math.round(performance.now() - began);
  await settle();
  report.say(`  ${CLIENTS} clients booked ${SLOTS} slots in ${took} ms: ${tally.text()}`);
  report.demand(slots.length === SLOTS, `only ${slots.length} slots were free`);
  report.demand(tally.of(201) === SLOTS, `${tally.of(201)} of ${SLOTS} slots were booked`);
  report.demand(
    tally.of(409) === CLIENTS - SLOTS,
    `${tally.of(409)} clients were refused: ${tally.odd.join('; ')}`,
  );

  const { data: booked } = await ask(0, 'GET', '/appointment?page_size=1000');
  report.demand(booked.length === SLOTS, `${booked.length} appointments are there`);
  const moves = new Tally();
  const end = performance.now() + milliseconds;
  const move = async (mover: number) => {
    while (performance.now() < end) {
      const start = DAY + Math.floor(Math.random() * 96) * QUARTER;
      const body = {
        starts_at: new Date(start).toISOString(),
        ends_at: new Date(start + Math.ceil(Math.random() * 4) * QUARTER).toISOString(),
        employee_id: pick(employees),
        workplace_id: pick(workplaces),
        is_overtime: 1,
      };
      const { id } = pick<{ id: number }>(booked);
      moves.add(await ask(mover, 'PUT', `/appointment/${id}`, { body }), 'PUT /appointment');
    }
  };
  await Promise.all(Array.from({ length: MOVERS }, (_, mover) => move(mover)));
  await settle();
  const { data: moved } = await ask(0, 'GET', '/appointment?page_size=1000');
  const overlaps = overlapsOf(moved, 'employee_id') + overlapsOf(moved, 'workplace_id');
  report.say(`  ${MOVERS} movers: ${moves.text()}, ${overlaps} overlaps`);
  report.demand(overlaps === 0, `${overlaps} appointments overlap`);
  report.demand(
    moves.serverErrors() === 0,
    `${moves.serverErrors()} answers of 5xx: ${moves.odd.join('; ')}`,
  );
  report.demand(moves.of(200) > 100, `only ${moves.of(200)} moves went through`);
}

/** Asks again after a 503, as a client should: 200 requests of one garage may wait too long for its connections. */
async function insisting(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 503) return answer;
    await pause(1_000 * Number(answer.headers.get('retry-after') ?? 1));
  }
}

const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;

/** How many pairs of appointments of one employee, or of one workplace, share a time. */
function overlapsOf(appointments: readonly Json[], field: string): number {
  let count = 0;
  for (const [index, one] of appointments.entries())
    for (const other of appointments.slice(index + 1))
      if (
        one[field] === other[field] &&
        String(one.starts_at) < String(other.ends_at) &&
        String(other.starts_at) < String(one.ends_at)
      )
        count += 1;
  return count;
}
