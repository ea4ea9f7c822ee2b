// The last middleware of a route: hands the checked request to the operation's handler and sends the answer.
import type { Context } from 'koa';
import type { Identity } from '../../auth/token.ts';
import type { Actor } from '../../model/change-log.ts';
import type { Services } from '../../services.ts';
import type { CallState, Check, JsonBody, Operation } from '../endpoint.ts';
import { send } from '../server/send.ts';

const NO_PARAMETERS: ReadonlyMap<string, string> = new Map();
const NO_BODY: JsonBody = Object.freeze({});
const NOBODY: Actor = { owner: 0 };

export const handled =
  (services: Services, handle: Operation['handle']): Check =>
  async (ctx) => {
    const { pathId, id, parameters = NO_PARAMETERS, body = NO_BODY } = ctx.state;
    const identity = identityOf(ctx.state);
    const actor = actorOf(ctx, identity);
    const call = { services, ctx, identity, actor, pathId, parameters, id, body };
    await send(ctx, await handle(call));
  };

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

/** The caller. Undefined in truth for open operations, whose handlers do not read it. */
export const identityOf = ({ identity }: CallState): Identity => identity as Identity;
