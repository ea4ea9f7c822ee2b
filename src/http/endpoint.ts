// The type of an endpoint: a path below /v2 and, for each method, its checks, its handler and its description. One
// table of endpoints makes the routers, /authenticate/acces and the OpenAPI document; a test compares it with the docs.
import type { Context, Middleware } from 'koa';
import type { Violation } from '../core/errors.ts';
import type { Form } from '../core/model/bodies/form.ts';
import type { Fields } from '../core/model/fields/field.ts';
import type { Method } from '../core/model/records/record.ts';
import type { Actor } from '../core/model/statements/session.ts';
import { forbidden, type Need } from '../platform/auth/permission.ts';
import type { Identity } from '../platform/auth/token.ts';
import type { Services } from '../work/services.ts';
import type { Answer } from './answer.ts';
import type { OperationDoc } from './openapi/operation.ts';
import type { Query } from './query.ts';

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
  /** Milliseconds for which the request waited for a change, or for the file that its caller sends. */
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
  /** An operation that needs nothing takes a token all the same. The token may be dead. */
  readonly takesToken?: boolean;
  /**
   * The path whose permission counts, if it is another path: who may POST an order may make its credit notes and
   * deposits. A key with this path alone would allow nothing, so `refuseUseless` refuses it.
   */
  readonly countsAs?: string;
  /** Another path whose permission is enough: the path of the resource whose records the operation changes. */
  readonly impliedBy?: string;
  /** The query, if its parameters are fields. */
  readonly query?: Pick<Query, 'names' | 'required' | 'shown'>;
  /** The supported query parameters, if they are not fields. */
  readonly parameters?: readonly string[];
  /** A GET with side effects. HEAD must have none (RFC 9110, 9.2.1), so it is refused. */
  readonly unsafe?: boolean;
  /** Codes other than `not_authorized` for a missing and a dead token. */
  readonly refusal?: { readonly missing?: TokenRefusal; readonly dead?: TokenRefusal };
  /** Checks the ID in path and query before the body is read. */
  readonly readId?: (address: Address) => number | undefined;
  /** The body, if it is a form. An empty one is refused if a field is required. */
  readonly form?: Pick<Form<Fields>, 'fields'>;
  /** A body that is no form. `optional` accepts an empty one. Without `form` and `body`, no body is read. */
  readonly body?: 'required' | 'optional';
  /** In bytes; `BODY_LIMIT` if it is missing. */
  readonly bodyLimit?: number;
  readonly handle: (call: Call) => Promise<Answer>;
  /** A function, where only a process that serves the OpenAPI document should make it, after loadResources. */
  readonly doc: Doc;
  /** The description at `path/{id}`, for endpoints with `byId`. */
  readonly docById?: Doc;
}

type Doc = OperationDoc | (() => OperationDoc);
export const docOf = (doc: Doc): OperationDoc => (typeof doc === 'function' ? doc() : doc);

export type TokenRefusal = 'not_authorized' | 'authorization_missing' | 'token_invalid';

type Caller = Pick<Identity, 'allow' | 'role'>;

/** Why a caller may not use an operation of an endpoint; undefined: the caller may. */
export function forbiddenAt(
  caller: Caller,
  { path }: Endpoint,
  method: Method,
  { needs, countsAs = path, impliedBy }: Operation,
): Violation | undefined {
  const found = forbidden(caller, needs, method, countsAs);
  const isImplied = impliedBy !== undefined && !forbidden(caller, needs, method, impliedBy);
  return isImplied ? undefined : found;
}

/** Makes an endpoint with one method. */
const withOne =
  (method: Method) =>
  (path: string, operation: Operation): Endpoint => ({ path, methods: { [method]: operation } });
export const get = withOne('GET');
export const post = withOne('POST');
export const put = withOne('PUT');

/** The operations of an endpoint, by their methods. */
export const operationsOf = ({ methods }: Endpoint): [Method, Operation][] =>
  Object.entries(methods) as [Method, Operation][];

/** The query parameters that an operation supports. */
export const parametersOf = ({ query, parameters = query?.names ?? [] }: Operation): readonly string[] =>
  parameters;

/** Whether an operation reads a body, and refuses an empty one. */
export function bodyOf({ form, body }: Operation): Operation['body'] {
  if (!form) return body;
  return [...form.fields.values()].some(({ required }) => required) ? 'required' : 'optional';
}

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
  readonly methods: Readonly<Partial<Record<Method, Operation>>>;
}

/** `order` for `/order/5`. */
export function firstSegment(path: string): string {
  const end = path.indexOf('/', 1);
  return path.slice(1, end === -1 ? undefined : end);
}
