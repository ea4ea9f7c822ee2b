// Long-running requests: asking for one, looking at its job, cancelling it, and fetching its result.
import { problem, violation } from '../errors.ts';
import { requestCallback } from '../jobs/callback.ts';
import { cancelJob, isOver, requestJob, statusName } from '../jobs/job.ts';
import { signLink } from '../jobs/link.ts';
import { checkWebhookUrl, parseWebhookUrl } from '../jobs/webhook-address.ts';
import { refuse } from '../model/check.ts';
import { type Row, type Stored, text } from '../model/field.ts';
import { form } from '../model/form.ts';
import { readPage, readPageSize } from '../model/list-query.ts';
import type { Session } from '../model/session.ts';
import { LISTS } from '../trade/lists.ts';
import { formatTimestamp } from '../trade/timestamp.ts';
import { type Answer, success } from './answer.ts';
import { type JsonBody, readBody } from './body.ts';
import { PREFIX, requireParameters } from './dispatch.ts';
import type { Call, Endpoint } from './endpoint.ts';
import { once } from './once.ts';

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
      GET: { parameters: ['id', 'page', 'page_size'], handle: readJobs },
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
    const job = await demandJob(call);
    return success(await describe(call, [job]).then(([shown]) => shown));
  }
  const page = readPage(parameters.get('page')) ?? 1;
  const pageSize = readPageSize(parameters.get('page_size'));
  const rows = await parts.database.rows(
    `${SELECT} WHERE owner_id = ? ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`,
    [identity.owner, String(pageSize + 1), String((page - 1) * pageSize)],
  );
  const data = await describe(call, rows.slice(0, pageSize));
  const body = {
    successCode: 200,
    data,
    page,
    page_size: pageSize,
    has_more: rows.length > pageSize,
    next: null,
  };
  return { status: 200, body: JSON.stringify(body) };
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
  const [job] = await parts.database.rows(`${SELECT} WHERE secret = ? AND owner_id = ?`, [
    checkedId(id),
    identity.owner,
  ]);
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

const SELECT =
  'SELECT id, kind, status, progress, created_at, started_at, finished_at, error, file_name, file_size, file_sha256 FROM jobs';

async function demandJob(call: Call): Promise<Row> {
  const id = jobId(call);
  const [job] = await call.parts.database.rows(`${SELECT} WHERE owner_id = ? AND id = ?`, [
    call.identity.owner,
    id,
  ]);
  if (!job) throw problem('record_unknown', { field: 'id', value: id });
  return job;
}

function jobId({ pathId, parameters }: Call): string {
  const id = pathId ?? parameters.get('id');
  if (id === undefined) throw problem('primary_id_missing');
  return checkedId(id);
}

function checkedId(id: string): string {
  if (!UUID.test(id)) refuse([violation('primary_id_malformed')]);
  return id.toLowerCase();
}

/** Jobs as the API shows them, with the attempts to call back; never the secret. */
async function describe({ parts }: Call, jobs: readonly Row[]): Promise<object[]> {
  const attempts = await parts.database
    .knex('job_callbacks')
    .whereIn(
      'job_id',
      jobs.map(({ id }) => String(id)),
    )
    .orderBy('id');
  return jobs.map((job) => ({
    id: job.id,
    job_id: job.id,
    kind: job.kind,
    status: statusName(job.status),
    progress: job.progress,
    created_at: instant(job.created_at),
    started_at: instant(job.started_at),
    finished_at: instant(job.finished_at),
    error: job.error,
    callbacks: attempts
      .filter(({ job_id }: Row) => job_id === job.id)
      .map(({ at, status, error }: Row) => ({ at: instant(at), status, error })),
  }));
}

const instant = (stored: Stored | undefined) => (stored == null ? null : formatTimestamp(String(stored)));
