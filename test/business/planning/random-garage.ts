// A garage as a seed makes it: three employees, three workplaces, hours in several stretches, absences and bookings,
// some of them over breaks.
import type { Random } from '../../../src/business/seed/random.ts';
import { build } from '../../support/build/build.ts';
import type { Client } from '../../support/client/client.ts';
import type { Absence, Booked, Hours, Rows, Times, Whose } from './minute-grid.ts';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
/** How long the rows last, from the first instant on. */
const DAYS = 4;

export const iso = (instant: number) => new Date(instant).toISOString();

/** Makes rows by one request after the other, so that the same seed gives the same IDs. */
async function some<T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  for (let index = 0; index < count; index += 1) made.push(await make(index));
  return made;
}

export async function randomGarage(client: Client, random: Random, first: number): Promise<Rows> {
  const employees = await some(3, () => hire(client, random, first));
  const workplaces = await some(3, (index) =>
    build(client, 'workplace', { sort_order: [2, null, 1][index] }),
  );
  const owners: Whose[] = [
    ...employees.map(({ id }) => ({ employee_id: id, workplace_id: null })),
    ...workplaces.map(({ id }) => ({ employee_id: null, workplace_id: id })),
  ];
  // The last workplace has none, and can be used at any time.
  const hours = owners.slice(0, -1).flatMap((whose) => weekOf(random, whose, first));
  for (const row of hours)
    await build(client, 'workhour', {
      ...row,
      valid_from: row.valid_from && iso(row.valid_from),
      valid_until: row.valid_until && iso(row.valid_until),
    });
  const absences: Absence[] = [];
  for (const row of times(random, first, 6, [...owners, { employee_id: null, workplace_id: null }]))
    absences.push({ ...row, id: (await build(client, 'absence', inText(row))).id });
  const appointments: Booked[] = [];
  for (const row of times(random, first, 24, owners)) {
    const flags = { is_overtime: random.whole(0, 1), is_over_breaks: random.whole(0, 1) };
    const { status, data } = await client.post('/appointment', { ...inText(row), ...flags });
    if (status === 201) appointments.push({ ...row, ...flags, id: data.id });
  }
  const [second, last, before] = workplaces.map(({ id }) => id);
  return { employees, workplaces: [before, second, last], hours, absences, appointments };
}

const instantAfter = (random: Random, first: number, days: number) =>
  first + random.whole(0, (days * DAY) / MINUTE) * MINUTE;

async function hire(client: Client, random: Random, first: number) {
  const start_date = random.chance(0.3) ? instantAfter(random, first, 3) : null;
  const end_date = random.chance(0.3) ? (start_date ?? first) + random.whole(1, 3) * DAY : null;
  const dates = { start_date: start_date && iso(start_date), end_date: end_date && iso(end_date) };
  const { id } = await build(client, 'employee', dates);
  return { id, start_date, end_date };
}

/** The hours of a week: up to four stretches a day, some of them all of it. */
function weekOf(random: Random, whose: Whose, first: number): Hours[] {
  const hours: Hours[] = [];
  for (let weekday = 1; weekday <= 7; weekday += 1)
    for (let stretch = random.whole(0, 4); stretch > 0; stretch -= 1) {
      const isWhole = random.chance(0.15);
      const from = isWhole ? 0 : random.whole(0, 1400);
      const until = isWhole ? 1440 : Math.min(1440, from + random.whole(1, 400));
      const valid_from = random.chance(0.2) ? instantAfter(random, first, DAYS) : null;
      const valid_until = random.chance(0.2)
        ? (valid_from ?? first) + random.whole(1, 48) * 60 * MINUTE
        : null;
      const row = { weekday, start_time: clock(from), end_time: clock(until), valid_from, valid_until };
      hours.push({ ...whose, ...row });
    }
  return hours;
}

const times = (random: Random, first: number, count: number, whose: readonly Whose[]): Times[] =>
  Array.from({ length: count }, () => {
    const starts_at = instantAfter(random, first, DAYS);
    return { ...random.pick(whose), starts_at, ends_at: starts_at + random.whole(1, 300) * MINUTE };
  });

const inText = (row: Times) => ({ ...row, starts_at: iso(row.starts_at), ends_at: iso(row.ends_at) });

const clock = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
