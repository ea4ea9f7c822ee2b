// GET /planning/slots: when a car can come. GET /planning/load: how busy the garage is.
import { type Violation, violation } from '../../errors.ts';
import { collected, refuse } from '../../model/check.ts';
import { choice, day, type Field, type Stored, timestamp } from '../../model/field.ts';
import { garageOf } from '../../model/garage.ts';
import { wireName } from '../../model/value.ts';
import { type Days, readLoad } from '../../planning/load.ts';
import { findSlots, GRID_MINUTES, type SlotQuery } from '../../planning/slots.ts';
import { DAY, MINUTES_A_DAY } from '../../trade/wall-clock.ts';
import { milliseconds } from '../../trade/working-time.ts';
import { type Answer, success } from '../answer.ts';
import type { Call, Endpoint } from '../endpoint.ts';
import { ENDS_BEFORE, requireParameters } from '../middleware/query-parameters.ts';
import { instant, integer, type OperationDoc, type ParameterDoc } from '../openapi/operation.ts';
import { object } from '../openapi/schema.ts';
import { reading } from '../reading.ts';

const LONGEST_DAYS = 31;
const LOAD_DAYS = 366;

type Parameters = Call['parameters'];

export const planningEndpoints: Endpoint[] = [
  {
    path: '/planning/slots',
    methods: {
      GET: {
        needs: 'READONLY',
        parameters: ['from', 'until', 'minutes', 'workplace_kind', 'function_kind'],
        handle: slots,
        doc: slotsDoc,
      },
    },
  },
  {
    path: '/planning/load',
    methods: { GET: { needs: 'READONLY', parameters: ['from', 'to'], handle: load, doc: loadDoc } },
  },
];

async function slots(call: Call): Promise<Answer> {
  const query = readSlotQuery(call.parameters);
  const found = await reading(call, true, (session) =>
    findSlots(garageOf(session, call.identity.owner), query),
  );
  return success(
    found.map(({ start, end, employee, workplace }) => ({
      starts_at: new Date(start).toISOString(),
      ends_at: new Date(end).toISOString(),
      employee_id: employee,
      workplace_id: workplace,
    })),
  );
}

async function load(call: Call): Promise<Answer> {
  const days = readDays(call.parameters);
  return success(
    await reading(call, true, (session) => readLoad(garageOf(session, call.identity.owner), days)),
  );
}

const INSTANT = timestamp();
const DATE = day();
const WORKPLACE_KIND = choice('workplacekinds');
const FUNCTION_KIND = choice('functionkinds');

function readSlotQuery(parameters: Parameters): SlotQuery {
  requireParameters(parameters, ['from', 'until', 'minutes']);
  const { from, until, minutes, workplaceKind, functionKind } = collected({
    from: () => readParameter(parameters, 'from', INSTANT),
    until: () => readParameter(parameters, 'until', INSTANT),
    minutes: () => readMinutes(parameters.get('minutes')),
    workplaceKind: () => readParameter(parameters, 'workplace_kind', WORKPLACE_KIND),
    functionKind: () => readParameter(parameters, 'function_kind', FUNCTION_KIND),
  });
  const within = { start: milliseconds(String(from)), end: milliseconds(String(until)) };
  const length = within.end - within.start;
  refuse(length > 0 ? unlessLong('until', length, LONGEST_DAYS) : [endOf('until', 'be after from')]);
  return { within, minutes, workplaceKind, functionKind };
}

function readDays(parameters: Parameters): Days {
  requireParameters(parameters, ['from', 'to']);
  const { from, to } = collected({
    from: () => readParameter(parameters, 'from', DATE),
    to: () => readParameter(parameters, 'to', DATE),
  });
  const length = milliseconds(String(to)) - milliseconds(String(from));
  refuse(length >= 0 ? unlessLong('to', length, LOAD_DAYS) : [ENDS_BEFORE]);
  return { from: String(from).slice(0, 10), to: String(to).slice(0, 10) };
}

const unlessLong = (field: string, length: number, days: number): Violation[] =>
  length > days * DAY ? [endOf(field, `be at most ${days} days after from`)] : [];

const endOf = (field: string, must: string): Violation =>
  violation('parameter_invalid', { field, reason: `value must ${must}` });

/** The value of a parameter in stored form; undefined if the parameter is missing. Throws Problem. */
function readParameter<Value extends Stored>(
  parameters: Parameters,
  name: string,
  field: Field<Value>,
): NonNullable<Value> | undefined {
  const text = parameters.get(name);
  if (!text) return undefined;
  const parsed = field.parse(text);
  const datatype = wireName(field.datatype);
  if (parsed === undefined) refuse([violation('value_wrong_type', { field: name, value: text, datatype })]);
  // A body has a number for an int4, and a text for a timestamp.
  const { stored, violation: wrong } = field.check(name, field.datatype === 'int4' ? parsed : text, {});
  if (wrong) refuse([wrong]);
  return stored as NonNullable<Value>;
}

function readMinutes(text = ''): number {
  const minutes = Number(text);
  const isOnGrid = /^\d{1,4}$/.test(text) && minutes % GRID_MINUTES === 0;
  if (!isOnGrid || minutes < GRID_MINUTES || minutes > MINUTES_A_DAY) refuse([WRONG_MINUTES]);
  return minutes;
}

const WRONG_MINUTES = violation('parameter_invalid', {
  field: 'minutes',
  reason: `value must be a multiple of ${GRID_MINUTES} between ${GRID_MINUTES} and ${MINUTES_A_DAY}`,
});

const required = (description: string, example: string): ParameterDoc => ({
  description,
  required: true,
  example,
});

function slotsDoc(): OperationDoc {
  return {
    tag: 'planning',
    operationId: 'readSlots',
    summary: 'Free slots: when an employee and a workplace are both free',
    description:
      `One slot for each start, on a grid of ${GRID_MINUTES} minutes, by time, at most 100: with the free employee of the ` +
      'lowest ID, and the free workplace that comes first by `sort_order`. Employees without working hours are never ' +
      'offered. To book a slot, send its four fields as an appointment: `POST /appointment`, or `appointment` of `POST /order`.',
    parameters: {
      from: { ...required('First instant of a slot', '2026-05-01T06:00:00Z'), schema: instant },
      until: {
        ...required(
          `Instant by which a slot ends, at most ${LONGEST_DAYS} days later`,
          '2026-05-08T06:00:00Z',
        ),
        schema: instant,
      },
      minutes: {
        ...required(`Length of a slot, a multiple of ${GRID_MINUTES}`, '60'),
        example: 60,
        schema: { ...integer, minimum: GRID_MINUTES, maximum: MINUTES_A_DAY, multipleOf: GRID_MINUTES },
      },
      workplace_kind: { description: 'Only such workplaces: a value of `workplacekinds`', schema: integer },
      function_kind: { description: 'Only such employees: a value of `functionkinds`', schema: integer },
    },
    data: {
      type: 'array',
      items: object({ starts_at: instant, ends_at: instant, employee_id: integer, workplace_id: integer }),
    },
    good: 'The free slots',
    errors: [
      violation('parameters_required', { fields: ['from', 'until'] }),
      WRONG_MINUTES,
      violation('value_wrong_type', { field: 'from', value: 'x', datatype: 'timestamp(ISO 8601)' }),
      violation('value_invalid', { field: 'workplace_kind', value: 99, validation: 'workplacekinds' }),
      violation('request_too_slow'),
      violation('request_advice'),
    ],
  };
}

function loadDoc(): OperationDoc {
  const hours = { type: 'number', format: 'double' } as const;
  const date = { type: 'string', format: 'date' } as const;
  return {
    tag: 'planning',
    operationId: 'readLoad',
    summary: 'The load of each day: hours that the employees have, are booked for and have worked',
    description:
      "Days of the garage's calendar. Capacity is working time without absences; planned are all appointments of employees " +
      'but cancelled and missed ones. Worked are the time entries that have ended.',
    parameters: {
      from: { ...required('First day', '2026-05-01'), schema: date },
      to: { ...required(`Last day, at most ${LOAD_DAYS} days later`, '2026-05-07'), schema: date },
    },
    data: {
      type: 'array',
      items: object({ date, capacity_hours: hours, planned_hours: hours, worked_hours: hours }),
    },
    good: 'The load of each day',
    errors: [
      violation('parameters_required', { fields: ['from', 'to'] }),
      ENDS_BEFORE,
      endOf('to', `be at most ${LOAD_DAYS} days after from`),
      violation('value_wrong_type', { field: 'from', value: 'x', datatype: 'timestamp(ISO 8601)' }),
      violation('request_too_slow'),
      violation('request_advice'),
    ],
  };
}
