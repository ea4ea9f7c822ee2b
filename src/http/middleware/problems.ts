// Answers every error. An error that is no Problem is unforeseen: the caller gets only the request's ID, the log gets
// the rest.
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import { isAway, isBusy, isFull, isOutOfIds } from '../../database/away.ts';
import { Problem, problem } from '../../errors.ts';
import { isStorageAway } from '../../storage/store.ts';
import { isDiskFull } from '../../storage/whole-file.ts';
import { errorBody } from '../error-body.ts';
import { send } from '../send.ts';

const MOST_DISCARDED = 64 * 1024 * 1024;
/** Characters of a field's name in the log. The caller chooses the names of unknown fields. */
const LONGEST_FIELD = 100;

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
  const [text, found] =
    isAway(error) || isBusy(error)
      ? (['database is not reachable', problem('service_unavailable')] as const)
      : isStorageAway(error)
        ? (['the object store is not reachable', problem('service_unavailable')] as const)
        : isDiskFull(error) || isFull(error)
          ? (['the disk is full', problem('storage_full')] as const)
          : isOutOfIds(error)
            ? (['the table has no more IDs', problem('service_unavailable')] as const)
            : (['unforeseen error', problem('internal_error')] as const);
  log.error({ err: error, request_id: ctx.state.requestId, method: ctx.method, path: ctx.path }, text);
  return found;
}

/**
 * Reads the rest of a refused body and throws it away, within limits. Most clients send their whole body before they
 * read the answer, and would see only that the connection was closed. The server limits the time.
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
  // Half of another answer is on its way: only the end of the connection tells its reader.
  if (ctx.res.headersSent) return void ctx.res.destroy();
  const more: Record<string, string> = {};
  if (status === 503) more['Retry-After'] = '1';
  // The rest of a slow body would be slow as well.
  if (status === 408) more.Connection = 'close';
  else if (!ctx.req.complete) linger(ctx);
  const [first] = violations;
  ctx.state.refusal = { code: first?.code, field: first?.field?.slice(0, LONGEST_FIELD) };
  const body = JSON.stringify(errorBody(violations, ctx.state.requestId));
  send(ctx, { status, body, headers: { ...headers, ...more } });
}
