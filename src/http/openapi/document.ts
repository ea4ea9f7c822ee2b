// Builds the OpenAPI document from the table of endpoints: what is served is described, what is not
// described stops the start.
import { type Violation, violation } from '../../errors.ts';
import type { Method } from '../../model/record.ts';
import { allResources } from '../../model/registry.ts';
import { BODY_LIMIT, DOCUMENT_LIMIT } from '../body.ts';
import type { Endpoint, Operation } from '../endpoint.ts';
import { errorBody } from '../error-body.ts';
import { authenticateDocs } from './authenticate.ts';
import examples from './examples.json' with { type: 'json' };
import { jobDocs, jobSchemas } from './jobs.ts';
import type { OperationDoc } from './operation.ts';
import { recordDocs } from './records.ts';
import { object, ref, resourceSchemas, type SchemaObject } from './schema.ts';
import { specialDocs } from './special.ts';

type Example = { request?: unknown; status: number; answer: unknown };
const EXAMPLES: Readonly<Record<string, Example>> = examples;

const TAGS: Readonly<Record<string, string>> = {
  authentication: 'Getting a token, ending it, and what it stands for',
  'look-up': 'Lists, models and environment',
  'long-running requests': 'Backups and documents: asked for, called back, downloaded',
};

const HEADERS: Readonly<Record<string, string>> = {
  ETag: "The record's version, for If-Match and If-None-Match",
  Location: 'Address of what was made',
};

/** The whole document. `url` is the base address that it names as its server. */
export function openApiDocument(
  endpoints: readonly Endpoint[],
  { version, url }: { version: string; url: string },
): object {
  const docs: Record<string, OperationDoc> = { ...authenticateDocs, ...specialDocs, ...jobDocs };
  const resources = allResources();
  for (const resource of resources) Object.assign(docs, recordDocs(resource));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Forecourt',
      version,
      summary: 'Dealership and workshop management',
      description: INTRODUCTION,
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
    paths: paths(endpoints, docs),
    components: {
      securitySchemes: {
        token: {
          type: 'apiKey',
          in: 'header',
          name: 'token',
          description: 'Got by /authenticate; valid for 30 minutes',
        },
      },
      schemas: { error: ERROR, ...jobSchemas, ...Object.assign({}, ...resources.map(resourceSchemas)) },
    },
  };
}

const INTRODUCTION = `Every endpoint but /authenticate takes the header \`token\`. A refused request names every violation that was
found, each with a stable code and the exact text; \`message\` is the first of them.`;

const ERROR = object(
  {
    errorCode: { type: 'integer', description: 'The HTTP status' },
    message: { type: 'string', description: 'The first of `errors`' },
    code: { type: 'string', description: 'Stable code of the first of `errors`' },
    errors: {
      type: 'array',
      items: object(
        { code: { type: 'string' }, message: { type: 'string' }, field: { type: 'string' }, value: {} },
        { required: ['code', 'message'] },
      ),
    },
    request_id: { type: 'string' },
  },
  { description: 'Why a request was refused' },
);

function paths(endpoints: readonly Endpoint[], docs: Readonly<Record<string, OperationDoc>>): object {
  const described: Record<string, Record<string, object>> = {};
  for (const endpoint of endpoints) {
    for (const [method, operation] of Object.entries(endpoint.methods) as [Method, Operation][]) {
      for (const path of pathsOf(endpoint, method)) {
        const key = `${method} ${path}`;
        const doc = docs[key];
        if (!doc) throw new Error(`${key} is served and not described`);
        described[path] ??= {};
        described[path][method.toLowerCase()] = describe(key, path, operation, doc);
      }
    }
  }
  return described;
}

/** An endpoint whose records go by ID stands under two paths. */
function pathsOf({ path, byId }: Endpoint, method: Method): string[] {
  if (path === '/model') return ['/model/{name}'];
  return byId && method !== 'POST' ? [path, `${path}/{id}`] : [path];
}

function describe(key: string, path: string, operation: Operation, doc: OperationDoc): object {
  const { tag, summary, description, operationId, body, bodyOptional } = doc;
  const example = EXAMPLES[key];
  return {
    tags: [tag],
    summary,
    ...(description ? { description } : {}),
    operationId,
    ...(operation.open ? { security: key.includes('logout') ? [{ token: [] }] : [] } : {}),
    parameters: [
      ...pathParameters(path, doc),
      ...queryParameters(path, operation, doc),
      ...headerParameters(key),
    ],
    ...(body
      ? {
          requestBody: {
            required: !bodyOptional,
            content: {
              'application/json': { schema: body, ...(example?.request ? { example: example.request } : {}) },
            },
          },
        }
      : {}),
    responses: { ...goodAnswer(doc, example), ...refusals(path, operation, doc) },
  };
}

function pathParameters(path: string, { parameters = {} }: OperationDoc): object[] {
  const [, name] = /\{(\w+)\}/.exec(path) ?? [];
  if (name === undefined) return [];
  const schema =
    name === 'name'
      ? { type: 'string' }
      : (parameters.id?.schema ??
        (path.startsWith('/job') ? { type: 'string', format: 'uuid' } : { type: 'integer', minimum: 1 }));
  const description = name === 'name' ? 'Name of a resource' : (parameters.id?.description ?? 'Primary ID');
  return [{ name, in: 'path', required: true, description, schema }];
}

function queryParameters(path: string, { parameters = [] }: Operation, doc: OperationDoc): object[] {
  const described = Object.keys(doc.parameters ?? {});
  return parameters
    .filter((name) => described.includes(name) && !(name === 'id' && path.includes('{id}')))
    .map((name) => {
      const {
        description,
        required = false,
        schema = { type: 'string' },
        example,
      } = doc.parameters?.[name] ?? { description: '' };
      return {
        name,
        in: 'query',
        required,
        description,
        schema,
        ...(example === undefined ? {} : { example }),
      };
    });
}

function headerParameters(key: string): object[] {
  if (!/^POST \/(?!authenticate|job)/.test(key)) return [];
  const schema = { type: 'string', minLength: 1, maxLength: 255 };
  const description =
    'Sent again within 24 hours with the same key, the request is answered again and not done again';
  return [{ name: 'Idempotency-Key', in: 'header', required: false, description, schema }];
}

function goodAnswer(doc: OperationDoc, example: Example | undefined): Record<string, object> {
  const { status = 200, data, answer, headers = [] } = doc;
  const schema = answer ?? object({ successCode: { type: 'integer', const: status }, data: data ?? {} });
  const shown = Object.fromEntries(
    headers.map((name) => [name, { description: HEADERS[name], schema: { type: 'string' } }]),
  );
  const real = example?.status === status ? { example: example.answer } : {};
  const good: Record<string, object> = {
    [status]: {
      description: 'Done',
      ...(headers.length > 0 ? { headers: shown } : {}),
      content: { 'application/json': { schema, ...real } },
    },
  };
  if (headers.includes('ETag') && status === 200)
    good['304'] = { description: 'Not changed since If-None-Match' };
  return good;
}

function refusals(path: string, operation: Operation, doc: OperationDoc): Record<string, object> {
  const all = [...(doc.errors ?? []), ...sharedErrors(path, operation, doc)];
  const statuses = [...new Set(all.map(({ status }) => status))];
  const byStatus = statuses.map(
    (status) => [status, all.filter((found) => found.status === status)] as const,
  );
  return Object.fromEntries(
    byStatus.map(([status, violations]) => [
      String(status),
      {
        description: violations.map(({ message }) => message).join(' | '),
        content: { 'application/json': { schema: ref('error'), examples: errorExamples(violations) } },
      },
    ]),
  );
}

function errorExamples(violations: readonly Violation[]): Record<string, SchemaObject> {
  const requestId = 'fdfaac74-4d40-41e0-baf9-a84121aa8b18';
  return Object.fromEntries(
    violations.map((found) => [found.code, { value: errorBody([found], requestId) }]),
  );
}

function sharedErrors(path: string, operation: Operation, { body, errors = [] }: OperationDoc): Violation[] {
  const limit = /^\/document(\/\{id\})?$/.test(path) ? DOCUMENT_LIMIT : BODY_LIMIT;
  const shared = [
    violation('parameter_unsupported', { field: 'colour' }),
    violation('parameter_repeated', { field: 'page' }),
    ...(operation.open
      ? []
      : [violation('not_authorized'), violation('key_forbids', { endpoint: `GET ${path}` })]),
    ...(body
      ? [violation('body_empty'), violation('body_not_json'), violation('body_too_large', { limit })]
      : []),
    violation('internal_error'),
    violation('service_unavailable'),
  ];
  return shared.filter(({ code }) => !errors.some((own) => own.code === code));
}
