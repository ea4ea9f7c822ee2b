// Gives each request its ID, and reports each answer: one log line, and the metrics through `onAnswer`.
import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import type { Observation } from '../../work/metrics.ts';

const SANE_ID = /^[\w.:@/+=-]{1,100}$/;
const SLOW_MS = 500;

const hundredths = (milliseconds: number) => Math.round(milliseconds * 100) / 100;

export function observe(log: Logger, onAnswer: (seen: Observation) => void): Middleware {
  return async (ctx, next) => {
    const started = performance.now();
    const given = ctx.req.headers['x-request-id'];
    const requestId = typeof given === 'string' && SANE_ID.test(given) ? given : randomUUID();
    ctx.state.requestId = requestId;
    await next();
    // A request that waits for a change, or for a slow caller, costs nothing meanwhile.
    const waited: number = ctx.state.waited ?? 0;
    const milliseconds = performance.now() - started - waited;
    const route: string = ctx.state.route ?? 'unknown';
    const line = {
      request_id: requestId,
      owner: ctx.state.owner,
      route,
      status: ctx.respond === false ? ctx.res.statusCode : ctx.status,
      ms: hundredths(milliseconds),
      ...(waited > 0 && { waited_ms: hundredths(waited) }),
      // Code and field of a refusal, but no value: a value may be personal or secret.
      ...ctx.state.refusal,
    };
    onAnswer({ route, status: line.status, milliseconds });
    // A 408 took so long because its caller was slow.
    const isSlow = milliseconds > SLOW_MS && line.status !== 408 && !route.startsWith('GET /files');
    if (isSlow) log.warn(line, `slow request: ${route}`);
    else log.info(line, 'request');
  };
}
