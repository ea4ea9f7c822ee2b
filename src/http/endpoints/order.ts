// POST /order/{id}/flatrate: adds the lines of a flat rate to an order, all or none.

import { violation } from '../../errors.ts';
import { addFlatRate } from '../../invoicing/flat-rate.ts';
import { reference } from '../../model/field.ts';
import { findRecord } from '../../model/find.ts';
import { form } from '../../model/form.ts';
import { readExpand } from '../../model/list-query.ts';
import { recordJson } from '../../model/search.ts';
import { demandRecord, refuseState } from '../../model/store.ts';
import { Order } from '../../resources/order.ts';
import { type Answer, successJson } from '../answer.ts';
import type { Call, Endpoint } from '../endpoint.ts';
import { etag } from '../etag.ts';
import { once } from '../idempotency.ts';
import type { OperationDoc } from '../openapi/operation.ts';
import { addressErrors, bodyErrors, changeStates } from '../openapi/record-errors.ts';
import { formSchema, object, ref } from '../openapi/schema.ts';
import { readPrimaryId, requireId } from '../primary-id.ts';

const FLAT_RATE = form('flatrate', { flatrate_id: reference('flatrate', { required: true }) });

export const orderEndpoints: Endpoint[] = [
  {
    path: '/order/{id}/flatrate',
    methods: {
      POST: {
        readId: (address) => readPrimaryId(address, 'primary_id_invalid'),
        body: 'required',
        handle: addLines,
        doc: addLinesDoc,
      },
    },
  },
];

async function addLines(call: Call): Promise<Answer> {
  const { identity, body } = call;
  const order = Order.resource;
  const id = requireId(call);
  return once(call, body, async (session) => {
    refuseState(order, await demandRecord(session, order, identity.owner, id), {});
    await addFlatRate(session, identity.owner, id, FLAT_RATE.read(body).flatrate_id);
    const row = (await findRecord(session, order, identity.owner, id)) ?? {};
    const lines = readExpand(order, 'orderline');
    return successJson(await recordJson(session, order, identity.owner, row, order.columns, lines), 201, {
      ETag: etag(row),
    });
  });
}

function addLinesDoc(): OperationDoc {
  return {
    tag: 'order',
    operationId: 'addFlatRate',
    summary: 'Add the lines of a flat rate to an order',
    description:
      'All of them or none; a flat rate that is blocked, archived or empty is refused. Answers the order with its lines.',
    body: formSchema(FLAT_RATE),
    status: 201,
    data: {
      allOf: [ref('order'), object({ orderline: { type: 'array', items: ref('orderline') } })],
    },
    good: 'The order with its lines',
    headers: ['ETag'],
    requestHeaders: ['Idempotency-Key'],
    errors: [
      ...addressErrors,
      ...changeStates,
      violation('record_frozen', { resource: 'order', state: 'invoice' }),
      ...bodyErrors(FLAT_RATE.fields),
      violation('value_invalid', { field: 'line_kind', value: 1, validation: 'BPM order' }),
      violation('array_empty', { field: 'flatrateline' }),
    ],
  };
}
