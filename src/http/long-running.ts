// Requests that become a job and are answered 202: the shared webhook_url, the commit of the job, the description.
import { problem, type Violation } from '../errors.ts';
import { requestJob } from '../jobs/job.ts';
import { checkWebhookUrl, parseWebhookUrl } from '../jobs/webhook-address.ts';
import { type Fields, text } from '../model/field.ts';
import type { Form } from '../model/form.ts';
import type { Session } from '../model/session.ts';
import { type Answer, success } from './answer.ts';
import { type Call, PREFIX } from './endpoint.ts';
import { once } from './once.ts';
import { text as anyText, type OperationDoc, uuid } from './openapi/operation.ts';
import { bodyErrors } from './openapi/record-errors.ts';
import { formSchema, object } from './openapi/schema.ts';

export const TAG = 'long-running requests';
/** The `data` of a 202. */
export const ACCEPTED = object({ job_id: uuid, status: anyText });
const PUBLIC_ADDRESS = 'https, publicly accessible';
/** The address's form is checked with the other fields. `accept` then looks up where the address leads. */
export const WEBHOOK_URL = text({
  required: true,
  description:
    'https, publicly accessible. Called with GET and `id=<secret>` in its query when the job is over',
  validation: {
    name: PUBLIC_ADDRESS,
    normalise: (value) => (parseWebhookUrl(value) ? value : undefined),
  },
});

/**
 * Commits a job and answers 202. Throws Problem where the webhook_url can't be called. `prepare` checks the records
 * that the request refers to, in the job's transaction, and returns the worker's parameters.
 */
export async function accept(
  call: Call,
  kind: string,
  webhookUrl: string,
  prepare: (session: Session) => Promise<object>,
): Promise<Answer> {
  const { parts, identity } = call;
  if (!(await checkWebhookUrl(webhookUrl, parts.config.webhookAllow))) {
    throw problem('value_invalid', { field: 'webhook_url', value: webhookUrl, validation: PUBLIC_ADDRESS });
  }
  const { owner, apiKey } = identity;
  const answer = await once(call, call.body, async (session) => {
    const params = await prepare(session);
    const job = await requestJob(session, { owner, apiKey, kind, params, webhookUrl });
    const headers = { Location: `${parts.publicUrl}${PREFIX}/job/${job}` };
    return success({ job_id: job, status: 'queued' }, 202, headers);
  });
  parts.jobs.poke();
  return answer;
}

/** Describes a request that is answered 202. `errors` come beside those of the form's fields. */
export const longRunningDoc = (
  operationId: string,
  summary: string,
  form: Form<Fields>,
  errors: readonly Violation[] = [],
): OperationDoc => ({
  tag: TAG,
  operationId,
  summary,
  description:
    'Answered at once; when the work is over the webhook_url is called, and GET /webhook gives the address of the result.',
  body: formSchema(form),
  status: 202,
  data: ACCEPTED,
  headers: ['Location'],
  requestHeaders: ['Idempotency-Key'],
  errors: [...bodyErrors(Object.entries(form.fields)), ...errors],
});
