// GET /webhookdelivery lists the events of 30 days. POST /webhookdelivery/redeliver sends one again, and
// POST /webhooksubscription/test sends a test.

import { problem, violation } from '../../core/errors.ts';
import { form } from '../../core/model/bodies/form.ts';
import { int4 } from '../../core/model/fields/field.ts';
import { LIST_PARAMETERS } from '../../core/model/lists/list-query.ts';
import { type Garage, garageOf } from '../../core/model/statements/garage.ts';
import {
  deliveryResource,
  type Requested,
  requestRedelivery,
  requestTest,
  STATUSES,
} from '../../platform/changes/webhook-delivery.ts';
import { success } from '../answer.ts';
import { type Endpoint, get, post } from '../endpoint.ts';
import { once } from '../idempotency.ts';
import { integer, type OperationDoc, text } from '../openapi/operation.ts';
import { listDoc } from '../openapi/records.ts';
import { object } from '../openapi/schema.ts';
import { list } from './records.ts';

const TAG = 'webhooksubscription';
const WHICH = form('request', { id: int4({ required: true }) });

export const deliveryEndpoints: Endpoint[] = [
  get('/webhookdelivery', {
    needs: 'ADMIN',
    parameters: LIST_PARAMETERS,
    handle: (call) => list(deliveryResource, call),
    doc: () => ({
      ...listDoc(deliveryResource),
      tag: TAG,
      operationId: 'pageOfDeliveries',
      summary: 'List the events of 30 days, the newest first',
      description: 'One entry for each event and subscription, with its tries.',
    }),
  }),
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

/** A request for a delivery: by the ID of an event, or of a subscription. */
function requesting(
  path: string,
  request: (garage: Garage, id: number) => Promise<Requested>,
  { errors = [], ...about }: Pick<OperationDoc, 'operationId' | 'summary' | 'description' | 'errors'>,
): Endpoint {
  return post(path, {
    needs: 'ADMIN',
    form: WHICH,
    handle: (call) =>
      once(call, call.body, async (session) => {
        const { id } = WHICH.read(call.body);
        const made = await request(garageOf(session, call.identity.owner), id);
        if (!made) throw problem('record_unknown', { field: 'id', value: id });
        if (made.inactive !== undefined) throw problem('subscription_inactive', { state: made.inactive });
        return success({ id: made.delivery, status: 'pending' }, 202);
      }),
    doc: {
      ...about,
      tag: TAG,
      status: 202,
      good: 'Accepted: `GET /webhookdelivery` shows how it went',
      data: object({ id: integer, status: { ...text, enum: STATUSES } }),
      errors: [
        violation('record_unknown', { field: 'id', value: 5 }),
        violation('subscription_inactive', { state: 'blocked' }),
        ...errors,
      ],
    },
  });
}
