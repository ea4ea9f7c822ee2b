// Runs an operation's own check of the ID in path and query, before the body is read.
import type { Check, Operation } from '../endpoint.ts';

export const primaryId =
  (readId: NonNullable<Operation['readId']>): Check =>
  (ctx, next) => {
    const { pathId, parameters = new Map() } = ctx.state;
    ctx.state.id = readId({ pathId, parameters });
    return next();
  };
