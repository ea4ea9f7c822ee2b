// Headers that every answer carries: what browsers must not do with it. Pages add what they need.
import type { Middleware } from 'koa';

const HEADERS = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  // An answer may be kept by its caller only, and asked about again by its ETag.
  'Cache-Control': 'private, no-cache',
};
const OVER_TLS = 'max-age=31536000; includeSubDomains';

export function headers(isHttps: boolean): Middleware {
  const all = { ...HEADERS, ...(isHttps ? { 'Strict-Transport-Security': OVER_TLS } : {}) };
  return (ctx, next) => {
    ctx.set(all);
    return next();
  };
}
