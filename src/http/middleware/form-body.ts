// Reads the body of a web form with koa-bodyparser. The body is read as text, because the parser's own reading of forms
// makes objects of field names with dots or brackets.
import type { Middleware } from 'koa';
import bodyParser from 'koa-bodyparser';
import { withBody } from '../server/received-body.ts';
import { refusalOf, refuseEncoded } from './json-body.ts';

/** Leaves the text in `ctx.request.rawBody`. Throws Problem: too large 413, too slow 408, cut off or encoded 400. */
export function formBody(limit: number): Middleware {
  const parse = bodyParser({
    enableTypes: ['text'],
    extendTypes: { text: ['*/*'] },
    textLimit: String(limit),
    onerror: (error) => {
      throw refusalOf(error, limit);
    },
  });
  return async (ctx, next) => {
    refuseEncoded(ctx.req);
    return withBody(ctx, parse, next);
  };
}
