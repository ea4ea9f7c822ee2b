// Finds the caller by the `token` header, or refuses the request.
import type { Tokens } from '../../auth/token.ts';
import { problem } from '../../errors.ts';
import type { Check, Operation } from '../endpoint.ts';

export function authenticated(tokens: Tokens, refusal: Operation['refusal'] = {}): Check {
  const { missing = 'not_authorized', dead = 'not_authorized' } = refusal;
  return async (ctx, next) => {
    const { token } = ctx.req.headers;
    if (typeof token !== 'string' || token === '') throw problem(missing);
    const identity = await tokens.find(token);
    if (!identity) throw problem(dead);
    ctx.state.identity = identity;
    ctx.state.owner = identity.owner;
    return next();
  };
}
