// The description of long-running requests.
import { type Violation, violation } from '../../errors.ts';
import type { Fields } from '../../model/field.ts';
import type { Form } from '../../model/form.ts';
import { LISTS, lowerNameOf } from '../../trade/lists.ts';
import { GENERATE } from '../document-generation.ts';
import { BACKUP, REDELIVER } from '../jobs.ts';
import {
  instant,
  integer,
  type OperationDoc,
  optionalInstant,
  optionalInteger,
  optionalText,
  PAGING,
  type ParameterDoc,
  text,
  uuid,
} from './operation.ts';
import { bodyErrors } from './record-errors.ts';
import { formSchema, object, ref, type SchemaObject } from './schema.ts';

const tag = 'long-running requests';
const id: ParameterDoc = { description: 'ID of a job', schema: uuid };
const unknown = violation('record_unknown', { field: 'id', value: '0b0e7f4e-9a1b-4a1e-8f3c-1b2f3a4d5e6f' });
const malformed = violation('primary_id_malformed');
const differing = violation('primary_id_invalid');
const asked = object({ job_id: uuid, status: text });
const states = Object.values(LISTS.jobstatuses).map((status) => lowerNameOf('jobstatuses', status));

export const jobSchemas: Record<string, SchemaObject> = {
  job: object(
    {
      id: uuid,
      job_id: uuid,
      kind: text,
      status: { type: 'string', enum: states },
      progress: { ...integer, minimum: 0, maximum: 100 },
      created_at: instant,
      started_at: optionalInstant,
      finished_at: optionalInstant,
      error: optionalText,
      callbacks: {
        type: 'array',
        items: object({ at: instant, status: optionalInteger, error: optionalText }),
        description: 'The attempts to call the webhook_url',
      },
    },
    { description: 'A long-running request' },
  ),
};

/** A request that is answered 202; `errors` are those besides what its fields are refused with. */
const longRunning = (
  operationId: string,
  summary: string,
  form: Form<Fields>,
  errors: readonly Violation[] = [],
): OperationDoc => ({
  tag,
  operationId,
  summary,
  description:
    'Answered at once; when the work is over the webhook_url is called, and GET /webhook gives the address of the result.',
  body: formSchema(form),
  status: 202,
  data: asked,
  headers: ['Location'],
  requestHeaders: ['Idempotency-Key'],
  errors: [...bodyErrors(Object.entries(form.fields)), ...errors],
});

export const jobDocs: Record<string, OperationDoc> = {
  'POST /backup/owner': longRunning('backupOwner', 'Back up the whole garage into one zip', BACKUP),
  'POST /document/generate': longRunning(
    'generateDocuments',
    'Make a PDF of each order; the zip has an index.csv, and each PDF becomes a document of its order',
    GENERATE,
    [
      violation('array_empty', { field: 'order_ids' }),
      violation('reference_unknown', { field: 'order_ids', value: 5 }),
      violation('value_invalid', { field: 'order_ids', value: 5, validation: 'invoiced order' }),
    ],
  ),
  'GET /job': {
    tag,
    operationId: 'listJobs',
    summary: 'List jobs, the newest first',
    description: '`/job?id=` is `/job/{id}`.',
    parameters: { ...PAGING, cursor: { description: '`next` of the page before. Not together with `page`' } },
    answer: object({
      successCode: { type: 'integer', const: 200 },
      data: { type: 'array', items: ref('job') },
      page: { type: ['integer', 'null'], description: 'null where a cursor was used' },
      page_size: integer,
      has_more: { type: 'boolean' },
      next: { type: ['string', 'null'] },
    }),
    errors: [violation('parameter_invalid', { field: 'page', reason: 'value must be greater than 0' })],
  },
  'GET /job/{id}': {
    tag,
    operationId: 'readJob',
    summary: 'How a job is doing',
    parameters: { id },
    data: ref('job'),
    errors: [malformed, differing, unknown],
  },
  'DELETE /job': cancel('cancelJob'),
  'DELETE /job/{id}': cancel('cancelJobById'),
  'POST /job/redeliver': {
    tag,
    operationId: 'redeliver',
    summary: 'Call the webhook_url of a finished job again',
    body: formSchema(REDELIVER),
    status: 202,
    data: asked,
    errors: [
      ...bodyErrors(Object.entries(REDELIVER.fields)),
      malformed,
      unknown,
      violation('job_not_called_back', { status: 'running' }),
    ],
  },
  'GET /webhook': {
    tag,
    operationId: 'readResult',
    summary: 'The result of a job, by the secret of its callback',
    parameters: { id: { description: 'The secret UUID of the callback', required: true, schema: uuid } },
    data: object(
      {
        url: {
          type: ['string', 'null'],
          format: 'uri',
          description: 'Signed address of the file, valid for 24 hours',
        },
        status: { type: 'string', enum: states },
        size: integer,
        sha256: text,
        expires_at: instant,
        message: { ...text, description: 'Why a job failed' },
      },
      { required: ['url', 'status'] },
    ),
    errors: [violation('parameters_required', { fields: ['id'] }), malformed, unknown],
  },
};

function cancel(operationId: string): OperationDoc {
  return {
    tag,
    operationId,
    summary: 'Cancel a job that is not over; it is not called back',
    parameters: { id: { ...id, required: true } },
    data: object({ id: uuid }),
    errors: [malformed, differing, unknown, violation('job_over', { status: 'done' })],
  };
}
