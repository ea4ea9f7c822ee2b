// GET /webhookdelivery lists the events of 30 days. POST /webhookdelivery/redeliver sends one again, and
// POST /webhooksubscription/test sends a test.

import {
  deliveryResource,
  type Requested,
  requestRedelivery,
  requestTest,
  STATUSES,
} from '../../changes/webhook-delivery.ts';
import { problem, violation } from '../../errors.ts';
import { int4 } from '../../model/field.ts';
import { form } from '../../model/form.ts';
import { type Garage, garageOf } from '../../model/garage.ts';
import { LIST_PARAMETERS } from '../../model/list-query.ts';
import { type Answer, success } from '../answer.ts';
import type { Call, Endpoint } from '../endpoint.ts';
import { once } from '../idempotency.ts';
import { integer, type OperationDoc, text } from '../openapi/operation.ts';
import { bodyErrors } from '../openapi/record-errors.ts';
import { listDoc as anyListDoc } from '../openapi/records.ts';
import { formSchema, object } from '../openapi/schema.ts';
import { list } from './records.ts';

const TAG = 'webhooksubscription';
const WHICH = form('request', { id: int4({ required: true }) });

export const deliveryEndpoints: Endpoint[] = [
  {
    path: '/webhookdelivery',
    methods: {
      GET: {
        needs: 'ADMIN',
        parameters: LIST_PARAMETERS,
        handle: (call) => list(deliveryResource, call),
        doc: listDoc,
      },
    },
  },
  requesting('/webhookdelivery/redeliver', requestRedelivery, {
    operationId: 'redeliverEvent',
    summary: 'Send an event again, with the same webhook-id',
    description:
      '`id` is that of `GET /webhookdelivery`. If the receiver fails, the tries begin anew with their pauses.',
    errors: [violation('key_forbids', { endpoint: 'GET /order' })],
  }),
  requesting('/webhooksubscription/test', requestTest, {
    operationId: 'testSubscription',
    summary: 'Send `{"type": "test"}` to a subscription',
    description: 'Signed and repeated like any event. `GET /webhookdelivery` shows how it went.',
  }),
];

function listDoc(): OperationDoc {
  return {
    ...anyListDoc(deliveryResource),
    tag: TAG,
    operationId: 'pageOfDeliveries',
    summary: 'List the events of 30 days, the newest first',
    description: 'One entry for each event and subscription, with its tries.',
  };
}

/** A request for a delivery: by the ID of an event, or of a subscription. */
function requesting(
  path: string,
  request: (garage: Garage, id: number) => Promise<Requested>,
  about: Pick<OperationDoc, 'operationId' | 'summary' | 'description' | 'errors'>,
): Endpoint {
  const doc = (): OperationDoc => ({
    ...about,
    tag: TAG,
    body: formSchema(WHICH),
    status: 202,
    data: object({ id: integer, status: { ...text, enum: STATUSES } }),
    requestHeaders: ['Idempotency-Key'],
    errors: [
      ...bodyErrors(WHICH.fields),
      violation('record_unknown', { field: 'id', value: 5 }),
      violation('subscription_inactive', { state: 'blocked' }),
      ...(about.errors ?? []),
    ],
  });
  const handle = (call: Call): Promise<Answer> =>
    once(call, call.body, async (session) => {
      const { id } = WHICH.read(call.body);
      const made = await request(garageOf(session, call.identity.owner), id);
      if (!made) throw problem('record_unknown', { field: 'id', value: id });
      if (made.inactive !== undefined) throw problem('subscription_inactive', { state: made.inactive });
      return success({ id: made.delivery, status: 'pending' }, 202);
    });
  return { path, methods: { POST: { needs: 'ADMIN', body: 'required', handle, doc } } };
}
