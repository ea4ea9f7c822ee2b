// Answers every error. An error that is no Problem is unforeseen: the caller gets only the request's ID, the log gets
// the rest.
import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import { type Code, Problem, problem } from '../../core/errors.ts';
import { isAway, isBusy, isFull, isOutOfIds, isTooSlow } from '../../platform/database/away.ts';
import { isStorageAway } from '../../platform/storage/store.ts';
import { isDiskFull } from '../../platform/storage/whole-file.ts';
import { errorBody } from '../server/error-body.ts';
import { isLast } from '../server/last-answers.ts';
import { send } from '../server/send.ts';

const MOST_DISCARDED = 64 * 1024 * 1024;
const LONGEST_LINGER_MS = 8_000;
/** Characters of a field's name in the log. The caller chooses the names of unknown fields. */
const LONGEST_FIELD = 100;
/** Refusals of a name in the query. The name may be a part of a password whose ampersand nobody has encoded. */
const OF_QUERY: ReadonlySet<Code> = new Set(['parameter_repeated', 'parameter_unsupported']);

export function problems(log: Logger): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      await answer(ctx, error instanceof Problem ? error : unforeseen(ctx, error, log));
    }
  };
}

function unforeseen(ctx: Context, error: unknown, log: Logger): Problem {
  const [, text, code] = KNOWN.find(([isKnown]) => isKnown(error)) ?? UNKNOWN;
  log.error({ err: error, request_id: ctx.state.requestId, method: ctx.method, path: ctx.path }, text);
  return problem(code);
}

/** Errors by their causes, each with the text of the log and the code of the answer. The first cause counts. */
const KNOWN = [
  [(error) => isAway(error) || isBusy(error), 'database is not reachable', 'service_unavailable'],
  [isTooSlow, 'a statement took too long', 'request_too_slow'],
  [isStorageAway, 'the object store is not reachable', 'service_unavailable'],
  [(error) => isDiskFull(error) || isFull(error), 'the disk is full', 'storage_full'],
  [isOutOfIds, 'the table has no more IDs', 'service_unavailable'],
] as const satisfies readonly [isKnown: (error: unknown) => boolean, text: string, code: Code][];
const UNKNOWN = [undefined, 'unforeseen error', 'internal_error'] as const;

/**
 * Reads the rest of a refused body and throws it away, within limits. Most clients send their whole body before they
 * read the answer, and would see only that the connection was closed. The server limits the time.
 */
function linger({ req, res }: Context): void {
  discardBody(req);
  if (!res.shouldKeepAlive) req.once('end', () => req.socket.end());
  res.shouldKeepAlive = true;
}

/** The same before the last answer of a connection, because Node closes the connection with that answer. */
function lingerBefore({ req }: Context): Promise<void> {
  discardBody(req);
  return finished(req, { signal: AbortSignal.timeout(LONGEST_LINGER_MS) }).catch(() => {});
}

function discardBody(req: IncomingMessage): void {
  let left = MOST_DISCARDED;
  req.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) req.destroy();
  });
  req.resume();
}

async function answer(ctx: Context, { violations, status, headers }: Problem): Promise<void> {
  // Half of another answer is on its way: only the end of the connection tells its reader.
  if (ctx.res.headersSent) return void ctx.res.destroy();
  const more: Record<string, string> = {};
  if (status === 503) more['Retry-After'] = '1';
  // The rest of a slow body would be slow as well.
  if (status === 408) more.Connection = 'close';
  else if (!ctx.req.complete) await (isLast(ctx.res) ? lingerBefore(ctx) : linger(ctx));
  const [first] = violations;
  const field = first && OF_QUERY.has(first.code) ? undefined : first?.field?.slice(0, LONGEST_FIELD);
  ctx.state.refusal = { code: first?.code, field };
  const body = JSON.stringify(errorBody(violations, ctx.state.requestId));
  await send(ctx, { status, body, headers: { ...headers, ...more } });
}
