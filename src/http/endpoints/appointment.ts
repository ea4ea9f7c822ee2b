// PUT /appointment/swap: two appointments exchange their employees, their workplaces or their times.

import { SAME_TWICE, SWAP_FIELDS, type SwapField, swapAppointments } from '../../business/planning/swap.ts';
import { violation } from '../../core/errors.ts';
import { nameArray } from '../../core/model/bodies/array-field.ts';
import { form } from '../../core/model/bodies/form.ts';
import { type Field, reference } from '../../core/model/fields/field.ts';
import { refused } from '../../core/model/fields/value.ts';
import { serializer } from '../../core/model/records/serialize.ts';
import { garageOf } from '../../core/model/statements/garage.ts';
import { Appointment } from '../../core/resources/appointment.ts';
import { type Answer, successJson } from '../answer.ts';
import { type Call, type Endpoint, put } from '../endpoint.ts';
import { changeStates } from '../openapi/record-errors.ts';
import { ref } from '../openapi/schema.ts';

const APPOINTMENT = Appointment.resource;
const NAMED = 'swap fields';

const NAMES = nameArray({
  elements: () => SWAP_FIELDS,
  named: NAMED,
  fallback: [],
  description: 'What they exchange: `times` are start and end',
});

/** An empty array has the refusal of an unknown name. */
const FIELDS = {
  ...NAMES,
  required: true,
  check: (field, value, next) =>
    Array.isArray(value) && value.length === 0
      ? refused(violation('value_invalid', { field, value, validation: NAMED }))
      : NAMES.check(field, value, next),
} satisfies Field<string>;

const SWAP = form('swap', {
  first_id: reference('appointment', { required: true }),
  second_id: reference('appointment', { required: true, description: 'Another appointment' }),
  fields: FIELDS,
});

export const appointmentEndpoints: Endpoint[] = [
  put('/appointment/swap', {
    needs: 'USER',
    impliedBy: '/appointment',
    form: SWAP,
    handle: swap,
    doc: () => ({
      operationId: 'swapAppointments',
      summary: 'Exchange employees, workplaces or times of two appointments',
      description:
        'In one transaction, so nobody takes the times meanwhile. Both are judged as they are afterwards; each entry of `errors` ' +
        'names its appointment. Answers both, the first one first. The permission of PUT /appointment is enough.',
      data: { type: 'array', items: ref('appointment'), minItems: 2, maxItems: 2 },
      errors: [SAME_TWICE(5), ...changeStates, ...(APPOINTMENT.hooks.refuses?.write ?? [])],
    }),
  }),
];

async function swap({ services, actor, identity, body }: Call): Promise<Answer> {
  const { first_id, second_id, fields } = SWAP.read(body);
  const asked = { first_id, second_id, fields: JSON.parse(fields) as SwapField[] };
  const rows = await services.database.transaction(
    (session) => swapAppointments(garageOf(session, identity.owner), asked),
    actor,
  );
  return successJson(`[${rows.map(serializer(APPOINTMENT)).join()}]`, 200);
}
