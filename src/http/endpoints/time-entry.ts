// POST /timeentry/start and /timeentry/stop: an employee begins to work on something, and ends.

import { startEntry, stopEntry } from '../../business/workshop/time-entry.ts';
import { violation } from '../../core/errors.ts';
import { form } from '../../core/model/bodies/form.ts';
import { reference, text } from '../../core/model/fields/field.ts';
import { serializer } from '../../core/model/records/serialize.ts';
import { garageOf } from '../../core/model/statements/garage.ts';
import { TimeEntry } from '../../core/resources/time-entry.ts';
import { type Answer, successJson } from '../answer.ts';
import { type Call, type Endpoint, type JsonBody, post } from '../endpoint.ts';
import { etag } from '../etag.ts';
import { once } from '../idempotency.ts';
import { changeStates } from '../openapi/record-errors.ts';
import { ref } from '../openapi/schema.ts';
import { added, addressOf } from '../record-answer.ts';

const EMPLOYEE = {
  employee_id: reference('employee', { description: 'The caller if it is absent' }),
};
const START = form('start', {
  ...EMPLOYEE,
  order_id: reference('order'),
  orderline_id: reference('orderline', {
    description: 'If order_id is absent, the order of this line is taken',
  }),
  notes: text(),
});
const STOP = form('stop', EMPLOYEE);
const ENTRY = TimeEntry.resource;

export const timeEntryEndpoints: Endpoint[] = [
  post('/timeentry/start', {
    needs: 'USER',
    impliedBy: '/timeentry',
    form: START,
    handle: start,
    doc: {
      operationId: 'startTime',
      summary: 'Begin to work',
      description:
        'Ends the running entry of the employee in the same transaction; the new one begins there. The permission of ' +
        'POST /timeentry is enough.',
      status: 201,
      data: ref('timeentry'),
      headers: ['ETag', 'Location'],
      errors: [
        ...changeStates,
        violation('record_frozen', { resource: 'order', state: 'invoice' }),
        violation('value_invalid', { field: 'orderline_id', value: 5, validation: 'line of the order' }),
      ],
    },
  }),
  post('/timeentry/stop', {
    needs: 'USER',
    impliedBy: '/timeentry',
    form: STOP,
    handle: stop,
    doc: {
      operationId: 'stopTime',
      summary: 'End the work of an employee',
      description: 'Answers the entry that has ended. The permission of POST /timeentry is enough.',
      data: ref('timeentry'),
      headers: ['ETag', 'Content-Location'],
      errors: [violation('record_frozen', { resource: 'employee', state: 'not running' })],
    },
  }),
];

/** For an Idempotency-Key: without an employee the same body of another caller is another request. */
const withCaller = ({ identity, body }: Call): JsonBody => ({
  ...body,
  employee_id: body.employee_id ?? identity.employee,
});

function start(call: Call): Promise<Answer> {
  const { identity, body } = call;
  return once(call, withCaller(call), async (session) => {
    const { employee_id, order_id, orderline_id, notes } = START.read(body);
    const entry = await startEntry(garageOf(session, identity.owner), {
      employee_id: employee_id ?? identity.employee,
      order_id: order_id ?? undefined,
      orderline_id: orderline_id ?? undefined,
      notes: notes ?? undefined,
    });
    return added(call, ENTRY, entry, serializer(ENTRY)(entry));
  });
}

function stop(call: Call): Promise<Answer> {
  const { identity, body } = call;
  return once(call, withCaller(call), async (session) => {
    const { employee_id } = STOP.read(body);
    const entry = await stopEntry(garageOf(session, identity.owner), employee_id ?? identity.employee);
    // Anonymising finds the answers that are kept for Idempotency-Keys by the addresses of their records.
    const headers = { ETag: etag(entry), 'Content-Location': addressOf(call, ENTRY, entry) };
    return successJson(serializer(ENTRY)(entry), 200, headers);
  });
}
