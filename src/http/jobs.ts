// Long-running requests: asking for one, looking at its job, cancelling it, and fetching its result.
import { problem, violation } from '../errors.ts';
import { requestCallback } from '../jobs/callback-turn.ts';
import { cancelJob, isOver, requestJob, statusName } from '../jobs/job.ts';
import { signLink } from '../jobs/link.ts';
import { checkWebhookUrl, parseWebhookUrl } from '../jobs/webhook-address.ts';
import { refuse } from '../model/check.ts';
import { text } from '../model/field.ts';
import { form } from '../model/form.ts';
import type { Session } from '../model/session.ts';
import { LISTS } from '../trade/lists.ts';
import { type Answer, success } from './answer.ts';
import { type JsonBody, readBody } from './body.ts';
import { PREFIX, requireParameters } from './dispatch.ts';
import type { Call, Endpoint } from './endpoint.ts';
import { listJobs, PLACE, showJob } from './job-view.ts';
import { once } from './once.ts';
import { addressedId } from './records.ts';

const { DONE, FAILED, EXPIRED } = LISTS.jobstatuses;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const PUBLIC_ADDRESS = 'https, publicly accessible';
/** Its form is checked with the other fields; where it leads is looked up after them. */
export const WEBHOOK_URL = text({
  required: true,
  description:
    'https, publicly accessible. Called with GET and `id=<secret>` in its query when the job is over',
  validation: {
    name: PUBLIC_ADDRESS,
    normalise: (value) => (parseWebhookUrl(value) ? value : undefined),
  },
});
export const BACKUP = form('backup', { webhook_url: WEBHOOK_URL });
export const REDELIVER = form('redeliver', { id: text({ required: true }) });

export const jobEndpoints: Endpoint[] = [
  { path: '/backup/owner', methods: { POST: { handle: requestBackup } } },
  {
    path: '/job',
    byId: true,
    methods: {
      GET: { parameters: ['id', ...PLACE], handle: readJobs },
      DELETE: { parameters: ['id'], handle: cancel },
    },
  },
  { path: '/job/redeliver', methods: { POST: { handle: redeliver } } },
  { path: '/webhook', methods: { GET: { parameters: ['id'], handle: readResult } } },
];

async function requestBackup(call: Call): Promise<Answer> {
  const body = await readBody(call.ctx.req);
  return accept(call, body, 'owner-backup', BACKUP.read(body).webhook_url, async () => ({}));
}

/**
 * Commits a job and answers 202. Throws Problem where the webhook_url can't be called. `prepare` checks what the
 * request refers to, in the job's transaction, and answers the worker's parameters.
 */
export async function accept(
  call: Call,
  body: JsonBody,
  kind: string,
  webhookUrl: string,
  prepare: (session: Session) => Promise<object>,
): Promise<Answer> {
  const { parts, identity } = call;
  if (!(await checkWebhookUrl(webhookUrl, parts.config.webhookAllow))) {
    throw problem('value_invalid', { field: 'webhook_url', value: webhookUrl, validation: PUBLIC_ADDRESS });
  }
  const { owner, apiKey } = identity;
  const answer = await once(call, body, async (session) => {
    const params = await prepare(session);
    const job = await requestJob(session, { owner, apiKey, kind, params, webhookUrl });
    const headers = { Location: `${parts.publicUrl}${PREFIX}/job/${job}` };
    return success({ job_id: job, status: 'queued' }, 202, headers);
  });
  parts.jobs.poke();
  return answer;
}

async function readJobs(call: Call): Promise<Answer> {
  const { parts, identity, parameters } = call;
  if (call.pathId !== undefined || parameters.has('id')) {
    const id = jobId(call);
    const job = await showJob(parts.database, identity.owner, id);
    if (!job) throw problem('record_unknown', { field: 'id', value: id });
    return success(job);
  }
  return { status: 200, body: JSON.stringify(await listJobs(parts.database, identity.owner, parameters)) };
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
  const { id } = REDELIVER.read(await readBody(call.ctx.req));
  const status = await requestCallback(call.parts.database, call.identity.owner, checkedId(id));
  if (status === undefined) throw problem('record_unknown', { field: 'id', value: id });
  if (status !== DONE && status !== FAILED)
    throw problem('job_not_called_back', { status: statusName(status) });
  return success({ job_id: id, status: statusName(status) }, 202);
}

async function readResult({ parts, identity, parameters }: Call): Promise<Answer> {
  const [id = ''] = requireParameters(parameters, ['id']);
  const [job] = await parts.database.rows(
    'SELECT status, error, file_name, file_size, file_sha256 FROM jobs WHERE secret = ? AND owner_id = ?',
    [checkedId(id), identity.owner],
  );
  if (!job || job.status === EXPIRED) throw problem('record_unknown', { field: 'id', value: id });
  const status = statusName(job.status);
  if (job.status !== DONE)
    return success({ url: null, status, ...(job.error === null ? {} : { message: job.error }) });
  const link = signLink(parts.signingSecret, parts.publicUrl, String(job.file_name));
  return success({
    url: link.url,
    status,
    size: Number(job.file_size),
    sha256: job.file_sha256,
    expires_at: link.expires_at,
  });
}

function jobId(call: Call): string {
  const { id, isOne } = addressedId(call);
  if (!isOne) throw problem('primary_id_invalid');
  return checkedId(id);
}

function checkedId(id: string): string {
  if (!UUID.test(id)) refuse([violation('primary_id_malformed')]);
  return id.toLowerCase();
}
