// Headers that every answer carries: whose it is, and what browsers must not do with it. Pages add what they need.
import type { Middleware } from 'koa';

const HEADERS = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  // An answer may be kept by its caller only, and asked about again by its ETag.
  'Cache-Control': 'private, no-cache',
};
const OVER_TLS = 'max-age=31536000; includeSubDomains';

/** Keeps them in `ctx.state.headers` for whoever answers; `isShared`: pages of other origins may read answers. */
export function headers({ isHttps, isShared }: { isHttps: boolean; isShared: boolean }): Middleware {
  const all = {
    ...HEADERS,
    'Cross-Origin-Resource-Policy': isShared ? 'cross-origin' : 'same-origin',
    ...(isHttps ? { 'Strict-Transport-Security': OVER_TLS } : {}),
  };
  return (ctx, next) => {
    // Not a spread, which copies such names five times as slowly.
    ctx.state.headers = Object.assign({ 'X-Request-Id': ctx.state.requestId }, all);
    return next();
  };
}
