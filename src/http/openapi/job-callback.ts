// Describes the call that the service makes when a job is over.
import { text, uuid } from './operation.ts';
import type { SchemaObject } from './schema.ts';

const header = (name: string, description: string, schema: SchemaObject = text): SchemaObject => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
});

const IN_BODY = '{$request.body#/webhook_url}';
export const IN_QUERY = '{$request.query.webhook_url}';

/**
 * As `callbacks` of an operation has it: by the place of the address in the request. `operationId` must be unique.
 */
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
