// Fills the plan of a garage by SQL: with rows that no request may add any more, and with more rows than a drill has
// time to send.
import type { Row } from '../../../src/core/model/fields/field.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { databaseTime } from '../../../src/core/trade/time/timestamp.ts';
import type { Json } from '../../../test/support/client/client.ts';
import { writeRows } from '../../../test/support/database/many-rows.ts';
import type { Scene } from '../scene.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const DAYS = 365;
const MINUTES_A_DAY = 1440;

/** How many rows of each kind, all in one year. */
export const OLD = {
  year: 2026,
  /** The hours of one employee. */
  hours: 60_000,
  /** The rows of another employee; each row is valid for another part of the year. */
  seasons: 60_000,
  employees: 300,
  hoursOfEach: 40,
  absences: 100_000,
  appointments: 100_000,
  timeEntries: 100_000,
};
const FIRST = Date.UTC(OLD.year, 0, 1);

export async function fillPlan({ tenant, url, server }: Scene): Promise<void> {
  const add = async (resource: string, body: Json): Promise<number> => {
    const { status, data, text } = await tenant.ask(url, 'POST', `/${resource}`, body);
    if (status !== 201) throw new Error(`POST /${resource} answered ${status}: ${text}`);
    return data.id;
  };
  const hire = (name: string) =>
    add('employee', { first_name: 'Jan', last_name: name, role_kind: LISTS.rolekinds.USER });
  const write = (table: string, count: number, make: (index: number) => Row) =>
    writeRows(server.database, tenant.owner, { table, count }, make);

  const [daily, seasonal] = [await hire('daily'), await hire('seasonal')];
  const others: number[] = [];
  while (others.length < OLD.employees) others.push(await hire(`${others.length}`));
  const workplace_id = await add('workplace', { code: 'OLD', name: 'Brug', workplace_kind: 1 });

  await write('workhours', OLD.hours, (index) => ({ employee_id: daily, ...hoursAt(index) }));
  await write('workhours', OLD.seasons, (index) => ({
    employee_id: seasonal,
    ...hoursAt(index),
    valid_from: instant((index * 7_919) % (DAYS * DAY)),
    valid_until: instant(DAYS * DAY + index * 7_919),
  }));
  await write('workhours', others.length * OLD.hoursOfEach, (index) => ({
    employee_id: others[index % others.length] ?? null,
    ...hoursAt(index),
  }));
  await write('absences', OLD.absences, (index) => ({ employee_id: daily, ...timeAt(index, OLD.absences) }));
  await write('appointments', OLD.appointments, (index) => ({
    workplace_id,
    employee_id: seasonal,
    ...timeAt(index, OLD.appointments),
  }));
  await write('timeentries', OLD.timeEntries, (index) => {
    const { starts_at, ends_at } = timeAt(index, OLD.timeEntries);
    return { employee_id: seasonal, started_at: starts_at, ended_at: ends_at, hours: '0.0167' };
  });
}

const instant = (after: number) => databaseTime(new Date(FIRST + after));

/** Stretches of ten minutes, all over the week. Together they leave each night free. */
function hoursAt(index: number): Row {
  const from = 360 + ((index * 13) % (MINUTES_A_DAY - 600));
  return { weekday: 1 + (index % 7), start_time: clock(from), end_time: clock(from + 10) };
}

const clock = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** Intervals of a minute that fill the year evenly and do not touch. */
function timeAt(index: number, of: number) {
  const start = Math.floor(index * ((DAYS * DAY) / of));
  return { starts_at: instant(start), ends_at: instant(start + MINUTE) };
}
