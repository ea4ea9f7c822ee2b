// GET /planning/slots: when a car can come. GET /planning/load: how busy the garage is. GET /planning/conflicts: which
// appointments stand in an absence or outside the hours.

import { MOST_SLOTS, type SlotQuery } from '../../business/planning/board.ts';
import { type Conflict, readConflicts, TOO_MANY } from '../../business/planning/conflicts.ts';
import { GRID_MINUTES } from '../../business/planning/grid.ts';
import { type Days, readLoad } from '../../business/planning/load.ts';
import { findSlots } from '../../business/planning/slots.ts';
import { type Violation, violation } from '../../core/errors.ts';
import { refuse } from '../../core/model/bodies/check.ts';
import { choice, day, type Field, flag, int4, reference, timestamp } from '../../core/model/fields/field.ts';
import { garageOf } from '../../core/model/statements/garage.ts';
import { JSON_PIECE, Pieces } from '../../core/model/statements/piece.ts';
import { DAY_MS } from '../../core/trade/time/duration.ts';
import { utcDay } from '../../core/trade/time/timestamp.ts';
import { MINUTES_A_DAY } from '../../core/trade/time/wall-clock.ts';
import { milliseconds } from '../../core/trade/time/working-time.ts';
import { type Answer, success, successJson } from '../answer.ts';
import { type Call, type Endpoint, get } from '../endpoint.ts';
import { ENDS_BEFORE } from '../middleware/query-parameters.ts';
import { amount, instant, integer, optionalInteger, TOO_SLOW, text } from '../openapi/operation.ts';
import { list, object } from '../openapi/schema.ts';
import { query } from '../query.ts';
import { reading } from '../reading.ts';

const LONGEST_DAYS = 31;
const LOAD_DAYS = 366;

const WRONG_MINUTES = violation('parameter_invalid', {
  field: 'minutes',
  reason: `value must be a multiple of ${GRID_MINUTES} between ${GRID_MINUTES} and ${MINUTES_A_DAY}`,
});

const isOnGrid = (minutes: unknown) =>
  typeof minutes === 'number' &&
  minutes % GRID_MINUTES === 0 &&
  minutes >= GRID_MINUTES &&
  minutes <= MINUTES_A_DAY;

/** The length of a slot, with a refusal of its own. */
const MINUTES = {
  ...int4({
    required: true,
    min: GRID_MINUTES,
    max: MINUTES_A_DAY,
    description: `Length of a slot, a multiple of ${GRID_MINUTES}`,
    example: 60,
  }),
  parse: (text) => (/^\d{1,4}$/.test(text) ? Number(text) : undefined),
  check: (_, value) =>
    isOnGrid(value) ? { stored: Number(value) } : { stored: null, violation: WRONG_MINUTES },
} satisfies Field<number>;

const SLOTS = query(
  {
    from: timestamp({
      required: true,
      description: 'First instant of a slot',
      example: '2026-05-01T06:00:00Z',
    }),
    until: timestamp({
      required: true,
      description: `Instant by which a slot ends, at most ${LONGEST_DAYS} days later`,
      example: '2026-05-08T06:00:00Z',
    }),
    minutes: MINUTES,
    workplace_kind: choice('workplacekinds', {
      description: 'Only such workplaces: a value of `workplacekinds`',
    }),
    function_kind: choice('functionkinds', {
      description: 'Only such employees: a value of `functionkinds`',
    }),
    employee_id: reference('employee', { description: 'Only this employee' }),
    workplace_id: reference('workplace', { description: 'Only this workplace' }),
    without_appointment: reference('appointment', {
      description: 'An appointment whose own time counts as free: to move it, or to give it to a colleague',
    }),
    is_over_breaks: flag({
      description:
        '1: a slot may pass breaks of its day, absences too, but not a night. `minutes` count where both work',
    }),
  },
  { minutes: { schema: { ...MINUTES.schema, multipleOf: GRID_MINUTES } } },
);

const DAYS = query({
  from: day({ required: true, description: 'First day', example: '2026-05-01' }),
  to: day({
    required: true,
    description: `Last day, at most ${LOAD_DAYS} days later`,
    example: '2026-05-07',
  }),
});

export const planningEndpoints: Endpoint[] = [
  get('/planning/slots', {
    needs: 'READONLY',
    query: SLOTS,
    handle: slots,
    doc: () => ({
      operationId: 'readSlots',
      summary: 'Free slots: when an employee and a workplace are both free',
      description:
        `One slot for each start, on a grid of ${GRID_MINUTES} minutes, by time, at most ${MOST_SLOTS}: with the employee of the ` +
        'lowest ID for whom a workplace is free throughout, and the first such workplace by `sort_order`. Employees without ' +
        'working hours are never offered. To book a slot, send its four fields as an appointment: `POST /appointment`, or ' +
        '`appointment` of `POST /order`; with `is_over_breaks` if it was asked for.',
      answer: object({
        successCode: { type: 'integer', const: 200 },
        data: list({ starts_at: instant, ends_at: instant, employee_id: integer, workplace_id: integer }),
        has_more: { type: 'boolean', description: 'Whether there are later slots' },
      }),
      good: 'The free slots',
      errors: [
        WRONG_MINUTES,
        NO_INSTANT,
        violation('value_invalid', { field: 'workplace_kind', value: 99, validation: 'workplacekinds' }),
        violation('reference_unknown', { field: 'employee_id', value: 77 }),
        ...TOO_SLOW,
      ],
    }),
  }),
  get('/planning/load', {
    needs: 'READONLY',
    query: DAYS,
    handle: load,
    doc: () => ({
      operationId: 'readLoad',
      summary: 'The load of each day: hours that the employees have, are booked for and have worked',
      description:
        "Days of the garage's calendar. Capacity is working time without absences; planned are all appointments of employees " +
        'but cancelled and missed ones. Worked are the time entries that have ended.',
      data: list({
        date: { type: 'string', format: 'date' },
        capacity_hours: amount,
        planned_hours: amount,
        worked_hours: amount,
      }),
      good: 'The load of each day',
      errors: [ENDS_BEFORE, endOf('to', `be at most ${LOAD_DAYS} days after from`), NO_INSTANT, ...TOO_SLOW],
    }),
  }),
  get('/planning/conflicts', {
    needs: 'READONLY',
    query: DAYS,
    handle: conflicts,
    doc: () => ({
      operationId: 'readConflicts',
      summary: 'Appointments that stand in an absence or outside the working hours',
      description:
        'By start and ID: an absence that is entered later touches no appointment. One entry for each absence, and one if the ' +
        'appointment stands outside the hours of its employee or its workplace. With `is_overtime` 1 hours do not count; with ' +
        '`is_over_breaks` 1 only those of start and end do. Cancelled and missed appointments are left out.',
      data: list({
        appointment_id: integer,
        starts_at: instant,
        ends_at: instant,
        employee_id: optionalInteger,
        workplace_id: optionalInteger,
        reason: { ...text, enum: ['absence', 'hours'] },
        absence_id: { ...optionalInteger, description: 'null if the reason is `hours`' },
      }),
      good: 'The conflicts',
      errors: [
        ENDS_BEFORE,
        endOf('to', `be at most ${LOAD_DAYS} days after from`),
        TOO_MANY,
        NO_INSTANT,
        ...TOO_SLOW,
      ],
    }),
  }),
];

async function slots(call: Call): Promise<Answer> {
  const query = readSlotQuery(call);
  const { slots, hasMore } = await reading(call, true, (session) =>
    findSlots(garageOf(session, call.identity.owner), query),
  );
  const data = slots.map(({ start, end, employee, workplace }) => ({
    starts_at: new Date(start).toISOString(),
    ends_at: new Date(end).toISOString(),
    employee_id: employee,
    workplace_id: workplace,
  }));
  return { status: 200, body: JSON.stringify({ successCode: 200, data, has_more: hasMore }) };
}

async function load(call: Call): Promise<Answer> {
  const days = readDays(call);
  return success(
    await reading(call, true, (session) => readLoad(garageOf(session, call.identity.owner), days)),
  );
}

async function conflicts(call: Call): Promise<Answer> {
  const days = readDays(call);
  const found = await reading(call, true, (session) =>
    readConflicts(garageOf(session, call.identity.owner), days),
  );
  const pieces = new Pieces(JSON_PIECE);
  const json: string[] = [];
  for (const conflict of found) {
    const text = conflictJson(conflict);
    json.push(text);
    const pause = pieces.add(text.length);
    if (pause) await pause;
  }
  return successJson(`[${json.join()}]`);
}

const conflictJson = ({ appointment, absence }: Conflict): string =>
  JSON.stringify({
    appointment_id: appointment.id,
    starts_at: new Date(appointment.start).toISOString(),
    ends_at: new Date(appointment.end).toISOString(),
    employee_id: appointment.employee_id,
    workplace_id: appointment.workplace_id,
    reason: absence === null ? 'hours' : 'absence',
    absence_id: absence,
  });

function readSlotQuery({ parameters }: Call): SlotQuery {
  const read = SLOTS.read(parameters);
  const { from, until, minutes, workplace_kind, function_kind } = read;
  const within = { start: milliseconds(from), end: milliseconds(until) };
  const length = within.end - within.start;
  refuse(length > 0 ? unlessLong('until', length, LONGEST_DAYS) : [endOf('until', 'be after from')]);
  return {
    within,
    minutes,
    workplaceKind: workplace_kind ?? undefined,
    functionKind: function_kind ?? undefined,
    employee: read.employee_id ?? undefined,
    workplace: read.workplace_id ?? undefined,
    withoutAppointment: read.without_appointment ?? undefined,
    overBreaks: read.is_over_breaks === 1,
  };
}

function readDays({ parameters }: Call): Days {
  const { from, to } = DAYS.read(parameters);
  const length = milliseconds(to) - milliseconds(from);
  refuse(length >= 0 ? unlessLong('to', length, LOAD_DAYS) : [ENDS_BEFORE]);
  return { from: utcDay(from), to: utcDay(to) };
}

const unlessLong = (field: string, length: number, days: number): Violation[] =>
  length > days * DAY_MS ? [endOf(field, `be at most ${days} days after from`)] : [];

const endOf = (field: string, must: string): Violation =>
  violation('parameter_invalid', { field, reason: `value must ${must}` });

const NO_INSTANT = violation('value_wrong_type', {
  field: 'from',
  value: 'x',
  datatype: 'timestamp(ISO 8601)',
});
