// Compresses answers below /v2 for callers who take br or gzip. Koa chooses the encoding by Accept-Encoding, and Node's
// zlib compresses in its own threads.
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { Context, Middleware } from 'koa';
import { Slots } from '../../platform/calls/slots.ts';
import { PREFIX } from '../endpoint.ts';

export type Encoding = 'br' | 'gzip';

/** A shorter answer fits into two packets, compressed or not. */
const LONGEST_PLAIN = 2048;
/** Nobody needs a longer header, and sorting its parts would take long. */
const LONGEST_HEADER = 1000;
/** Whether a caller refuses an answer that is not encoded: `identity;q=0` or `*;q=0.000`, and not `identity;q=0.3`. */
const REFUSES_PLAIN = /(?:identity|\*)\s*;\s*q=0(?:\.0{0,3})?\s*(?:,|$)/i;

/**
 * A list of 100 orders (95 KB) takes 8.6 KB after 0.3 ms, and costs the answering thread as little as gzip does. The
 * default quality of 11 takes 100 times as long. A window of 256 KB keeps an encoder below 1 MB.
 */
const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 2, [constants.BROTLI_PARAM_LGWIN]: 18 };

/** koa-compress compresses `ctx.body` piece by piece. The answers here are bytes that one `writeHead` sends. */
const COMPRESS: Readonly<Record<Encoding, (content: string | Buffer) => Promise<Buffer>>> = {
  br: (content) => promisify(brotliCompress)(content, { params: BROTLI }),
  gzip: (content) => promisify(gzip)(content),
};

/** Each encoder takes memory before its thread has time for it. */
const slots = new Slots(8);

export const compress = (encoding: Encoding, content: string | Buffer): Promise<Buffer> =>
  slots.run(() => COMPRESS[encoding](content));

/** Compresses what is written to it. */
export const encoderOf = (encoding: Encoding) =>
  encoding === 'br' ? createBrotliCompress({ params: BROTLI }) : createGzip();

/** Says on all answers below /v2 that they depend on Accept-Encoding. Only these are compressed. */
export function varying({ isShared }: { readonly isShared: boolean }): Middleware {
  const vary = isShared ? 'Origin, Accept-Encoding' : 'Accept-Encoding';
  return (ctx, next) => {
    if (ctx.path.startsWith(`${PREFIX}/`) || ctx.path === PREFIX) ctx.state.headers.Vary = vary;
    return next();
  };
}

/**
 * The encoding for an answer of so many bytes; undefined: none. An answer that shows a secret is compressed too: to
 * guess the secret by the sizes of answers (BREACH), a page must let a browser send the credentials again and again,
 * and no browser sends the header `token` by itself. The answer of /authenticate repeats nothing of the request.
 */
export function encodingFor(ctx: Context, length: number): Encoding | undefined {
  const header = ctx.req.headers['accept-encoding'];
  if (typeof header !== 'string' || header.length > LONGEST_HEADER || !ctx.state.headers?.Vary)
    return undefined;
  if (length <= LONGEST_PLAIN && !REFUSES_PLAIN.test(header)) return undefined;
  // If a caller takes neither these nor a plain answer, a plain one is the best there is (RFC 9110, 12.5.3).
  const chosen = ctx.acceptsEncodings('br', 'gzip', 'identity');
  return chosen === 'br' || chosen === 'gzip' ? chosen : undefined;
}
