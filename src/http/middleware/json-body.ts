// Reads the JSON body of a request with koa-bodyparser and refuses what the contract refuses, empty bodies first.
// The parser hands over the bytes, because they are measured (json-scan.ts) and checked for valid UTF-8 before
// JSON.parse.
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import bodyParser from 'koa-bodyparser';
import { type Problem, problem } from '../../core/errors.ts';
import { BODY_LIMIT } from '../../core/model/bodies/body-limit.ts';
import { isWithinLimits } from '../../core/model/bodies/json-scan.ts';
import type { Check, JsonBody, Operation } from '../endpoint.ts';
import { withBody } from '../server/received-body.ts';

// The types of raw-body's errors for an upload that ended early.
const CUT_OFF = new Set(['request.aborted', 'request.size.invalid', 'stream.not.readable']);
const NO_BYTES = Buffer.alloc(0);
const BYTE_ORDER_MARK = '\ufeff';
/** Empty, whatever its type says. */
const EMPTY = /^(?:\{\s*\})?$/;

/**
 * Leaves the body in `ctx.state.body`. `judge` runs if the body arrived later than its head: the caller may have lost
 * the token meanwhile. Throws Problem: empty or no JSON object 400, too large 413, too slow 408, too many long ones
 * 503.
 */
export function jsonBody(need: NonNullable<Operation['body']>, limit = BODY_LIMIT, judge?: Check): Check {
  const options = {
    enableTypes: ['text'],
    textLimit: String(limit),
    // The parser then hands over the bytes.
    encoding: null,
    onerror: (error: Error) => {
      throw refusalOf(error, limit);
    },
  };
  const parse = bodyParser(options);
  return async (ctx, next) => {
    const { headers } = ctx.req;
    refuseEncoded(ctx.req);
    const type = headers['content-type'];
    // The parser leaves a body of another type unread, but an empty body is refused as empty whatever its type.
    headers['content-type'] = 'text/plain';
    const take = () => {
      const read = ctx.request.body;
      // The bytes may take 15 MiB, and the handler does not need them.
      ctx.request.rawBody = undefined;
      ctx.request.body = undefined;
      const body = parsed(Buffer.isBuffer(read) ? read : NO_BYTES, type);
      if (need === 'required' && Object.keys(body).length === 0) throw problem('body_empty');
      ctx.state.body = body;
      return next();
    };
    return withBody(ctx, parse, (isLate) => (isLate && judge ? judge(ctx, take) : take()));
  };
}

/** An encoded body is refused unread: koa-bodyparser would inflate it. */
export function refuseEncoded({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') throw problem('body_not_json');
}

/** The refusal for an error of koa-bodyparser; an unforeseen error itself. */
export function refusalOf(error: Error & { type?: string }, limit: number): Problem | Error {
  if (error.type === 'entity.too.large') return problem('body_too_large', { limit });
  return CUT_OFF.has(error.type ?? '') ? problem('body_not_json') : error;
}

/** The object that the bytes hold; an empty one if they are blank. */
function parsed(bytes: Buffer, type: string | undefined): JsonBody {
  const text = isWithinLimits(bytes) ? decoded(bytes) : undefined;
  if (text !== undefined && EMPTY.test(text.trim())) return {};
  if (text === undefined || !isJson(type)) throw problem('body_not_json');
  const value = parsedJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw problem('body_not_object');
  return value as JsonBody;
}

/** The text without a byte order mark. Undefined if the bytes are not UTF-8. */
function decoded(bytes: Buffer): string | undefined {
  if (!isUtf8(bytes)) return undefined;
  const text = bytes.toString();
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw problem('body_not_json');
  }
}

/** A form is not JSON, even if its text looks like JSON. */
const isJson = (type: string | undefined) =>
  type === undefined || /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type);
