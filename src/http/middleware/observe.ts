// Gives each request its ID, and reports each answer: one log line, and the metrics through `onAnswer`.
import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import type { Observation } from '../../metrics.ts';

const SANE_ID = /^[\w.:@/+=-]{1,100}$/;
const SLOW_MS = 500;

export function observe(log: Logger, onAnswer: (seen: Observation) => void): Middleware {
  return async (ctx, next) => {
    const started = performance.now();
    const given = ctx.req.headers['x-request-id'];
    const requestId = typeof given === 'string' && SANE_ID.test(given) ? given : randomUUID();
    ctx.state.requestId = requestId;
    await next();
    const milliseconds = performance.now() - started;
    const route: string = ctx.state.route ?? 'unknown';
    const line = {
      request_id: requestId,
      owner: ctx.state.owner,
      route,
      status: ctx.respond === false ? ctx.res.statusCode : ctx.status,
      ms: Math.round(milliseconds * 100) / 100,
    };
    onAnswer({ route, status: line.status, milliseconds });
    if (milliseconds > SLOW_MS && !route.startsWith('GET /files')) log.warn(line, `slow request: ${route}`);
    else log.info(line, 'request');
  };
}
