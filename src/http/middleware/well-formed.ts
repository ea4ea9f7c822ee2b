// Refuses requests that HTTP or the contract allows at no endpoint: a URL that is too long or has no path, HTTP/1.1
// without Host.
import type { Context, Middleware } from 'koa';
import { problem } from '../../errors.ts';

export const LONGEST_URL = 16 * 1024;

export const wellFormed = (): Middleware => (ctx, next) => {
  const { url = '', headers, httpVersion } = ctx.req;
  if (Buffer.byteLength(url) > LONGEST_URL) throw problem('url_too_long');
  if (headers.host === undefined && httpVersion === '1.1') throw problem('request_malformed');
  if (!hasPath(ctx)) throw problem('request_malformed');
  return next();
};

/** Koa finds no path in a target such as `http://`, and throws for `http://[/`. */
function hasPath(ctx: Context): boolean {
  try {
    return typeof ctx.path === 'string';
  } catch {
    return false;
  }
}
