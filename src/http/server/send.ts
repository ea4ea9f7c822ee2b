// Sends an answer and all its headers by one `writeHead`. Koa sets and checks each header on its own, which takes a
// sixth of the time of a short request. Long answers are compressed for callers who ask for it.
import { pipeline } from 'node:stream/promises';
import type { Context } from 'koa';
import { problem } from '../../core/errors.ts';
import type { Answer } from '../answer.ts';
import { compress, type Encoding, encoderOf, encodingFor } from './encoding.ts';

const LONG_TEXT = 4096;
/** A caller that reads more slowly is cut off: it holds a connection to the database, and a snapshot. */
const LONGEST_MS = 120_000;

type WholeAnswer = Answer & { readonly body: string | Buffer };

/** Every JSON answer goes through here. Its own headers replace the headers of all answers. */
export const send = (ctx: Context, answer: Answer): Promise<void> | void =>
  isWhole(answer) ? sendWhole(ctx, answer) : sendChunks(ctx, answer, answer.body as AsyncGenerator<Buffer>);

const isWhole = (answer: Answer): answer is WholeAnswer =>
  typeof answer.body === 'string' || Buffer.isBuffer(answer.body);

function sendWhole(ctx: Context, { status, body, headers }: WholeAnswer): Promise<void> | void {
  const all: Record<string, string> = Object.assign({}, ctx.state.headers, headers);
  ctx.respond = false;
  if (status === 304) {
    ctx.res.writeHead(status, all).end();
    return;
  }
  const bytes = inBytes(body);
  const length = typeof bytes === 'string' ? Buffer.byteLength(bytes) : bytes.length;
  all['Content-Type'] = 'application/json';
  const encoding = encodingFor(ctx, length);
  if (encoding) return sendCompressed(ctx, { status, body: bytes, headers: all }, encoding);
  all['Content-Length'] = String(length);
  ctx.res.writeHead(status, all).end(bytes);
}

async function sendCompressed(
  { res }: Context,
  { status, body, headers }: WholeAnswer,
  encoding: Encoding,
): Promise<void> {
  const bytes = await compress(encoding, body);
  const ofBytes = { 'Content-Encoding': encoding, 'Content-Length': String(bytes.length) };
  res.writeHead(status, { ...headers, ...ofBytes }).end(bytes);
}

/** Node sends a short text and its headers in one piece. It would encode a long text more than once. */
const inBytes = (body: WholeAnswer['body']) =>
  typeof body === 'string' && body.length > LONG_TEXT ? Buffer.from(body) : body;

/** Sends an answer of one chunk whole. If there are more, each chunk waits until the caller has taken the last one. */
async function sendChunks(
  ctx: Context,
  { status, headers }: Answer,
  chunks: AsyncGenerator<Buffer>,
): Promise<void> {
  const first = (await chunks.next()).value as Buffer;
  const second = await chunks.next();
  if (second.done) return sendWhole(ctx, { status, body: first, headers });
  const { res } = ctx;
  ctx.respond = false;
  async function* all() {
    yield first;
    yield second.value as Buffer;
    yield* chunks;
  }
  const tooLong = AbortSignal.timeout(LONGEST_MS);
  try {
    const encoding = encodingFor(ctx, first.length + second.value.length);
    res.writeHead(status, {
      ...ctx.state.headers,
      ...headers,
      'Content-Type': 'application/json',
      ...(encoding && { 'Content-Encoding': encoding }),
    });
    const options = { signal: tooLong };
    if (ctx.method === 'HEAD') res.end();
    else if (encoding) await pipeline(all(), encoderOf(encoding), res, options);
    else await pipeline(all(), res, options);
  } catch (error) {
    const left = tooLong.aborted || (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';
    throw left ? problem('caller_left') : error;
  } finally {
    // `chunks` holds a connection. A caller who leaves early ends `all` before it reaches `chunks`.
    await chunks.return(undefined);
  }
}
