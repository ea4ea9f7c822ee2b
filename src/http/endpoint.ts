// The type of an endpoint: a path below /v2 and, for each method, its checks, its handler and its description. One
// table of endpoints makes the routers, /authenticate/acces and the OpenAPI document; a test compares it with the docs.
import type { Context, Middleware } from 'koa';
import { forbidden, type Need } from '../auth/permission.ts';
import type { Identity } from '../auth/token.ts';
import type { Violation } from '../errors.ts';
import type { Method } from '../model/record.ts';
import type { Actor } from '../model/session.ts';
import type { Services } from '../services.ts';
import type { Answer } from './answer.ts';
import type { OperationDoc } from './openapi/operation.ts';

export const PREFIX = '/v2';
export type JsonBody = Readonly<Record<string, unknown>>;

/** The parts of a request that may hold the ID of a record. */
export interface Address {
  /** The ID in the path, not decoded. */
  readonly pathId?: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** One request to one endpoint that has passed all checks before the record. */
export interface Call extends Address {
  readonly services: Services;
  readonly ctx: Context;
  readonly identity: Identity;
  /** Why the caller may not use an operation, such as `GET /order`; undefined: the caller may. */
  readonly forbids: (operation: string) => Violation | undefined;
  /** The author of changes, for the change log. */
  readonly actor: Actor;
  /** The result of the operation's `readId`. */
  readonly id?: number;
  /** Empty if the operation takes no body, or the request has none. */
  readonly body: JsonBody;
}

/** Where the middleware of a route leaves its results in `ctx.state`. */
export interface CallState {
  /** Method and path of the endpoint, for the log and the metrics. */
  route?: string;
  /** Milliseconds for which the request waited for a change. */
  waited?: number;
  owner?: number;
  identity?: Identity;
  pathId?: string;
  parameters?: ReadonlyMap<string, string>;
  id?: number;
  body?: JsonBody;
}

/** One check of a route. */
export type Check = Middleware<CallState>;

export interface Operation {
  /** Who may use it. The handler of an operation that needs nothing must not read `identity`. */
  readonly needs: Need;
  /** The supported query parameters. */
  readonly parameters?: readonly string[];
  /** A GET with side effects. HEAD must have none (RFC 9110, 9.2.1), so it is refused. */
  readonly unsafe?: boolean;
  /** Codes other than `not_authorized` for a missing and a dead token. */
  readonly refusal?: { readonly missing?: TokenRefusal; readonly dead?: TokenRefusal };
  /** Checks the ID in path and query before the body is read. */
  readonly readId?: (address: Address) => number | undefined;
  /** If this is missing, no body is read. `optional` accepts an empty body. */
  readonly body?: 'required' | 'optional';
  /** In bytes; `BODY_LIMIT` if it is missing. */
  readonly bodyLimit?: number;
  readonly handle: (call: Call) => Promise<Answer>;
  /** A function, so that only a process that serves the OpenAPI document makes descriptions. */
  readonly doc: () => OperationDoc;
  /** The description at `path/{id}`, for endpoints with `byId`. */
  readonly docById?: () => OperationDoc;
}

type TokenRefusal = 'not_authorized' | 'authorization_missing' | 'token_invalid';

type Caller = Pick<Identity, 'allow' | 'role'>;

/** Why a caller may not use an operation of an endpoint; undefined: the caller may. */
export function forbiddenAt(
  caller: Caller,
  { path, countsAs = path, impliedBy }: Endpoint,
  method: Method,
  { needs }: Operation,
): Violation | undefined {
  const found = forbidden(caller, needs, method, countsAs);
  const isImplied = impliedBy !== undefined && !forbidden(caller, needs, method, impliedBy);
  return isImplied ? undefined : found;
}

/** The operations of an endpoint, by their methods. */
export const operationsOf = ({ methods }: Endpoint): [Method, Operation][] =>
  Object.entries(methods) as [Method, Operation][];

/** Looks up what a caller may do, by operations such as `GET /order`. */
export type Rights = (caller: Caller, operation: string) => Violation | undefined;

export function rightsOf(endpoints: readonly Endpoint[]): Rights {
  const known = new Map(
    endpoints.flatMap((endpoint) =>
      operationsOf(endpoint).map(([method, operation]) => [
        `${method} ${endpoint.path}`,
        (caller: Caller) => forbiddenAt(caller, endpoint, method, operation),
      ]),
    ),
  );
  return (caller, operation) => {
    const forbids = known.get(operation);
    if (!forbids) throw new Error(`${operation} is no operation`);
    return forbids(caller);
  };
}

export interface Endpoint {
  /** Below /v2, without an ID: `/order`. */
  readonly path: string;
  /** Whether `/order/5` is the same as `/order?id=5`. */
  readonly byId?: boolean;
  /** The path whose permission counts, if it is another path. */
  readonly countsAs?: string;
  /** A path whose permission is enough, too. */
  readonly impliedBy?: string;
  readonly methods: Readonly<Partial<Record<Method, Operation>>>;
}
