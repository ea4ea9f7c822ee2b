// Routes requests below /v2: one @koa/router Router for each first segment of a path, made from the table of endpoints.
// A map chooses the Router, because one Router with every path would try a hundred patterns for each request.
import Router from '@koa/router';
import type { Middleware } from 'koa';
import { problem } from '../core/errors.ts';
import type { Method } from '../core/model/records/record.ts';
import type { Services } from '../work/services.ts';
import {
  bodyOf,
  type CallState,
  type Check,
  type Endpoint,
  firstSegment,
  type Operation,
  operationsOf,
  PREFIX,
  parametersOf,
  type Rights,
  rightsOf,
} from './endpoint.ts';
import {
  authenticated,
  handled,
  permitted,
  primaryId,
  refuseHead,
  refuseMethod,
  routed,
  tokenGiven,
} from './middleware/check.ts';
import { jsonBody } from './middleware/json-body.ts';
import { queryParameters } from './middleware/query-parameters.ts';

const VERBS = { GET: 'get', POST: 'post', PUT: 'put', DELETE: 'delete' } as const;

export function routeEndpoints(services: Services, endpoints: readonly Endpoint[]): Middleware {
  const rights = rightsOf(endpoints);
  const routes = new Map(
    [...bySegment(endpoints)].map(([segment, group]) => [
      segment,
      routerOf({ services, rights }, group).routes(),
    ]),
  );
  return (ctx, next) => {
    if (!ctx.path.startsWith(`${PREFIX}/`) && ctx.path !== PREFIX) return next();
    const path = ctx.path.slice(PREFIX.length);
    const refuse = async () => {
      throw problem('endpoint_invalid', { endpoint: path === '' ? '/' : path });
    };
    const route = routes.get(firstSegment(path));
    return route ? route(ctx as Parameters<typeof route>[0], refuse) : refuse();
  };
}

function bySegment(endpoints: readonly Endpoint[]): Map<string, Endpoint[]> {
  const groups = new Map<string, Endpoint[]>();
  for (const endpoint of endpoints) {
    const segment = firstSegment(endpoint.path);
    groups.set(segment, [...(groups.get(segment) ?? []), endpoint]);
  }
  return groups;
}

/** What the checks and handlers of all routes share. */
interface Shared {
  readonly services: Services;
  readonly rights: Rights;
}

function routerOf(shared: Shared, endpoints: readonly Endpoint[]): Router<CallState> {
  const router = new Router<CallState>({ prefix: PREFIX, sensitive: true });
  // Exact paths come first: `/vehicle/:id` also matches `/vehicle/publishstop`.
  const exact = endpoints.map((endpoint) => [endpoint.path, endpoint] as const);
  const byId = endpoints
    .filter((endpoint) => endpoint.byId)
    .map((endpoint) => [`${endpoint.path}/{id}`, endpoint] as const);
  for (const [path, endpoint] of [...exact, ...byId]) {
    addRoutes(router, path.replace(/\{(\w+)\}/g, ':$1'), endpoint, shared);
  }
  return router;
}

function addRoutes(router: Router<CallState>, path: string, endpoint: Endpoint, shared: Shared): void {
  for (const [method, operation] of operationsOf(endpoint)) {
    router[VERBS[method]](path, ...checks(shared, endpoint, method, operation));
  }
  // Ends the path, so that no later pattern takes a method that this endpoint does not have.
  router.all(path, refuseMethod(endpoint));
}

/** The middleware of one operation, in the order of the contract's checks. */
function checks(
  { services, rights }: Shared,
  endpoint: Endpoint,
  method: Method,
  operation: Operation,
): Check[] {
  const { needs, takesToken, unsafe, refusal, readId, bodyLimit } = operation;
  const body = bodyOf(operation);
  const known = authenticated(services.tokens, refusal);
  const allowed = permitted(endpoint, method, operation);
  const judge: Check | undefined =
    needs === 'nothing' ? undefined : (ctx, next) => known(ctx, () => allowed(ctx, next));
  const all = [
    unsafe && refuseHead(endpoint),
    routed(`${method} ${endpoint.path}`),
    judge && known,
    takesToken && tokenGiven,
    judge && allowed,
    queryParameters(parametersOf(operation)),
    readId && primaryId(readId),
    body && jsonBody(body, bodyLimit, judge),
    handled(services, rights, operation.handle),
  ];
  return all.filter((check) => typeof check === 'function');
}
