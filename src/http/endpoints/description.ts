// GET /v2/openapi.json: the OpenAPI document. It needs no token, since clients begin with it. The first request makes
// the document; all answers share its bytes, compressed or plain, so that slow readers take no memory of their own.
import { hash } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import { Problem, violation } from '../../core/errors.ts';
import type { Services } from '../../work/services.ts';
import type { Endpoint } from '../endpoint.ts';
import { PREFIX } from '../endpoint.ts';
import { isUnchanged } from '../etag.ts';
import { compress, type Encoding, encodingFor } from '../server/encoding.ts';
import { send } from '../server/send.ts';

const PATH = '/openapi.json';
const PATHS = [PATH, `${PATH}/`].map((path) => PREFIX + path);

interface Description {
  readonly plain: Buffer;
  readonly encoded: Readonly<Record<Encoding, Buffer>>;
  readonly tag: string;
}

export function describe({ version, publicUrl }: Services, endpoints: readonly Endpoint[]): Middleware {
  let made: Promise<Description> | undefined;
  return async (ctx, next) => {
    if (!PATHS.includes(ctx.path)) return next();
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') throw unsupported(ctx.method);
    ctx.state.route = `GET ${PATH}`;
    made ??= make(endpoints, { version, url: `${publicUrl}${PREFIX}` });
    return answer(ctx, await made);
  };
}

/** Imported here, so that the examples take no memory in a process that never serves the document. */
async function make(
  endpoints: readonly Endpoint[],
  about: { version: string; url: string },
): Promise<Description> {
  const { openApiDocument } = await import('../openapi/document.ts');
  const plain = Buffer.from(JSON.stringify(openApiDocument(endpoints, about)));
  const tag = `"${hash('sha1', plain, 'base64url').slice(0, 12)}"`;
  const [br, gzip] = await Promise.all([compress('br', plain), compress('gzip', plain)]);
  return { plain, encoded: { br, gzip }, tag };
}

async function answer(ctx: Context, { plain, encoded, tag }: Description): Promise<void> {
  // Weak, because the tag is the same for all encodings.
  const headers = { ETag: `W/${tag}` };
  if (isUnchanged(ctx, tag)) return send(ctx, { status: 304, body: '', headers });
  const encoding = encodingFor(ctx, plain.length);
  if (!encoding) return send(ctx, { status: 200, body: plain, headers });
  ctx.set({
    ...ctx.state.headers,
    ...headers,
    'Content-Type': 'application/json',
    'Content-Encoding': encoding,
  });
  ctx.body = encoded[encoding];
}

const unsupported = (method: string) =>
  new Problem(violation('method_unsupported', { method, endpoint: PATH }), { Allow: 'GET' });
