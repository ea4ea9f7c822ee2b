// Refuses requests that HTTP or the contract allows at no endpoint: a URL that is too long, HTTP/1.1 without Host.
import type { Middleware } from 'koa';
import { problem } from '../../errors.ts';

export const LONGEST_URL = 16 * 1024;

export const wellFormed = (): Middleware => (ctx, next) => {
  if (Buffer.byteLength(ctx.req.url ?? '') > LONGEST_URL) throw problem('url_too_long');
  if (ctx.req.headers.host === undefined && ctx.req.httpVersion === '1.1') throw problem('request_malformed');
  return next();
};
