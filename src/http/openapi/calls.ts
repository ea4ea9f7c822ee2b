// Describes the calls that the service makes: the callback of a job that is over, and the events of a subscription.

import { allResources } from '../../core/model/records/registry.ts';
import { ACTION_NAMES } from '../../core/model/writes/change-action.ts';
import { isLogged } from '../../core/model/writes/change-log.ts';
import { instant, integer, optionalText, text, uuid } from './operation.ts';
import { object, type SchemaObject } from './schema.ts';

const header = (name: string, description: string, schema: SchemaObject = text): SchemaObject => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
});

const IN_BODY = '{$request.body#/webhook_url}';
export const IN_QUERY = '{$request.query.webhook_url}';

/** As in `callbacks` of an operation: by the place of the address in the request. `operationId` must be unique. */
export const jobCallback = (operationId: string, address = IN_BODY): SchemaObject => ({
  [address]: {
    get: {
      operationId,
      summary: 'The job is over: done or failed',
      description:
        'Made by the service. `GET /webhook` with this `id` and a token then tells the result. Redirects are not followed. ' +
        'Any other answer than 2xx, or none within 10 seconds: the service calls again after 5 s, 30 s, 2 min, 10 min, 1 h, ' +
        '6 h and 24 h. The signature covers the address, because the call has no body; the stock libraries of Standard ' +
        'Webhooks sign a body and do not verify it.',
      security: [],
      parameters: [
        {
          name: 'id',
          in: 'query',
          required: true,
          description:
            'Secret of the job, for `GET /webhook`. It takes the place of an `id` in the webhook_url',
          schema: uuid,
        },
        header('webhook-id', "The job's ID, the same in every try", uuid),
        header('webhook-timestamp', 'When the call was made, in seconds since 1970'),
        header(
          'webhook-signature',
          '`v1,` and the base64 of the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<full address, with id>`, keyed with ' +
            "the UTF-8 bytes of the API key's webhook_secret",
        ),
      ],
      responses: {
        '2XX': { description: 'Taken. The body is not read' },
        '4XX': { description: 'Not taken, such as a call with a wrong signature: the service calls again' },
      },
    },
  },
});

const EVENT_HEADERS = [
  header('webhook-id', 'The ID of the event, the same on every try: take an event once'),
  header('webhook-timestamp', 'Seconds since 1970, of this try'),
  header(
    'webhook-signature',
    '`v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`, keyed with the base64-decoded secret behind `whsec_`',
  ),
];

const RESPONSES = {
  '2XX': { description: 'Taken. At most 1 KiB of the answer is read' },
  410: { description: 'No more events: the subscription is blocked' },
  default: {
    description:
      'Sent again after 5 s, 30 s, 2 min, 10 min, 1 h, 6 h and 24 h; so is an event without an answer after 10 s. Redirects are not followed',
  },
};

/** The `webhooks` of the document. */
export function eventWebhooks(): object {
  const resources = allResources().filter(isLogged);
  const names = resources.map(({ name }) => name);
  const data = object({
    seq: { ...integer, description: 'The place in the feed of changes: orders the events' },
    resource: { ...text, enum: names },
    id: { ...integer, description: 'The record' },
    external_id: optionalText,
    action: { ...text, enum: ACTION_NAMES },
    version: { ...integer, description: 'The version of the record; goes up with each change' },
  });
  const types = names.flatMap((name) => ACTION_NAMES.map((action) => `${name}.${action}`));
  return {
    change: hook('change', 'A record was added, changed or deleted', CHANGED, {
      ...object({ type: { ...text, enum: types }, timestamp: instant, data }),
      examples: [
        {
          type: 'order.updated',
          timestamp: '2026-05-01T10:30:00.000Z',
          data: { seq: 812, resource: 'order', id: 5, external_id: 'shop-7', action: 'updated', version: 3 },
        },
      ],
    }),
    test: hook(
      'test',
      'POST /webhooksubscription/test was called',
      TESTED,
      object({ type: { ...text, const: 'test' } }),
    ),
  };
}

const CHANGED =
  'Sent to each subscription that names the resource and the action. An event has no values: read the record. It may come twice, ' +
  'and events may come in another order: sort them by `seq`.';
const TESTED = 'Signed and repeated like any event, so that a receiver can be tried out.';

const hook = (name: string, summary: string, description: string, schema: SchemaObject): object => ({
  post: {
    tags: ['webhooksubscription'],
    operationId: `event_${name}`,
    summary,
    description,
    security: [],
    parameters: EVENT_HEADERS,
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: RESPONSES,
  },
});
