// Finds the endpoint of a request below /v2 and runs the checks that all endpoints share, in the order of
// the contract: endpoint, method, token, the key's permission, query parameters. A map finds a path in one
// step however many endpoints there are.
import type { Context, Middleware } from 'koa';
import { forbidden } from '../auth/permission.ts';
import type { Identity } from '../auth/token.ts';
import { Problem, problem, type Violation, violation } from '../errors.ts';
import type { Method } from '../model/record.ts';
import type { Parts } from '../parts.ts';
import type { Endpoint, Operation } from './endpoint.ts';
import { send } from './send.ts';

export const PREFIX = '/v2';
const NOBODY = undefined as unknown as Identity;

export function dispatch(parts: Parts, endpoints: readonly Endpoint[]): Middleware {
  const byPath = new Map(endpoints.map((endpoint) => [endpoint.path, endpoint]));
  return async (ctx) => {
    const path = ctx.path.slice(PREFIX.length);
    const { endpoint, pathId } = findEndpoint(byPath, path);
    const { method, operation } = findOperation(endpoint, ctx.method);
    ctx.state.route = `${method} ${endpoint.path}`;
    const identity = operation.open ? NOBODY : await authenticate(parts, ctx, operation);
    if (!operation.open) refuseForbidden(identity, method, endpoint.path);
    const parameters = readParameters(ctx.querystring, operation.parameters ?? []);
    send(ctx, await operation.handle({ parts, ctx, identity, pathId, parameters }));
  };
}

function findEndpoint(
  byPath: ReadonlyMap<string, Endpoint>,
  requested: string,
): { endpoint: Endpoint; pathId?: string } {
  const path = requested.replace(/(?<=.)\/$/, '');
  const whole = byPath.get(path);
  if (whole) return { endpoint: whole };
  const slash = path.lastIndexOf('/');
  const endpoint = byPath.get(path.slice(0, slash));
  if (endpoint?.byId && slash < path.length - 1) return { endpoint, pathId: path.slice(slash + 1) };
  const [, resource, pathId, action] = /^(\/[a-z]+)\/([^/]+)(\/[a-z]+)$/.exec(path) ?? [];
  const ofRecord = byPath.get(`${resource}/{id}${action}`);
  if (ofRecord) return { endpoint: ofRecord, pathId };
  throw problem('endpoint_invalid', { endpoint: requested === '' ? '/' : requested });
}

function findOperation(endpoint: Endpoint, requested: string): { method: Method; operation: Operation } {
  const method = (requested === 'HEAD' ? 'GET' : requested) as Method;
  const operation = Object.hasOwn(endpoint.methods, method) ? endpoint.methods[method] : undefined;
  if (operation && !(operation.unsafe && requested === 'HEAD')) return { method, operation };
  throw new Problem(violation('method_unsupported', { method: requested, endpoint: endpoint.path }), {
    Allow: Object.keys(endpoint.methods).join(', '),
  });
}

async function authenticate({ tokens }: Parts, ctx: Context, { refusal = {} }: Operation): Promise<Identity> {
  const token = ctx.req.headers.token;
  if (typeof token !== 'string' || token === '') throw new Problem(refusalOf(refusal.missing));
  const identity = await tokens.find(token);
  if (!identity) throw new Problem(refusalOf(refusal.dead));
  ctx.state.owner = identity.owner;
  return identity;
}

const refusalOf = (code: NonNullable<Operation['refusal']>['missing'] = 'not_authorized') =>
  (violation as (code: string) => Violation)(code);

function refuseForbidden({ allow, role }: Identity, method: Method, path: string): void {
  const found = forbidden(allow, role, method, path);
  if (found) throw new Problem(found);
}

/** Read by hand: a parser that folds what is given twice into a list would hide it. */
export function readParameters(
  querystring: string,
  supported: readonly string[],
): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  if (querystring === '') return parameters;
  const repeated = new Set<string>();
  for (const [name, value] of new URLSearchParams(querystring)) {
    if (parameters.has(name)) repeated.add(name);
    parameters.set(name, value);
  }
  if (repeated.size > 0)
    throw new Problem([...repeated].map((field) => violation('parameter_repeated', { field })));
  const unsupported = [...parameters.keys()].filter((name) => !supported.includes(name));
  if (unsupported.length > 0)
    throw new Problem(unsupported.map((field) => violation('parameter_unsupported', { field })));
  return parameters;
}

/** Refuses a call in which a query parameter is missing or empty. */
export function requireParameters(
  parameters: ReadonlyMap<string, string>,
  names: readonly string[],
): string[] {
  const missing = names.filter((name) => !parameters.get(name));
  if (missing.length > 0) throw problem('parameters_required', { fields: missing });
  return names.map((name) => parameters.get(name) ?? '');
}
