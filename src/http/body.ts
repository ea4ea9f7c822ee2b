// Reads the JSON body of a request. Nothing is read before it is asked for, and never more than the limit.
import type { IncomingMessage } from 'node:http';
import rawBody from 'raw-body';
import { problem } from '../errors.ts';

export const BODY_LIMIT = 1024 * 1024;
export const DOCUMENT_LIMIT = 15 * 1024 * 1024;
const MOST_LEVELS = 32;
const MOST_DISCARDED = 64 * 1024 * 1024;
/** What raw-body says where the caller is gone, or sent less than announced. */
const CUT_OFF = ['request.aborted', 'request.size.invalid', 'stream.not.readable'];

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
    if (type === 'entity.too.large') {
      await discard(request);
      throw problem('body_too_large', { limit });
    }
    if (type !== undefined && CUT_OFF.includes(type)) throw problem('body_not_json');
    throw error;
  }
}

/** Many clients read no answer before they have sent all; what is without measure is cut off all the same. */
function discard(request: IncomingMessage): Promise<void> {
  if (Number(request.headers['content-length'] ?? 0) > MOST_DISCARDED) return Promise.resolve();
  let left = MOST_DISCARDED;
  return new Promise((resolve) => {
    request.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left >= 0) return;
      request.pause();
      resolve();
    });
    request.once('end', resolve).once('close', resolve).resume();
  });
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
