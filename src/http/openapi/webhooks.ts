// Describes what this service sends to a webhooksubscription: the body of an event and its headers.
import { ACTIONS, isLogged } from '../../model/change-log.ts';
import { allResources } from '../../model/registry.ts';
import { instant, integer, optionalText, text } from './operation.ts';
import { object, type SchemaObject } from './schema.ts';

const HEADERS: Readonly<Record<string, string>> = {
  'webhook-id': 'The ID of the event, the same on every try: take an event once',
  'webhook-timestamp': 'Seconds since 1970, of this try',
  'webhook-signature':
    '`v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`, keyed with the base64-decoded secret behind `whsec_`',
};

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
  const actions = Object.keys(ACTIONS);
  const data = object({
    seq: { ...integer, description: 'The place in the feed of changes: orders the events' },
    resource: { ...text, enum: names },
    id: { ...integer, description: 'The record' },
    external_id: optionalText,
    action: { ...text, enum: actions },
    version: { ...integer, description: 'The version of the record; goes up with each change' },
  });
  const types = names.flatMap((name) => actions.map((action) => `${name}.${action}`));
  return {
    change: hook('change', 'A record was added, changed or deleted', {
      ...object({ type: { ...text, enum: types }, timestamp: instant, data }),
      examples: [
        {
          type: 'order.updated',
          timestamp: '2026-05-01T10:30:00.000Z',
          data: { seq: 812, resource: 'order', id: 5, external_id: 'shop-7', action: 'updated', version: 3 },
        },
      ],
    }),
    test: hook('test', 'POST /webhooksubscription/test was called', object({ type: { const: 'test' } })),
  };
}

const hook = (name: string, summary: string, schema: SchemaObject): object => ({
  post: {
    tags: ['webhooksubscription'],
    operationId: `event_${name}`,
    summary,
    security: [],
    parameters: Object.entries(HEADERS).map(([header, description]) => ({
      name: header,
      in: 'header',
      required: true,
      description,
      schema: text,
    })),
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: RESPONSES,
  },
});
