// Refuses a method that the endpoint does not have. `Allow` names the methods that it has.
import { Problem, violation } from '../../errors.ts';
import type { Check, Endpoint } from '../endpoint.ts';

export const refuseMethod =
  ({ path, methods }: Endpoint): Check =>
  ({ method }) => {
    throw new Problem(violation('method_unsupported', { method, endpoint: path }), {
      Allow: Object.keys(methods).join(', '),
    });
  };

/** For a GET with side effects: @koa/router routes HEAD to it as well. */
export function refuseHead(endpoint: Endpoint): Check {
  const refuse = refuseMethod(endpoint);
  return (ctx, next) => (ctx.method === 'HEAD' ? refuse(ctx, next) : next());
}
