// The jobs of long-running requests: /job shows and cancels them, /job/redeliver calls back again.
import { problem, violation } from '../errors.ts';
import { requestCallback } from '../jobs/callback-turn.ts';
import { cancelJob, isOver, statusName } from '../jobs/job.ts';
import { text } from '../model/field.ts';
import { form } from '../model/form.ts';
import { LISTS } from '../trade/lists.ts';
import { type Answer, success } from './answer.ts';
import type { Address, Call, Endpoint } from './endpoint.ts';
import { PLACE, pageOfJobs, showJob } from './job-view.ts';
import { ACCEPTED, TAG } from './long-running.ts';
import { integer, type OperationDoc, PAGING, type ParameterDoc, uuid } from './openapi/operation.ts';
import { bodyErrors } from './openapi/record-errors.ts';
import { formSchema, object, ref } from './openapi/schema.ts';
import { addressedId, readUuid } from './primary-id.ts';

const { DONE, FAILED } = LISTS.jobstatuses;
const REDELIVER = form('redeliver', { id: text({ required: true }) });

export const jobEndpoints: Endpoint[] = [
  {
    path: '/job',
    byId: true,
    methods: {
      GET: { parameters: ['id', ...PLACE], handle: readJobs, doc: listDoc, docById: readDoc },
      DELETE: {
        parameters: ['id'],
        handle: cancel,
        doc: () => cancelDoc('cancelJob'),
        docById: () => cancelDoc('cancelJobById'),
      },
    },
  },
  {
    path: '/job/redeliver',
    methods: { POST: { body: 'required', handle: redeliver, doc: redeliverDoc } },
  },
];

async function readJobs(call: Call): Promise<Answer> {
  const { parts, identity, parameters } = call;
  if (call.pathId !== undefined || parameters.has('id')) {
    const id = jobId(call);
    const job = await showJob(parts.database, identity.owner, id);
    if (!job) throw problem('record_unknown', { field: 'id', value: id });
    return success(job);
  }
  return { status: 200, body: JSON.stringify(await pageOfJobs(parts.database, identity.owner, parameters)) };
}

async function cancel(call: Call): Promise<Answer> {
  const id = jobId(call);
  const status = await cancelJob(call.parts.database, call.identity.owner, id);
  if (status === undefined) throw problem('record_unknown', { field: 'id', value: id });
  if (isOver(status)) throw problem('job_over', { status: statusName(status) });
  call.parts.jobs.poke(id);
  return success({ id });
}

async function redeliver(call: Call): Promise<Answer> {
  const { id } = REDELIVER.read(call.body);
  const status = await requestCallback(call.parts.database, call.identity.owner, readUuid(id));
  if (status === undefined) throw problem('record_unknown', { field: 'id', value: id });
  if (status !== DONE && status !== FAILED)
    throw problem('job_not_called_back', { status: statusName(status) });
  return success({ job_id: id, status: statusName(status) }, 202);
}

function jobId(address: Address): string {
  const { id, isOne } = addressedId(address);
  if (!isOne) throw problem('primary_id_invalid');
  return readUuid(id);
}

const JOB_ID: ParameterDoc = { description: 'ID of a job', schema: uuid };
const unknown = violation('record_unknown', { field: 'id', value: '0b0e7f4e-9a1b-4a1e-8f3c-1b2f3a4d5e6f' });
const malformed = violation('primary_id_malformed');
const differing = violation('primary_id_invalid');

function listDoc(): OperationDoc {
  return {
    tag: TAG,
    operationId: 'pageOfJobs',
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
  };
}

function readDoc(): OperationDoc {
  return {
    tag: TAG,
    operationId: 'readJob',
    summary: 'How a job is doing',
    parameters: { id: JOB_ID },
    data: ref('job'),
    errors: [malformed, differing, unknown],
  };
}

function cancelDoc(operationId: string): OperationDoc {
  return {
    tag: TAG,
    operationId,
    summary: 'Cancel a job that is not over; it is not called back',
    parameters: { id: { ...JOB_ID, required: true } },
    data: object({ id: uuid }),
    errors: [malformed, differing, unknown, violation('job_over', { status: 'done' })],
  };
}

function redeliverDoc(): OperationDoc {
  return {
    tag: TAG,
    operationId: 'redeliver',
    summary: 'Call the webhook_url of a finished job again',
    body: formSchema(REDELIVER),
    status: 202,
    data: ACCEPTED,
    errors: [
      ...bodyErrors(Object.entries(REDELIVER.fields)),
      malformed,
      unknown,
      violation('job_not_called_back', { status: 'running' }),
    ],
  };
}
