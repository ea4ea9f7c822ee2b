// The headers of every answer: the request's ID, and rules for browsers. The pages replace some of them.
import type { Middleware } from 'koa';

const HEADERS = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  // Only the caller may cache an answer, and it must ask again with the ETag.
  'Cache-Control': 'private, no-cache',
};
const OVER_TLS = 'max-age=31536000; includeSubDomains';

/** Leaves the headers in `ctx.state.headers`. `isShared`: pages of other origins may read answers. */
export function headers({ isHttps, isShared }: { isHttps: boolean; isShared: boolean }): Middleware {
  const all = {
    ...HEADERS,
    'Cross-Origin-Resource-Policy': isShared ? 'cross-origin' : 'same-origin',
    ...(isHttps ? { 'Strict-Transport-Security': OVER_TLS } : {}),
  };
  return (ctx, next) => {
    // A spread would copy names with a dash five times as slowly.
    ctx.state.headers = Object.assign({ 'X-Request-Id': ctx.state.requestId }, all);
    return next();
  };
}
