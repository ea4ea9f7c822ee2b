// GET /webhookdelivery lists the events of 30 days, POST /webhookdelivery/redeliver sends one again.

import { type Requested, requestRedelivery, STATUSES } from '../../changes/webhook-delivery.ts';
import { problem, violation } from '../../errors.ts';
import { deliveryResource } from '../../events/webhook-delivery-resource.ts';
import { int4 } from '../../model/field.ts';
import { form } from '../../model/form.ts';
import { LIST_PARAMETERS } from '../../model/list-query.ts';
import { type Answer, success } from '../answer.ts';
import type { Call, Endpoint } from '../endpoint.ts';
import { integer, type OperationDoc, text } from '../openapi/operation.ts';
import { bodyErrors } from '../openapi/record-errors.ts';
import { listDoc as anyListDoc } from '../openapi/records.ts';
import { formSchema, object } from '../openapi/schema.ts';
import { list } from './records.ts';

const TAG = 'webhooksubscription';
const REDELIVER = form('redeliver', { id: int4({ required: true }) });
/** The `data` of a 202. */
export const REQUESTED = object({ id: integer, status: { ...text, enum: STATUSES } });

export const deliveryEndpoints: Endpoint[] = [
  {
    path: '/webhookdelivery',
    methods: {
      GET: { parameters: LIST_PARAMETERS, handle: (call) => list(deliveryResource, call), doc: listDoc },
    },
  },
  {
    path: '/webhookdelivery/redeliver',
    methods: { POST: { body: 'required', handle: redeliver, doc: redeliverDoc } },
  },
];

async function redeliver({ services, identity, body }: Call): Promise<Answer> {
  const { id } = REDELIVER.read(body);
  const made = await requestRedelivery(services.database, identity.owner, id);
  if (!made) throw problem('record_unknown', { field: 'id', value: id });
  return requested(made);
}

/** 202 with the ID of the delivery. Throws 409 if the subscription gets no events. */
export function requested({ inactive, delivery }: NonNullable<Requested>): Answer {
  if (inactive !== undefined) throw problem('subscription_inactive', { state: inactive });
  return success({ id: delivery, status: 'pending' }, 202);
}

function listDoc(): OperationDoc {
  return {
    ...anyListDoc(deliveryResource),
    tag: TAG,
    operationId: 'pageOfDeliveries',
    summary: 'List the events of 30 days, the newest first',
    description: 'One entry for each event and subscription, with its tries.',
  };
}

function redeliverDoc(): OperationDoc {
  return {
    tag: TAG,
    operationId: 'redeliverEvent',
    summary: 'Send an event again, with the same webhook-id',
    body: formSchema(REDELIVER),
    status: 202,
    data: REQUESTED,
    errors: [
      ...bodyErrors(REDELIVER.fields),
      violation('record_unknown', { field: 'id', value: 5 }),
      violation('subscription_inactive', { state: 'blocked' }),
    ],
  };
}
