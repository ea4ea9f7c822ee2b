// The one place that answers an error. What is no Problem is unforeseen: the caller learns nothing of
// it but the request's ID, the log all.
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import { Problem, problem } from '../../errors.ts';
import { errorBody } from '../error-body.ts';

// What mysql2 and knex say where the database can't be reached, for now.
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'PROTOCOL_CONNECTION_LOST',
  'ER_SERVER_SHUTDOWN',
  'ER_CON_COUNT_ERROR',
  'ER_LOCK_WAIT_TIMEOUT',
  'ER_LOCK_DEADLOCK',
  'ER_CONNECTION_KILLED',
  'ER_QUERY_INTERRUPTED',
]);

const MOST_DISCARDED = 64 * 1024 * 1024;

export function problems(log: Logger): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      answer(ctx, error instanceof Problem ? error : unforeseen(ctx, error, log));
    }
  };
}

function unforeseen(ctx: Context, error: unknown, log: Logger): Problem {
  const unreachable = isUnreachable(error);
  log.error(
    { err: error, request_id: ctx.state.requestId, method: ctx.method, path: ctx.path },
    unreachable ? 'database is not reachable' : 'unforeseen error',
  );
  return unreachable ? problem('service_unavailable') : problem('internal_error');
}

function isUnreachable(error: unknown): boolean {
  const { code, name, fatal, message } = error as {
    code?: string;
    name?: string;
    fatal?: boolean;
    message?: string;
  };
  if (name === 'KnexTimeoutError' || message === 'aborted') return true;
  if (code === 'ENOENT') return (error as { syscall?: string }).syscall === 'connect';
  return (
    fatal === true ||
    UNREACHABLE.has(code ?? '') ||
    /connection is in closed state|Connection lost/.test(message ?? '')
  );
}

/**
 * Were the connection closed on the rest of a body, most clients would see that and not the answer. So the rest
 * is read and thrown away, within limits, and the connection is closed after it where the client wants that.
 */
function linger({ req, res }: Context): void {
  let left = MOST_DISCARDED;
  req.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) req.destroy();
  });
  if (!res.shouldKeepAlive) req.once('end', () => req.socket.end());
  res.shouldKeepAlive = true;
  req.resume();
}

function answer(ctx: Context, { violations, status, headers }: Problem): void {
  ctx.status = status;
  ctx.set(headers);
  if (status === 503) ctx.set('Retry-After', '1');
  if (!ctx.req.complete) linger(ctx);
  ctx.set('Content-Type', 'application/json');
  ctx.body = JSON.stringify(errorBody(violations, ctx.state.requestId));
}
