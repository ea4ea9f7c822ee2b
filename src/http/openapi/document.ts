// Builds the OpenAPI document from the table of endpoints: what is served is described, and what is not
// described makes it fail.
import type { Method } from '../../model/record.ts';
import { allResources } from '../../model/registry.ts';
import type { Endpoint, Operation } from '../endpoint.ts';
import { answers, ERROR_SCHEMAS, type Example } from './answers.ts';
import { authenticateDocs } from './authenticate.ts';
import { Components } from './components.ts';
import examples from './examples.json' with { type: 'json' };
import { INTRODUCTION } from './introduction.ts';
import { jobDocs, jobSchemas } from './jobs.ts';
import type { OperationDoc } from './operation.ts';
import { parameters } from './parameters.ts';
import { recordDocs } from './records.ts';
import { resourceSchemas } from './schema.ts';
import { specialDocs } from './special.ts';
import { vehicleDocs } from './vehicle.ts';

const EXAMPLES: Readonly<Record<string, Example>> = examples;

const TAGS: Readonly<Record<string, string>> = {
  authentication: 'Getting a token, ending it, and what it stands for',
  'look-up': 'Lists, models and environment',
  'long-running requests': 'Backups and documents: asked for, called back, downloaded',
};

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
    components: {
      securitySchemes: {
        token: {
          type: 'apiKey',
          in: 'header',
          name: 'token',
          description: 'Got by /authenticate; valid for 30 minutes',
        },
      },
      schemas: { ...ERROR_SCHEMAS, ...jobSchemas, ...Object.assign({}, ...resources.map(resourceSchemas)) },
      ...components.all(),
    },
  };
}

function paths(endpoints: readonly Endpoint[], components: Components): object {
  const docs: Record<string, OperationDoc> = {
    ...authenticateDocs,
    ...specialDocs,
    ...vehicleDocs,
    ...jobDocs,
  };
  for (const resource of allResources()) Object.assign(docs, recordDocs(resource));
  const described: Record<string, Record<string, object>> = {};
  for (const endpoint of endpoints) {
    for (const [method, operation] of Object.entries(endpoint.methods) as [Method, Operation][]) {
      for (const path of pathsOf(endpoint, method)) {
        const key = `${method} ${path}`;
        const doc = docs[key];
        if (!doc) throw new Error(`${key} is served and not described`);
        described[path] ??= {};
        described[path][method.toLowerCase()] = describe({ path, method, operation }, doc, components);
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

function describe(
  served: { path: string; method: Method; operation: Operation },
  doc: OperationDoc,
  components: Components,
): object {
  const { path, method, operation } = served;
  const example = EXAMPLES[`${method} ${path}`];
  return {
    tags: [doc.tag],
    summary: doc.summary,
    ...(doc.description ? { description: doc.description } : {}),
    operationId: doc.operationId,
    ...(operation.open ? { security: doc.takesToken ? [{ token: [] }] : [] } : {}),
    parameters: parameters(path, operation, doc, components),
    ...(doc.body ? { requestBody: requestBody(doc, example) } : {}),
    responses: answers(served, doc, example, components),
  };
}

const requestBody = ({ body, bodyOptional }: OperationDoc, example: Example | undefined): object => ({
  required: !bodyOptional,
  content: {
    'application/json': { schema: body, ...(example?.request ? { example: example.request } : {}) },
  },
});
