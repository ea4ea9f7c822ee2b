// A garage with a full plan: as many hours as its employees and workplaces may have, and a month of appointments.
import type { Row } from '../src/core/model/fields/field.ts';
import type { Session } from '../src/core/model/statements/session.ts';
import { databaseTime } from '../src/core/trade/time/timestamp.ts';
import { writeRows } from '../test/support/database/many-rows.ts';

const DAY = 86_400_000;
const HOUR = DAY / 24;
const FIRST = Date.UTC(2027, 0, 1);
/** 31 days. */
const MONTH = Date.UTC(2027, 2, 1);
const WORKING_DAYS = 6;
/** The season of each row of a candidate whose hours change with the season. */
const SEASON = 22 * DAY;

const PLAN = { employees: 20, workplaces: 20, hoursOfEach: 200, appointments: 2_000 };

/** Adds the plan to an owner that has no workplaces. */
export async function fillPlan(database: Session, owner: number): Promise<void> {
  const write = (table: string, count: number, make: (index: number) => Row) =>
    writeRows(database, owner, { table, count }, make);
  const idsOf = async (table: string, what: Row): Promise<number[]> =>
    (
      await database
        .knex(table)
        .where({ owner_id: owner, ...what })
        .orderBy('id')
        .select('id')
    ).map(({ id }) => id);

  const name = 'of the full plan';
  await write('employees', PLAN.employees, () => ({ first_name: 'Jan', last_name: name, role_kind: 2 }));
  await write('workplaces', PLAN.workplaces, (index) => ({
    code: `L${index}`,
    name,
    workplace_kind: 1,
    sort_order: index,
  }));
  const employees = await idsOf('employees', { last_name: name });
  const workplaces = await idsOf('workplaces', { name });
  const owners = [
    ...employees.map((employee_id) => ({ employee_id, workplace_id: null })),
    ...workplaces.map((workplace_id) => ({ employee_id: null, workplace_id })),
  ];
  await write('workhours', owners.length * PLAN.hoursOfEach, (index) => {
    const row = index % PLAN.hoursOfEach;
    const whose = Math.floor(index / PLAN.hoursOfEach);
    return { ...owners[whose], ...(whose % 2 === 0 ? shortHours(row, whose) : seasonalHours(row)) };
  });
  await write('appointments', PLAN.appointments, (index) => {
    const [day, mechanic, turn] = [index % 31, Math.floor(index / 31) % 20, Math.floor(index / 620)];
    const start = MONTH + day * DAY + (7 + 3 * turn) * HOUR;
    return {
      employee_id: employees[mechanic] ?? null,
      workplace_id: workplaces[(7 * mechanic + turn) % 20] ?? null,
      starts_at: databaseTime(new Date(start)),
      ends_at: databaseTime(new Date(start + 2 * HOUR)),
    };
  });
  await database.knex.raw('ANALYZE TABLE workhours, appointments');
}

/** A day of stretches of a quarter of an hour, with a break behind each. */
function shortHours(row: number, whose: number): Row {
  const from = 420 + Math.floor(row / WORKING_DAYS) * 19 + (whose % 4);
  return { weekday: 1 + (row % WORKING_DAYS), start_time: clock(from), end_time: clock(from + 15) };
}

/** A morning and an afternoon, each for some weeks of the year. */
function seasonalHours(row: number): Row {
  const [season, isMorning] = [
    Math.floor(row / (2 * WORKING_DAYS)),
    Math.floor(row / WORKING_DAYS) % 2 === 0,
  ];
  return {
    weekday: 1 + (row % WORKING_DAYS),
    start_time: isMorning ? '08:00' : '13:00',
    end_time: isMorning ? '12:30' : '17:00',
    valid_from: databaseTime(new Date(FIRST + season * SEASON)),
    valid_until: databaseTime(new Date(FIRST + (season + 1) * SEASON)),
  };
}

const clock = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
