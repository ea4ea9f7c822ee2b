// Sends an answer and all its headers by one `writeHead`. Koa sets and checks each header on its own, which takes a
// sixth of the time of a short request.
import { pipeline } from 'node:stream/promises';
import type { Context } from 'koa';
import { problem } from '../../errors.ts';
import type { Answer } from '../answer.ts';

const LONG_TEXT = 4096;
/** A caller that reads more slowly is cut off: it holds a connection to the database, and a snapshot. */
const LONGEST_MS = 120_000;

type WholeAnswer = Answer & { readonly body: string | Buffer };

/** Every JSON answer goes through here. Its own headers replace the headers of all answers. */
export const send = (ctx: Context, answer: Answer): Promise<void> | void =>
  isWhole(answer) ? sendWhole(ctx, answer) : sendChunks(ctx, answer, answer.body as AsyncGenerator<Buffer>);

const isWhole = (answer: Answer): answer is WholeAnswer =>
  typeof answer.body === 'string' || Buffer.isBuffer(answer.body);

function sendWhole(ctx: Context, { status, body, headers }: WholeAnswer): void {
  const all: Record<string, string> = Object.assign({}, ctx.state.headers, headers);
  ctx.respond = false;
  if (status === 304) {
    ctx.res.writeHead(status, all).end();
    return;
  }
  const bytes = encoded(body);
  all['Content-Type'] = 'application/json';
  all['Content-Length'] = String(typeof bytes === 'string' ? Buffer.byteLength(bytes) : bytes.length);
  ctx.res.writeHead(status, all).end(bytes);
}

/** Node sends a short text and its headers in one piece. It would encode a long text more than once. */
const encoded = (body: WholeAnswer['body']) =>
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
    res.writeHead(status, { ...ctx.state.headers, ...headers, 'Content-Type': 'application/json' });
    if (ctx.method === 'HEAD') res.end();
    else await pipeline(all(), res, { signal: tooLong });
  } catch (error) {
    const left = tooLong.aborted || (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';
    throw left ? problem('caller_left') : error;
  } finally {
    // `chunks` holds a connection. A caller who leaves early ends `all` before it reaches `chunks`.
    await chunks.return(undefined);
  }
}
