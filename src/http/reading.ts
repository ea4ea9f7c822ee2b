// Reads for an answer: on a connection of the owner's share, with a time limit, and only for as long as the caller
// is there.
import type { Context } from 'koa';
import { Problem, problem, violation } from '../core/errors.ts';
import { retried } from '../core/model/statements/retried.ts';
import type { Reading, Session } from '../core/model/statements/session.ts';
import { isTooSlow } from '../platform/database/away.ts';
import type { Answer } from './answer.ts';
import type { Call } from './endpoint.ts';

const HALF_CLOSED_MS = 1_000;

/**
 * Runs `read`, and again if a migration of another process has undone it: a snapshot that holds one table and asks for
 * another may deadlock with ALTER TABLE. A request that reads more than once gives its `signal`. Throws Problem: 503
 * if a statement takes too long.
 */
export async function reading<T>(
  call: Call,
  snapshot: boolean,
  read: (session: Session) => Promise<T>,
  signal = callerLeft(call.ctx),
): Promise<T> {
  return retried(async () => {
    const session = await open(call, snapshot, signal);
    try {
      return await read(session);
    } catch (error) {
      throw refusalOf(error, signal);
    } finally {
      await session.release();
    }
  });
}

/** The same for an answer in chunks: the connection is held until the last chunk was taken. */
export async function* readingChunks(
  call: Call,
  snapshot: boolean,
  read: (session: Session) => AsyncGenerator<Buffer>,
  signal = callerLeft(call.ctx),
): AsyncGenerator<Buffer> {
  const { session, chunks, first } = await retried(() => begin(call, snapshot, read, signal));
  yield* released(session, chunks, signal, first);
}

/** The same for an answer that may come in chunks, after reads that its headers depend on. All are of one snapshot. */
export async function readingAnswer(
  call: Call,
  read: (session: Session) => Promise<Answer>,
  signal = callerLeft(call.ctx),
): Promise<Answer> {
  return retried(async () => {
    const session = await open(call, true, signal);
    let isHeld = false;
    try {
      const answer = await read(session);
      const { body } = answer;
      if (typeof body === 'string' || Buffer.isBuffer(body)) return answer;
      isHeld = true;
      return { ...answer, body: released(session, body, signal) };
    } catch (error) {
      throw refusalOf(error, signal);
    } finally {
      if (!isHeld) await session.release();
    }
  });
}

/**
 * The chunks, the first of which may be read already. The connection is released after the last one, or when the sender
 * takes no more.
 */
async function* released(
  session: Reading,
  chunks: AsyncGenerator<Buffer>,
  signal: AbortSignal,
  first?: IteratorResult<Buffer>,
): AsyncGenerator<Buffer> {
  try {
    if (first && !first.done) yield first.value;
    yield* chunks;
  } catch (error) {
    throw refusalOf(error, signal);
  } finally {
    await session.release();
  }
}

/** Reads the first chunk. Nothing is sent before it, so reading may begin again. */
async function begin(
  call: Call,
  snapshot: boolean,
  read: (session: Session) => AsyncGenerator<Buffer>,
  signal: AbortSignal,
) {
  const session = await open(call, snapshot, signal);
  try {
    const chunks = read(session);
    return { session, chunks, first: await chunks.next() };
  } catch (error) {
    await session.release();
    throw refusalOf(error, signal);
  }
}

const open = ({ services, identity: { owner } }: Call, snapshot: boolean, signal: AbortSignal) =>
  services.database.openReading({ owner, signal, snapshot }).catch((error) => {
    throw refusalOf(error, signal);
  });

/** Aborted when the connection closes before the answer is complete. */
export function callerLeft({ req: { socket }, res }: Context): AbortSignal {
  const left = new AbortController();
  const leave = () => left.abort(problem('caller_left'));
  let leaving: NodeJS.Timeout | undefined;
  // A caller may close its own side and still read: it gets an answer that does not take long.
  const onEnd = () => {
    leaving = setTimeout(leave, HALF_CLOSED_MS);
  };
  socket.once('end', onEnd);
  res.once('close', () => {
    socket.off('end', onEnd);
    clearTimeout(leaving);
    if (!res.writableFinished) leave();
  });
  return left.signal;
}

function refusalOf(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (!isTooSlow(error)) return error;
  return new Problem([violation('request_too_slow'), violation('request_advice')]);
}
