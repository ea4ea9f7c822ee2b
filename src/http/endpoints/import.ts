// POST /import: takes a file of records. The file is stored while it arrives; a job reads it. The engine of
// long-running requests does the rest.
import { createHash, randomUUID } from 'node:crypto';
import { type Problem, problem, violation } from '../../core/errors.ts';
import { refuse } from '../../core/model/bodies/check.ts';
import { text, word } from '../../core/model/fields/field.ts';
import { resourceNamed } from '../../core/model/records/registry.ts';
import { garageOf } from '../../core/model/statements/garage.ts';
import { childrenOf } from '../../core/model/writes/children.ts';
import { mayBeCommitted } from '../../platform/database/away.ts';
import type { Store } from '../../platform/storage/store.ts';
import { importable } from '../../work/import/import-options.ts';
import { MODES } from '../../work/import/mode.ts';
import { refuseTooManyJobs } from '../../work/jobs/job-request.ts';
import { withUploadLease } from '../../work/jobs/upload-lease.ts';
import type { Answer } from '../answer.ts';
import type { Call, Endpoint } from '../endpoint.ts';
import { requireParameters } from '../middleware/query-parameters.ts';
import { IN_QUERY, jobCallback } from '../openapi/calls.ts';
import {
  address,
  text as anyText,
  flag,
  type OperationDoc,
  type ParameterDoc,
} from '../openapi/operation.ts';
import { chunksInTime } from '../server/body-pace.ts';
import { ACCEPTED, accept, longRunningForm, TAG } from './long-running.ts';

const LARGEST_FILE = 256 * 1024 * 1024;
const LONGEST_MS = 40 * 60 * 1000;
/** The disk is asked for its space each time that so many bytes have arrived. */
const ASKED_BYTES = 16 * 1024 * 1024;
const FORMATS: Readonly<Record<string, 'csv' | 'ndjson'>> = {
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
};
const TYPES = Object.keys(FORMATS);
const FIELDS = {
  resource: text({
    required: true,
    validation: {
      name: 'importable resources',
      normalise: (name) => (importable().some((one) => one.name === name) ? name : undefined),
    },
  }),
  mode: word(MODES),
  dry_run: word(['0', '1']),
  history: word(['0', '1']),
};
/** The parameters of the query are read as a body is. */
const IMPORT = longRunningForm('import', FIELDS, { webhookUrl: 'optional' });
const PARAMETERS = [...IMPORT.fields.keys()];

export const importEndpoints: Endpoint[] = [
  {
    path: '/import',
    methods: {
      POST: {
        needs: 'ADMIN',
        parameters: PARAMETERS,
        bodyLimit: LARGEST_FILE,
        handle: requestImport,
        doc: importDoc,
      },
    },
  },
];

async function requestImport(call: Call): Promise<Answer> {
  const { services, identity, actor } = call;
  const { webhook_url, ...asked } = await readParameters(call);
  const format = demandFormat(call);
  // Before the file comes. A request that is repeated by its key may get the answer of its job.
  if (call.ctx.req.headers['idempotency-key'] === undefined)
    await refuseTooManyJobs(garageOf(services.database, identity.owner));
  // The file gets the name of its job, so that a file without a job is recognised.
  const id = randomUUID();
  return withUploadLease(services.database, { id, owner: identity.owner }, async (lost) => {
    const { uploads } = services.storage;
    const { sha256, size } = await store(call, id, lost);
    let isKept = false;
    try {
      const mayGoOn = await services.tokens.mayGoOn(String(call.ctx.req.headers.token), identity);
      if (!mayGoOn) throw problem('not_authorized');
      if (size === 0) throw problem('body_empty');
      const { owner, employee, apiKey } = actor;
      const params = { ...asked, format, sha256, actor: { owner, employee, apiKey } };
      const body = webhook_url === null ? params : { ...params, webhook_url };
      const accepted = accept(call, 'import', webhook_url, async () => params, { id, body });
      const answer = await accepted.catch((error) => {
        // If there is no job after all, tidying removes the file.
        isKept = mayBeCommitted(error);
        throw error;
      });
      // An identical request has a job already.
      isKept = String(answer.body).includes(id);
      return answer;
    } finally {
      if (!isKept) await uploads.remove(id);
    }
  });
}

/** Throws Problem. */
async function readParameters(call: Call) {
  const { forbids, parameters } = call;
  const [name = ''] = requireParameters(parameters, ['resource']);
  // In one order, whatever the order of the query.
  const given = PARAMETERS.filter((one) => parameters.has(one)).map((one) => [one, parameters.get(one)]);
  const { mode, dry_run, history, webhook_url } = await IMPORT.read({
    ...call,
    body: Object.fromEntries(given),
  });
  const methods =
    mode === null || mode === 'insert' ? ['POST'] : mode === 'update' ? ['PUT'] : ['POST', 'PUT'];
  refuse(methods.flatMap((method) => forbids(`${method} /${name}`) ?? []));
  const children = childrenOf(resourceNamed(name)).map((kind) => kind.name);
  return {
    resource: name,
    mode: mode ?? 'insert',
    dry_run: dry_run === '1',
    history: history === '1',
    // Only the rows tell which children there are.
    forbidden_children: children.filter((child) => forbids(`POST /${child}`)),
    unchangeable_children: children.filter((child) => forbids(`PUT /${child}`)),
    unreadable: [name, ...children].filter((one) => forbids(`GET /${one}`)),
    webhook_url,
  };
}

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

/**
 * Stores the body while it arrives. The time in which the caller sends does not count as time of the request. Throws
 * Problem: too large 413, too slow 408, disk full 507, `lost`'s reason.
 */
async function store(
  { ctx, services }: Call,
  name: string,
  lost: AbortSignal,
): Promise<{ sha256: string; size: number }> {
  const { uploads } = services.storage;
  const hash = createHash('sha256');
  let size = 0;
  let asked = 0;
  await demandSpace(uploads);
  async function* limited(): AsyncGenerator<Buffer> {
    let since = performance.now();
    for await (const chunk of chunksInTime(ctx.req, { longestMs: LONGEST_MS, signal: lost })) {
      ctx.state.waited = (ctx.state.waited ?? 0) + performance.now() - since;
      size += chunk.length;
      if (size > LARGEST_FILE) throw tooLarge();
      if (size - asked > ASKED_BYTES) {
        asked = size;
        await demandSpace(uploads);
      }
      hash.update(chunk);
      yield chunk;
      since = performance.now();
    }
  }
  try {
    await uploads.write(name, limited());
  } catch (error) {
    throw ctx.req.destroyed && !ctx.req.complete ? problem('caller_left') : error;
  }
  return { sha256: hash.digest('hex'), size };
}

async function demandSpace(uploads: Store): Promise<void> {
  if (!(await uploads.hasSpace())) throw problem('storage_full');
}

function importDoc(): OperationDoc {
  const parameters: Record<string, ParameterDoc> = {
    resource: {
      description: 'The resource of the rows',
      required: true,
      schema: { ...anyText, enum: importable().map(({ name }) => name) },
    },
    mode: {
      description:
        'insert: each row is new, as in POST; update: each row changes the record of its `id`, or else its `external_id`, as in PUT; upsert: it changes that record or adds one',
      schema: { ...anyText, enum: [...MODES], default: 'insert' },
    },
    dry_run: { description: '1: checks everything and writes nothing', schema: { ...flag, default: 0 } },
    history: {
      description:
        '1: takes the readonly fields of old records, too (`order_number`, `invoice_number`, `invoice_date`, `created_at`; of lines `line_gross`, `margin_vat` and `bpm_paid`); orders with an invoice number become invoices',
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
      '`refused.csv` or `refused.ndjson` has the refused rows, with `[...]` for write-only values; `summary.json` has the counts. ' +
      'After 10,000 refused rows the job fails with its report: `Too many refused rows`; on a full disk too: `No space left ' +
      'on the disk …`. A file that is cut off, has an unknown column or is not UTF-8 fails the job before anything is written.',
    parameters,
    body: { type: 'string', description: `At most ${LARGEST_FILE} bytes` },
    bodyTypes: TYPES,
    status: 202,
    data: ACCEPTED,
    headers: ['Location'],
    requestHeaders: ['Idempotency-Key'],
    errors: [
      violation('parameters_required', { fields: ['resource'] }),
      violation('value_invalid', { field: 'resource', value: 'country', validation: 'importable resources' }),
      violation('body_type_unsupported', { types: TYPES }),
      violation('parameter_invalid', { field: 'Content-Encoding', reason: 'value must be identity' }),
      violation('too_many_jobs'),
      violation('too_many_uploads'),
    ],
    callbacks: { jobOver: jobCallback('importRecordsOver', IN_QUERY) },
  };
}
