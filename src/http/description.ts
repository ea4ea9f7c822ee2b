// GET /v2/openapi.json: the description of all endpoints. It needs no token: it is what one begins with. Made
// when it is first asked for, and kept compressed, in the one form that nearly every client takes.
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Context, Middleware } from 'koa';
import { Problem, violation } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { PREFIX } from './dispatch.ts';
import type { Endpoint } from './endpoint.ts';
import { isUnchanged } from './etag.ts';

const PATH = '/openapi.json';

interface Description {
  readonly compressed: Buffer;
  readonly tag: string;
}

export function describe({ version, publicUrl }: Parts, endpoints: readonly Endpoint[]): Middleware {
  let made: Promise<Description> | undefined;
  return async (ctx, next) => {
    if (ctx.path !== `${PREFIX}${PATH}`) return next();
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') throw unsupported(ctx.method);
    ctx.state.route = `GET ${PATH}`;
    made ??= make(endpoints, { version, url: `${publicUrl}${PREFIX}` });
    return answer(ctx, await made);
  };
}

/** Loaded here and not before: a process that is never asked keeps none of the examples in memory. */
async function make(
  endpoints: readonly Endpoint[],
  about: { version: string; url: string },
): Promise<Description> {
  const { openApiDocument } = await import('./openapi/document.ts');
  const text = JSON.stringify(openApiDocument(endpoints, about));
  const tag = `"${hash('sha1', text, 'base64url').slice(0, 12)}"`;
  return { compressed: await promisify(gzip)(text), tag };
}

async function answer(ctx: Context, { compressed, tag }: Description): Promise<void> {
  // Weak: the same document, in whichever encoding.
  ctx.set({ ...ctx.state.headers, ETag: `W/${tag}`, 'Content-Type': 'application/json' });
  ctx.vary('Accept-Encoding');
  if (isUnchanged(ctx, tag)) {
    ctx.status = 304;
    return;
  }
  const zipped = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
  if (zipped) ctx.set('Content-Encoding', 'gzip');
  ctx.body = zipped ? compressed : await promisify(gunzip)(compressed);
}

const unsupported = (method: string) =>
  new Problem(violation('method_unsupported', { method, endpoint: PATH }), { Allow: 'GET' });
