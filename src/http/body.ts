// Reads the JSON body of a request. Nothing is read before it is asked for, and never more than the limit.
import type { IncomingMessage } from 'node:http';
import rawBody from 'raw-body';
import { problem } from '../errors.ts';

export const BODY_LIMIT = 1024 * 1024;
export const DOCUMENT_LIMIT = 15 * 1024 * 1024;
const MOST_LEVELS = 32;
// The client went away before its body was asked for, or in the middle of it.
const CUT_OFF = new Set(['request.aborted', 'request.size.invalid', 'stream.not.readable']);

export type JsonBody = Readonly<Record<string, unknown>>;

/** Throws Problem: empty 400, not a JSON object 400, over the limit 413. */
export async function readBody(request: IncomingMessage, limit = BODY_LIMIT): Promise<JsonBody> {
  const body = await readBodyIfAny(request, limit);
  if (!body) throw problem('body_empty');
  return body;
}

/** For requests that need none: undefined where it is empty. Throws Problem as readBody does. */
export async function readBodyIfAny(
  request: IncomingMessage,
  limit = BODY_LIMIT,
): Promise<JsonBody | undefined> {
  const text = decode(await receive(request, limit));
  if (text.trim() === '') return undefined;
  // A form can't be JSON, whatever its text looks like.
  if (!isJson(request.headers['content-type'])) throw problem('body_not_json');
  const body = parse(text);
  return Object.keys(body).length === 0 ? undefined : body;
}

/** The bytes of a body. Throws Problem: over the limit 413, cut off 400. */
export async function receive(request: IncomingMessage, limit: number): Promise<Buffer> {
  const length = request.headers['content-length'];
  try {
    return await rawBody(request, { limit, length });
  } catch (error) {
    const { type } = error as { type?: string };
    if (type === 'entity.too.large') throw problem('body_too_large', { limit });
    if (CUT_OFF.has(type ?? '')) throw problem('body_not_json');
    throw error;
  }
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw problem('body_not_json');
  }
}

const isJson = (type: string | undefined) =>
  type === undefined || /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type);

function parse(text: string): JsonBody {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw problem('body_not_json');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isDeep(value))
    throw problem('body_not_json');
  return value as JsonBody;
}

/** Walks level by level, so that no depth of nesting can exhaust the stack. */
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
