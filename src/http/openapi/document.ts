// Builds the OpenAPI document from the table of endpoints, whose operations carry their descriptions.

import examples from '../../../docs/examples.json' with { type: 'json' };
import { violation } from '../../core/errors.ts';
import type { Method } from '../../core/model/records/record.ts';
import { allResources } from '../../core/model/records/registry.ts';
import { auditResource } from '../../platform/changes/audit-resource.ts';
import { deliveryResource } from '../../platform/changes/webhook-delivery.ts';
import { jobResource } from '../../work/jobs/job.ts';
import { bodyOf, docOf, type Endpoint, firstSegment, type Operation, operationsOf } from '../endpoint.ts';
import { JOB_SCHEMA } from '../endpoints/job-view.ts';
import { answers, ERROR_SCHEMAS, type Example } from './answers.ts';
import { eventWebhooks } from './calls.ts';
import { Components } from './components.ts';
import { INTRODUCTION } from './introduction.ts';
import type { CompleteDoc, OperationDoc } from './operation.ts';
import { parameters } from './parameters.ts';
import { addressErrors, bodyErrors } from './record-errors.ts';
import { formSchema, resourceSchemas, selectionSchema } from './schema.ts';

const EXAMPLES: Readonly<Record<string, Example>> = examples;

// In the order of the test page: a newcomer begins with a token.
const TAGS: Readonly<Record<string, string>> = {
  authentication: 'Get a token, end it, and see whose it is',
  'look-up': 'Values of lists, fields of records, the version of the service',
  changes: 'Changes of records: for copies of them, and to see who changed what',
  planning: 'When the workshop is free, and how busy it is',
  books: 'For the bookkeeper: VAT return, supplies to other EU countries, debtors',
  'long-running requests':
    'Jobs: backups, documents, imports and exports, with their callbacks and downloads',
};

/** The service itself writes these. They have lists with filters, and no POST or PUT. */
const LISTED = [jobResource, auditResource, deliveryResource];

/** The whole document. `url` is the base address that it names as its server. */
export function openApiDocument(
  endpoints: readonly Endpoint[],
  { version, url }: { version: string; url: string },
): object {
  const resources = allResources();
  const components = new Components();
  return {
    openapi: '3.1.0',
    info: {
      title: 'Forecourt',
      version,
      summary: 'Dealership and workshop management',
      description: INTRODUCTION,
      contact: { name: 'The Forecourt authors' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url }],
    security: [{ token: [] }],
    tags: [
      ...Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      ...resources
        .filter(({ methods }) => methods.length > 0)
        .map(({ name, traits }) => ({ name, description: traits.description ?? name })),
    ],
    paths: paths(endpoints, components),
    webhooks: eventWebhooks(),
    components: {
      securitySchemes: {
        token: {
          type: 'apiKey',
          in: 'header',
          name: 'token',
          description: 'Paste the token that POST /authenticate answered. It is valid for 30 minutes.',
        },
      },
      schemas: {
        ...ERROR_SCHEMAS,
        job: JOB_SCHEMA,
        ...Object.assign({}, ...LISTED.map(selectionSchema), ...resources.map(resourceSchemas)),
      },
      ...components.all(),
    },
  };
}

function paths(endpoints: readonly Endpoint[], components: Components): object {
  const described: Record<string, Record<string, object>> = {};
  // The test page keeps this order: `/contact` comes before `/contact/anonymise`.
  const depth = ({ path }: Endpoint) => path.split('/').length;
  for (const endpoint of [...endpoints].sort((a, b) => depth(a) - depth(b))) {
    for (const [method, operation] of operationsOf(endpoint)) {
      for (const [path, doc] of docsOf(endpoint, method, operation)) {
        described[path] ??= {};
        const served = { path, method, operation };
        described[path][method.toLowerCase()] = describe(served, completed(doc, served), components);
      }
    }
  }
  return described;
}

/** The descriptions of an operation by their paths. An endpoint with `byId` has two paths, except for POST. */
function docsOf({ path, byId }: Endpoint, method: Method, operation: Operation): [string, OperationDoc][] {
  const { docById } = operation;
  const doc = docOf(operation.doc);
  if (path === '/model') return [['/model/{name}', doc]];
  if (!byId || method === 'POST') return [[path, doc]];
  if (!docById) throw new Error(`${method} ${path}/{id} has no description`);
  return [
    [path, doc],
    [`${path}/{id}`, docOf(docById)],
  ];
}

interface Served {
  readonly path: string;
  readonly method: Method;
  readonly operation: Operation;
}

/** Adds to a description what follows from the operation: its path, its query, its form, and its being a POST. */
function completed(doc: OperationDoc, { path, method, operation }: Served): CompleteDoc {
  const { needs, query, readId, form } = operation;
  const { errors = [], requestHeaders, body } = doc;
  // An example: the refusal names the parameters that are missing.
  const fields = query?.required.slice(0, 2) ?? [];
  const isNamed = fields.length === 0 || errors.some(({ code }) => code === 'parameters_required');
  return {
    ...doc,
    tag: doc.tag ?? firstSegment(path),
    parameters: { ...query?.shown, ...doc.parameters },
    body: body ?? (form && formSchema(form)),
    requestHeaders: requestHeaders ?? (method === 'POST' && needs !== 'nothing' ? ['Idempotency-Key'] : []),
    errors: [
      ...(isNamed ? [] : [violation('parameters_required', { fields })]),
      // The address of a record is checked before the body.
      ...(form && readId ? addressErrors : []),
      ...(form ? bodyErrors(form.fields) : []),
      ...errors,
    ],
  };
}

function describe(served: Served, doc: CompleteDoc, components: Components): object {
  const { path, method, operation } = served;
  const example = EXAMPLES[`${method} ${path}`];
  return {
    tags: [doc.tag],
    summary: doc.summary,
    ...(doc.description ? { description: doc.description } : {}),
    operationId: doc.operationId,
    ...(operation.needs === 'nothing' ? { security: operation.takesToken ? [{ token: [] }] : [] } : {}),
    parameters: parameters(path, operation, doc, components),
    ...(doc.body ? { requestBody: requestBody(doc, operation, example) } : {}),
    responses: answers(served, doc, example, components),
    ...(doc.callbacks ? { callbacks: doc.callbacks } : {}),
  };
}

const requestBody = (
  { body, bodyTypes = ['application/json'] }: CompleteDoc,
  operation: Operation,
  example: Example | undefined,
): object => ({
  required: bodyOf(operation) !== 'optional',
  content: Object.fromEntries(
    bodyTypes.map((type, index) => [
      type,
      { schema: body, ...(example?.request && index === 0 ? { example: example.request } : {}) },
    ]),
  ),
});
