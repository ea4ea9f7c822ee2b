// Requests that become a job and are answered 202: the shared webhook_url, the commit of the job, the description.

import { type Violation, violation } from '../../core/errors.ts';
import { form } from '../../core/model/bodies/form.ts';
import { type Field, type Fields, type RowOf, text } from '../../core/model/fields/field.ts';
import { NO_WEBHOOK_URL, WEBHOOK_URL } from '../../core/model/fields/validation.ts';
import type { Session } from '../../core/model/statements/session.ts';
import { checkWebhookUrl } from '../../platform/calls/address.ts';
import { requestJob } from '../../work/jobs/job-request.ts';
import type { Kind, Kinds } from '../../work/jobs/kind.ts';
import { type Answer, success } from '../answer.ts';
import { type Call, type Operation, PREFIX } from '../endpoint.ts';
import { firstAnswer, once } from '../idempotency.ts';
import { jobCallback } from '../openapi/calls.ts';
import { text as anyText, type OperationDoc, uuid } from '../openapi/operation.ts';
import { object } from '../openapi/schema.ts';

export const TAG = 'long-running requests';
/** The `data` of a 202. */
export const ACCEPTED = object({ job_id: uuid, status: anyText });

const DESCRIPTION =
  'https, publicly accessible. Called with GET and `id=<secret>` in its query when the job is over';

interface LongRunningForm<F extends Fields> {
  /** For the description. */
  readonly fields: ReadonlyMap<string, Field>;
  /**
   * The values of a request. Also looks up where the webhook_url leads. Throws Problem with the violations of one
   * stage.
   */
  read(call: Call): Promise<RowOf<F> & { webhook_url: string | null }>;
}

/** The body of a request that becomes a job: its own fields, and webhook_url. */
export function longRunningForm<const F extends Fields>(
  name: string,
  fields: F,
  { webhookUrl }: { webhookUrl: 'required' | 'optional' },
): LongRunningForm<F> {
  const required = webhookUrl === 'required' ? ({ required: true } as const) : {};
  const polls =
    webhookUrl === 'required' ? '' : '. Without it the job is not called back: poll `GET /job/{id}`';
  const described = { ...required, description: `${DESCRIPTION}${polls}` };
  const good = form(name, { ...fields, webhook_url: text({ ...described, validation: WEBHOOK_URL }) });
  // A URL that leads to no public address is refused like a malformed one, together with the other fields.
  const bad = form(name, { ...fields, webhook_url: text({ ...described, validation: NO_WEBHOOK_URL }) });
  return {
    fields: good.fields,
    read: async ({ body, services: { config } }) => {
      const { webhook_url: given } = body;
      const isBad = typeof given === 'string' && !(await checkWebhookUrl(given, config.webhookAllow));
      return (isBad ? bad : good).read(body) as RowOf<F> & { webhook_url: string | null };
    },
  };
}

/**
 * The handler of a request that becomes a job. A repeated request gets its first answer before its body is judged.
 * `judge` throws Problem if the caller has no right to that answer: users of one API key share their keys.
 */
export const answeredOnce =
  (handle: Operation['handle'], judge?: (call: Call) => void): Operation['handle'] =>
  async (call) => {
    const first = await firstAnswer(call);
    if (!first) return handle(call);
    judge?.(call);
    return first;
  };

interface AcceptOptions {
  /** The ID of the job, if a file is already named after it. */
  readonly id?: string;
  /** If the body is not JSON: the value that tells this request from another one with the same Idempotency-Key. */
  readonly body?: unknown;
}

/**
 * Commits a job and answers 202. `prepare` checks the records that the request refers to, in the job's transaction, and
 * returns the worker's parameters.
 */
export async function accept<K extends Kind>(
  call: Call,
  kind: K,
  webhookUrl: string | null,
  prepare: (session: Session) => Promise<Kinds[K]>,
  { id, body = call.body }: AcceptOptions = {},
): Promise<Answer> {
  const { services, identity } = call;
  const { owner, employee, apiKey } = identity;
  const answer = await once(call, body, async (session) => {
    const params = await prepare(session);
    const request = { id, owner, employee, apiKey, kind, params, webhookUrl: webhookUrl ?? undefined };
    const job = await requestJob(session, request);
    const headers = { Location: `${services.publicUrl}${PREFIX}/job/${job}` };
    return success({ job_id: job, status: 'queued' }, 202, headers);
  });
  services.jobs.poke();
  return answer;
}

/** Describes a request that is answered 202. `errors` come beside the errors of its form. */
export const longRunningDoc = (
  operationId: string,
  summary: string,
  errors: readonly Violation[] = [],
): OperationDoc => ({
  tag: TAG,
  operationId,
  summary,
  description:
    'Answered at once. When the work is over, the webhook_url is called, and GET /webhook gives the address of the result. ' +
    'Owners take turns: an owner has at most 100 open jobs, and at most 2 of them run.',
  status: 202,
  data: ACCEPTED,
  headers: ['Location'],
  errors: [...errors, violation('too_many_jobs')],
  callbacks: { jobOver: jobCallback(`${operationId}Over`) },
});
