// Refuses an endpoint that the key or the user's role does not allow.
import { forbidden } from '../../auth/permission.ts';
import { Problem } from '../../errors.ts';
import type { Method } from '../../model/record.ts';
import type { Check } from '../endpoint.ts';
import { identityOf } from './handled.ts';

export const permitted =
  (method: Method, path: string): Check =>
  (ctx, next) => {
    const { allow, role } = identityOf(ctx.state);
    const found = forbidden(allow, role, method, path);
    if (found) throw new Problem(found);
    return next();
  };
