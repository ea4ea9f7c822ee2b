// Refuses requests that HTTP or the contract allows at no endpoint: a URL that is too long or has no path, HTTP/1.1
// without Host, two Hosts. It also refuses a request whose connection ended while the request waited behind another
// one (in-turn.ts).
import type { Context, Middleware } from 'koa';
import { problem } from '../../core/errors.ts';

export const LONGEST_URL = 16 * 1024;

export const wellFormed = (): Middleware => (ctx, next) => {
  const { url = '', rawHeaders, httpVersion, socket } = ctx.req;
  if (!socket.writable) throw problem('caller_left');
  if (Buffer.byteLength(url) > LONGEST_URL) throw problem('url_too_long');
  const hosts = hostsIn(rawHeaders);
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) throw problem('request_malformed');
  if (!hasPath(ctx)) throw problem('request_malformed');
  return next();
};

/** How many headers are Host. Node's `headers` show only the first one. */
function hostsIn(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

/** Koa finds no path in a target such as `http://`, and throws for `http://[/`. */
function hasPath(ctx: Context): boolean {
  try {
    return typeof ctx.path === 'string';
  } catch {
    return false;
  }
}
