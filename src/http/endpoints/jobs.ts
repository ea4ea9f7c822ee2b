// The jobs of long-running requests: /job shows and cancels them, /job/redeliver calls back again.
import { setTimeout } from 'node:timers/promises';
import { problem, violation } from '../../core/errors.ts';
import { refuse } from '../../core/model/bodies/check.ts';
import { form } from '../../core/model/bodies/form.ts';
import { text } from '../../core/model/fields/field.ts';
import { LIST_PARAMETERS } from '../../core/model/lists/list-query.ts';
import { isCalledBack, requestCallback } from '../../work/jobs/callback.ts';
import { findJob, isOver, jobResource, seenInList, shownStatus, statusName } from '../../work/jobs/job.ts';
import { cancelJob } from '../../work/jobs/job-request.ts';
import type { Viewer } from '../../work/jobs/viewer.ts';
import type { Services } from '../../work/services.ts';
import { type Answer, success } from '../answer.ts';
import { type Address, type Call, type Endpoint, post } from '../endpoint.ts';
import { once } from '../idempotency.ts';
import { type OperationDoc, type ParameterDoc, uuid } from '../openapi/operation.ts';
import { listDoc } from '../openapi/records.ts';
import { object, ref } from '../openapi/schema.ts';
import { addressedId, readUuid } from '../primary-id.ts';
import { showJob, viewerOf } from './job-view.ts';
import { ACCEPTED, TAG } from './long-running.ts';
import { list } from './records.ts';

const LONGEST_WAIT_MS = 5_000;
const POLL_MS = 50;

const REDELIVER = form('redeliver', { id: text({ required: true }) });

const A_JOB = '0b0e7f4e-9a1b-4a1e-8f3c-1b2f3a4d5e6f';
const JOB_ID: ParameterDoc = { description: 'ID of a job', schema: uuid, exampleInPath: A_JOB };
const unknown = violation('record_unknown', { field: 'id', value: A_JOB });
const malformed = violation('primary_id_malformed');
const differing = violation('primary_id_invalid');
const notTheirs = violation('role_forbids', { endpoint: 'DELETE /job' });

const CANCEL: OperationDoc = {
  tag: TAG,
  operationId: 'cancelJob',
  summary: 'Cancel a job that is not over; it is not called back',
  description:
    'For the employee who asked for the job, and for an ADMIN. A cancelled import has a report of the rows that were committed.',
  parameters: { id: { ...JOB_ID, required: true } },
  data: object({ id: uuid }),
  errors: [
    malformed,
    violation('primary_id_missing'),
    differing,
    unknown,
    notTheirs,
    violation('job_over', { status: 'done' }),
  ],
};

export const jobEndpoints: Endpoint[] = [
  {
    path: '/job',
    byId: true,
    methods: {
      GET: {
        needs: 'READONLY',
        parameters: ['id', ...LIST_PARAMETERS],
        handle: readJobs,
        doc: () => ({
          ...listDoc(jobResource),
          tag: TAG,
          operationId: 'pageOfJobs',
          summary: 'List jobs, the newest first',
          description:
            '`/job?id=` is `/job/{id}`, which also shows the error, the callbacks and the result. Who may not ask for a job does not ' +
            'see it: a job counts as its endpoint, and an export as GET of its resource.',
        }),
        docById: {
          tag: TAG,
          operationId: 'readJob',
          summary: 'How a job is doing',
          description:
            'Poll it, or wait for the callback. Once `status` is `done`, `url` is the signed address of the file; each answer signs it anew ' +
            'for 24 hours.',
          parameters: { id: JOB_ID },
          data: ref('job'),
          errors: [malformed, differing, unknown],
        },
      },
      DELETE: {
        needs: 'USER',
        parameters: ['id'],
        handle: cancel,
        doc: CANCEL,
        docById: { ...CANCEL, operationId: 'cancelJobById' },
      },
    },
  },
  post('/job/redeliver', {
    needs: 'USER',
    form: REDELIVER,
    handle: redeliver,
    doc: {
      tag: TAG,
      operationId: 'redeliver',
      summary: 'Call the webhook_url of a finished job again',
      description: 'For the employee who asked for the job, and for an ADMIN.',
      status: 202,
      good: 'Accepted: the webhook_url is called again',
      data: ACCEPTED,
      errors: [malformed, unknown, notTheirs, violation('job_not_called_back', { status: 'running' })],
    },
  }),
];

async function readJobs(call: Call): Promise<Answer> {
  const { services, parameters, pathId } = call;
  const viewer = viewerOf(call);
  if (pathId === undefined && !parameters.has('id')) return list(jobResource, call, [seenInList(viewer)]);
  const unsupported = [...parameters.keys()].filter((name) => name !== 'id');
  refuse(unsupported.map((field) => violation('parameter_unsupported', { field })));
  const id = jobId(call);
  const job = await showJob(services, viewer, id);
  if (!job) throw problem('record_unknown', { field: 'id', value: id });
  return success(job);
}

async function cancel(call: Call): Promise<Answer> {
  const id = jobId(call);
  const { services } = call;
  const viewer = viewerOf(call);
  const job = await cancelJob(services.database, viewer, id);
  if (job === undefined) throw problem('record_unknown', { field: 'id', value: id });
  if (isOver(job.status)) throw problem('job_over', { status: statusName(job.status) });
  services.jobs.poke(id);
  if (job.writesReport) await untilOver(services, viewer, id);
  return success({ id });
}

/** Waits for the report of a cancelled job, so that most callers find it at once. */
async function untilOver({ database }: Services, viewer: Viewer, id: string): Promise<void> {
  const until = performance.now() + LONGEST_WAIT_MS;
  while (performance.now() < until) {
    const job = await findJob(database, viewer, id);
    if (!job || isOver(job.status)) return;
    await setTimeout(POLL_MS);
  }
}

function redeliver(call: Call): Promise<Answer> {
  return once(call, call.body, async (session) => {
    const { id } = REDELIVER.read(call.body);
    const job = await requestCallback(session, viewerOf(call), readUuid(id));
    if (job === undefined) throw problem('record_unknown', { field: 'id', value: id });
    const status = statusName(shownStatus(job));
    if (!isCalledBack(job))
      throw problem('job_not_called_back', {
        status: job.webhook_url === null ? 'without webhook_url' : status,
      });
    return success({ job_id: id, status }, 202);
  });
}

function jobId(address: Address): string {
  const { id, isOne } = addressedId(address);
  if (!isOne) throw problem('primary_id_invalid');
  return readUuid(id);
}
