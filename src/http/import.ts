// POST /import: takes a file of records. The file is stored while it arrives; a job reads it. The engine of long-running
// requests does the rest.
import { createHash, randomUUID } from 'node:crypto';
import { forbidden } from '../auth/permission.ts';
import { type Problem, problem, type Violation, violation } from '../errors.ts';
import { importable, MODES } from '../import/import-options.ts';
import { refuseTooManyJobs } from '../jobs/job.ts';
import { checkWebhookUrl } from '../jobs/webhook-address.ts';
import { refuse } from '../model/check.ts';
import { childrenOf } from '../model/children.ts';
import type { Resource } from '../model/record.ts';
import { WEBHOOK_URL } from '../model/validation.ts';
import type { Answer } from './answer.ts';
import { inTime } from './body-pace.ts';
import type { Call, Endpoint } from './endpoint.ts';
import { ACCEPTED, accept, TAG } from './long-running.ts';
import { requireParameters } from './middleware/query-parameters.ts';
import { IN_QUERY, jobCallback } from './openapi/job-callback.ts';
import { address, flag, type OperationDoc, type ParameterDoc, text } from './openapi/operation.ts';

const LARGEST_FILE = 256 * 1024 * 1024;
const LONGEST_MS = 40 * 60 * 1000;
const FORMATS: Readonly<Record<string, 'csv' | 'ndjson'>> = {
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
};
const TYPES = Object.keys(FORMATS);
const PARAMETERS = ['resource', 'mode', 'dry_run', 'history', 'webhook_url'];

export const importEndpoints: Endpoint[] = [
  {
    path: '/import',
    methods: {
      POST: { parameters: PARAMETERS, bodyLimit: LARGEST_FILE, handle: requestImport, doc: importDoc },
    },
  },
];

async function requestImport(call: Call): Promise<Answer> {
  const { parts, identity, actor } = call;
  const { webhookUrl, ...asked } = await readParameters(call);
  const format = demandFormat(call);
  await refuseTooManyJobs(parts.database, identity.owner);
  // The file gets the name of its job, so that a file without a job is known for what it is.
  const id = randomUUID();
  const { uploads } = parts.storage;
  const { sha256, size } = await store(call, id);
  let isKept = false;
  try {
    if (size === 0) throw problem('body_empty');
    const { owner, employee, apiKey } = actor;
    const params = { ...asked, format, sha256, actor: { owner, employee, apiKey } };
    const answer = await accept(call, 'import', webhookUrl ?? null, async () => params, { id, body: params });
    // An identical request has a job already.
    isKept = String(answer.body).includes(id);
    return answer;
  } finally {
    if (!isKept) await uploads.remove(id);
  }
}

/** Throws Problem. */
async function readParameters({ identity, parameters, parts }: Call) {
  const [name = ''] = requireParameters(parameters, ['resource']);
  const mode = parameters.get('mode') ?? 'insert';
  const webhookUrl = parameters.get('webhook_url');
  const resource = importable().find((one) => one.name === name);
  const found = [
    ...(resource ? [] : [invalid('resource', name, 'importable resources')]),
    ...(MODES.some((one) => one === mode) ? [] : [invalid('mode', mode, MODES.join())]),
    ...['dry_run', 'history'].flatMap((flag) => {
      const value = parameters.get(flag) ?? '0';
      return value === '0' || value === '1' ? [] : [invalid(flag, value, '0,1')];
    }),
  ];
  if (webhookUrl !== undefined) {
    const isGood =
      WEBHOOK_URL.normalise(webhookUrl, {}) !== undefined &&
      (await checkWebhookUrl(webhookUrl, parts.config.webhookAllow));
    if (!isGood) found.push(invalid('webhook_url', webhookUrl, WEBHOOK_URL.name));
  }
  refuse(found);
  const methods = mode === 'insert' ? ['POST'] : mode === 'update' ? ['PUT'] : ['POST', 'PUT'];
  const forbids = (method: string, path: string) => forbidden(identity.allow, identity.role, method, path);
  refuse(methods.flatMap((method) => forbids(method, `/${name}`) ?? []));
  return {
    resource: name,
    mode,
    dry_run: parameters.get('dry_run') === '1',
    history: parameters.get('history') === '1',
    // Only the rows tell which children there are.
    forbidden_children: childrenOf(resource as Resource)
      .map((kind) => kind.name)
      .filter((child) => forbids('POST', `/${child}`)),
    webhookUrl,
  };
}

const invalid = (field: string, value: string, validation: string): Violation =>
  violation('value_invalid', { field, value, validation });

function demandFormat({ ctx }: Call): 'csv' | 'ndjson' {
  const { 'content-encoding': encoding = 'identity' } = ctx.req.headers;
  if (encoding !== 'identity')
    throw problem('parameter_invalid', { field: 'Content-Encoding', reason: 'value must be identity' });
  const type = (ctx.req.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const format = FORMATS[type];
  if (!format) throw problem('body_type_unsupported', { types: TYPES });
  const length = Number(ctx.req.headers['content-length'] ?? 1);
  if (length > LARGEST_FILE) throw tooLarge();
  if (length === 0) throw problem('body_empty');
  return format;
}

const tooLarge = (): Problem => problem('body_too_large', { limit: LARGEST_FILE });

/** Stores the body while it arrives. Throws Problem: too large 413, too slow 408. */
async function store({ ctx, parts }: Call, name: string): Promise<{ sha256: string; size: number }> {
  const hash = createHash('sha256');
  let size = 0;
  async function* limited(): AsyncGenerator<Buffer> {
    // A refused request is still answered, so its connection stays.
    for await (const chunk of ctx.req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > LARGEST_FILE) throw tooLarge();
      hash.update(chunk);
      yield chunk;
    }
  }
  try {
    await inTime(ctx.req, parts.storage.uploads.write(name, limited()), LONGEST_MS);
  } catch (error) {
    throw ctx.req.destroyed && !ctx.req.complete ? problem('caller_left') : error;
  }
  return { sha256: hash.digest('hex'), size };
}

function importDoc(): OperationDoc {
  const parameters: Record<string, ParameterDoc> = {
    resource: {
      description: 'What the rows are',
      required: true,
      schema: { ...text, enum: importable().map(({ name }) => name) },
    },
    mode: {
      description:
        'insert: each row is new, as in POST; update: each row changes the record of its `id`, or else its `external_id`, as in PUT; upsert: it changes that record or adds one',
      schema: { ...text, enum: [...MODES], default: 'insert' },
    },
    dry_run: { description: '1: checks everything and writes nothing', schema: { ...flag, default: 0 } },
    history: {
      description:
        '1: takes the readonly fields of old records, too (`order_number`, `invoice_number`, `invoice_date`, `created_at`); orders with an invoice number become invoices',
      schema: { ...flag, default: 0 },
    },
    webhook_url: {
      description: 'https, publicly accessible. Called when the import is over',
      schema: address,
    },
  };
  return {
    tag: TAG,
    operationId: 'importRecords',
    summary: 'Add and change records from a file',
    description:
      'CSV in UTF-8 with `,` or `;`, or one JSON object a line. Each row is checked as in POST or PUT; a refused row does not ' +
      'affect the others. A reference may be given by `<name>_external_id`, such as `contact_external_id`. The result is a ' +
      'zip: `report.ndjson` tells of each row its `line`, `status` (created, updated, unchanged, refused), `id` and `errors`; ' +
      '`refused.csv` or `refused.ndjson` has the refused rows; `summary.json` has the counts. A file that is cut off, has an ' +
      'unknown column or is not UTF-8 fails the job before anything is written.',
    parameters,
    body: { type: 'string', description: `At most ${LARGEST_FILE} bytes` },
    bodyTypes: TYPES,
    status: 202,
    data: ACCEPTED,
    headers: ['Location'],
    requestHeaders: ['Idempotency-Key'],
    errors: [
      violation('parameters_required', { fields: ['resource'] }),
      invalid('resource', 'country', 'importable resources'),
      violation('body_type_unsupported', { types: TYPES }),
      violation('parameter_invalid', { field: 'Content-Encoding', reason: 'value must be identity' }),
      violation('too_many_jobs'),
      violation('storage_full'),
    ],
    callbacks: { jobOver: jobCallback('importRecordsOver', IN_QUERY) },
  };
}
