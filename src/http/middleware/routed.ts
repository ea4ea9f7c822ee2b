// Notes which route was found, for the log and the metrics, and the ID in its path. `ctx.captures` has the ID as it
// was sent; `ctx.params` would decode `%35` to `5`.
import type { Check } from '../endpoint.ts';

export const routed =
  (route: string): Check =>
  (ctx, next) => {
    ctx.state.route = route;
    ctx.state.pathId = (ctx.captures as string[] | undefined)?.[0];
    return next();
  };
