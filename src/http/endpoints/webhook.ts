// GET /webhook: the result of a job, by the secret that its callback carries.
import { problem, violation } from '../../core/errors.ts';
import { LISTS } from '../../core/trade/lists.ts';
import { findResult, statusName } from '../../work/jobs/job.ts';
import { type Answer, success } from '../answer.ts';
import { type Call, type Endpoint, get } from '../endpoint.ts';
import { text, uuid } from '../openapi/operation.ts';
import { object } from '../openapi/schema.ts';
import { readUuid } from '../primary-id.ts';
import { anyText, query } from '../query.ts';
import { JOB_STATUS, RESULT, resultOf, viewerOf } from './job-view.ts';
import { TAG } from './long-running.ts';

const { DONE, EXPIRED } = LISTS.jobstatuses;
const SECRET = query(
  { id: anyText({ required: true, description: 'The secret UUID of the callback' }) },
  { id: { schema: uuid } },
);

export const webhookEndpoints: Endpoint[] = [
  get('/webhook', {
    needs: 'READONLY',
    query: SECRET,
    handle: readResult,
    doc: {
      tag: TAG,
      operationId: 'readResult',
      summary: 'The result of a job, by the secret of its callback',
      description:
        'The callback of a job calls your address with this secret. `url` is the signed address of the file, valid for 24 hours, or null if ' +
        'the job is not done; `message` then says why it failed.',
      data: object(
        {
          status: JOB_STATUS,
          ...RESULT,
          url: { ...RESULT.url, type: ['string', 'null'] },
          message: { ...text, description: 'Why a job failed' },
        },
        { required: ['url', 'status'] },
      ),
      errors: [
        violation('primary_id_malformed'),
        violation('record_unknown', { field: 'id', value: '0b0e7f4e-9a1b-4a1e-8f3c-1b2f3a4d5e6f' }),
      ],
    },
  }),
];

async function readResult(call: Call): Promise<Answer> {
  const { services, parameters } = call;
  const { id } = SECRET.read(parameters);
  const job = await findResult(services.database, viewerOf(call), readUuid(id));
  if (!job || job.status === EXPIRED) throw problem('record_unknown', { field: 'id', value: id });
  const status = statusName(job.status);
  if (job.status !== DONE)
    return success({ url: null, status, ...(job.error === null ? {} : { message: job.error }) });
  return success({ status, ...resultOf(services, job) });
}
