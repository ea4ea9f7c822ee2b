// Reads the JSON body of a request with koa-bodyparser and refuses what the contract refuses, empty bodies first.
// koa-bodyparser decodes invalid UTF-8 to U+FFFD, so this middleware keeps the bytes as they arrive and checks them.
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import bodyParser from 'koa-bodyparser';
import { type Problem, problem } from '../../errors.ts';
import { BODY_LIMIT, type Check, type JsonBody, type Operation } from '../endpoint.ts';

const MOST_LEVELS = 32;
const REPLACEMENT = '\ufffd';
// The types of raw-body's errors for an upload that ended early.
const CUT_OFF = new Set(['request.aborted', 'request.size.invalid', 'stream.not.readable']);

/** Leaves the body in `ctx.state.body`. Throws Problem: empty 400, not a JSON object 400, above the limit 413. */
export function jsonBody(need: NonNullable<Operation['body']>, limit = BODY_LIMIT): Check {
  const options = {
    enableTypes: ['json'],
    jsonLimit: String(limit),
    // Reads a body of any type, because an empty body is refused as empty whatever its type.
    detectJSON: () => true,
    // `__proto__` is an unknown field like any other.
    onProtoPoisoning: 'ignore',
    // After a SyntaxError `request.body` stays undefined: blank text is an empty body, other text is not JSON.
    onerror: (error: Error) => {
      if (!(error instanceof SyntaxError)) throw refusalOf(error, limit);
    },
  };
  const parse = bodyParser(options);
  return async (ctx, next) => {
    const { req, request } = ctx;
    refuseEncoded(req);
    const parsing = parse(ctx, async () => {});
    const received = keepBytes(req);
    await parsing.finally(received.stop);
    const body = isBlank(request.rawBody, received.chunks)
      ? {}
      : checked(request.body, String(request.rawBody), received.chunks, req.headers['content-type']);
    // The text may take 15 MiB, and the handler does not need it.
    request.rawBody = undefined;
    if (need === 'required' && Object.keys(body).length === 0) throw problem('body_empty');
    ctx.state.body = body;
    return next();
  };
}

/** Keeps the bytes of a body while a parser reads it. */
function keepBytes(request: IncomingMessage): { chunks: readonly Buffer[]; stop: () => void } {
  const chunks: Buffer[] = [];
  const keep = (chunk: Buffer) => {
    chunks.push(chunk);
  };
  request.on('data', keep);
  return { chunks, stop: () => request.off('data', keep) };
}

/** An encoded body is refused unread: koa-bodyparser would inflate it. */
export function refuseEncoded({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') throw problem('body_not_json');
}

/** The refusal for an error of koa-bodyparser; the error itself where it is unforeseen. */
export function refusalOf(error: Error & { type?: string }, limit: number): Problem | Error {
  if (error.type === 'entity.too.large') return problem('body_too_large', { limit });
  return CUT_OFF.has(error.type ?? '') ? problem('body_not_json') : error;
}

const isBlank = (text: unknown, chunks: readonly Buffer[]) =>
  text === '' || (text === undefined && Buffer.concat(chunks).toString().trim() === '');

function checked(
  value: unknown,
  text: string,
  chunks: readonly Buffer[],
  type: string | undefined,
): JsonBody {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isObject || !isJson(type) || isDeep(value) || !isIntact(text, chunks)) throw problem('body_not_json');
  return value as JsonBody;
}

/** A form is not JSON, even where its text looks like JSON. */
const isJson = (type: string | undefined) =>
  type === undefined || /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type);

/** Whether the bytes were UTF-8. A U+FFFD in the text stands for invalid bytes, or was sent as such. */
const isIntact = (text: string, chunks: readonly Buffer[]) =>
  !text.includes(REPLACEMENT) || isUtf8(Buffer.concat(chunks));

/** Walks level by level, so that deep nesting can't exhaust the stack. */
function isDeep(value: object): boolean {
  let level: object[] = [value];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > MOST_LEVELS) return true;
    level = level.flatMap((item) =>
      Object.values(item).filter((child) => typeof child === 'object' && child !== null),
    );
  }
  return false;
}
