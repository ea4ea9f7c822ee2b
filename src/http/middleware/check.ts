// The checks of a route, and the handler behind them. router.ts puts them into the contract's order. Each leaves its
// result in `ctx.state`.
import type { Context } from 'koa';
import { aboutNobody, isDuplicate, Problem, problem, violation } from '../../core/errors.ts';
import { refuse } from '../../core/model/bodies/check.ts';
import type { Method } from '../../core/model/records/record.ts';
import type { Actor } from '../../core/model/statements/session.ts';
import type { Identity, Tokens } from '../../platform/auth/token.ts';
import type { Services } from '../../work/services.ts';
import {
  type Call,
  type CallState,
  type Check,
  type Endpoint,
  forbiddenAt,
  type JsonBody,
  type Operation,
  type Rights,
  type TokenRefusal,
} from '../endpoint.ts';
import { send } from '../server/send.ts';

const NO_PARAMETERS: ReadonlyMap<string, string> = new Map();
const NO_BODY: JsonBody = Object.freeze({});
const NOBODY: Actor = { owner: 0 };

/** Refuses a method that the endpoint does not have. `Allow` names the methods that it has. */
export const refuseMethod =
  ({ path, methods }: Endpoint): Check =>
  ({ method }) => {
    throw new Problem(violation('method_unsupported', { method, endpoint: path }), {
      Allow: Object.keys(methods).join(', '),
    });
  };

/** For a GET with side effects: @koa/router routes HEAD to it as well. */
export const refuseHead =
  (endpoint: Endpoint): Check =>
  (ctx, next) =>
    ctx.method === 'HEAD' ? refuseMethod(endpoint)(ctx, next) : next();

/**
 * Notes which route was found, for the log and the metrics, and the ID in its path. `ctx.captures` has the ID as it was
 * sent; `ctx.params` would decode `%35` to `5`.
 */
export const routed =
  (route: string): Check =>
  (ctx, next) => {
    ctx.state.route = route;
    ctx.state.pathId = (ctx.captures as string[] | undefined)?.[0];
    return next();
  };

/** Finds the caller by the `token` header, or refuses the request. */
export function authenticated(tokens: Tokens, refusal: Operation['refusal'] = {}): Check {
  const { missing = 'not_authorized', dead = 'not_authorized' } = refusal;
  return async (ctx, next) => {
    const identity = await tokens.find(demandToken(ctx, missing));
    if (!identity) throw problem(dead);
    ctx.state.identity = identity;
    ctx.state.owner = identity.owner;
    return next();
  };
}

/** Refuses a request without a token. Whether the token is alive is up to the handler. */
export const tokenGiven: Check = (ctx, next) => {
  demandToken(ctx, 'not_authorized');
  return next();
};

function demandToken({ req }: Context, missing: TokenRefusal): string {
  const { token } = req.headers;
  if (typeof token !== 'string' || token === '') throw problem(missing);
  return token;
}

/** Refuses an endpoint that the key or the user's role does not allow. */
export const permitted =
  (endpoint: Endpoint, method: Method, operation: Operation): Check =>
  (ctx, next) => {
    refuse(forbiddenAt(identityOf(ctx.state), endpoint, method, operation));
    return next();
  };

/** Runs an operation's own check of the ID in path and query, before the body is read. */
export const primaryId =
  (readId: NonNullable<Operation['readId']>): Check =>
  (ctx, next) => {
    const { pathId, parameters = NO_PARAMETERS } = ctx.state;
    ctx.state.id = readId({ pathId, parameters });
    return next();
  };

/** Hands the checked request to the operation's handler and sends the answer. */
export const handled =
  (services: Services, rights: Rights, handle: Operation['handle']): Check =>
  async (ctx) => {
    const { pathId, id, parameters = NO_PARAMETERS, body = NO_BODY } = ctx.state;
    const identity = identityOf(ctx.state);
    const actor = actorOf(ctx, identity);
    const forbids = (operation: string) => rights(identity, operation);
    const call = { services, ctx, identity, forbids, actor, pathId, parameters, id, body };
    const answer = await handle(call).catch((error) => {
      throw error instanceof Problem ? readable(error, forbids) : error;
    });
    await send(ctx, answer);
  };

/** A duplicate names the record that has the value to callers who may read it. */
const readable = ({ violations, headers }: Problem, forbids: Call['forbids']): Problem =>
  new Problem(
    violations.map((one) =>
      isDuplicate(one) && one.resource && forbids(`GET /${one.resource}`) ? aboutNobody(one) : one,
    ),
    headers,
  );

/** Open operations change no record. */
const actorOf = ({ state }: Context, identity: Identity | undefined): Actor =>
  identity
    ? {
        owner: identity.owner,
        employee: identity.employee,
        apiKey: identity.apiKey,
        requestId: state.requestId,
      }
    : NOBODY;

/** The caller. In truth undefined for open operations, but their handlers do not read it. */
const identityOf = ({ identity }: CallState): Identity => identity as Identity;
