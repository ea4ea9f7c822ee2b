// Limits the time of request bodies. A connection whose body does not arrive costs its caller nothing and takes a place
// that others need.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { problem } from '../../core/errors.ts';

const BYTES_PER_SECOND = 1024;
/** The bytes are counted over this time, so that a body may pause for a moment. */
const WINDOW_MS = 5_000;
const LEAST_BYTES = (BYTES_PER_SECOND * WINDOW_MS) / 1000;

/** The longest time of a JSON body: 15 MiB at 1 Mbit/s. */
const LONGEST_MS = 120_000;

/**
 * Waits until the body is read. Throws Problem 408 as soon as the body arrives too slowly, or took too long. `counts`
 * tells at the end of each window whether we have waited for the caller all the time.
 */
export async function inTime<T>(
  request: IncomingMessage,
  reading: Promise<T>,
  counts: () => boolean,
): Promise<T> {
  const pace = watchPace(request, LONGEST_MS, counts);
  try {
    return await Promise.race([reading, pace.slow]);
  } finally {
    pace.stop();
  }
}

interface ChunkOptions {
  readonly longestMs: number;
  /** Ends the body with its reason. */
  readonly signal: AbortSignal;
}

/**
 * The chunks of a body that is stored while it arrives. Throws Problem 408 as `inTime` does. The writer of the chunks
 * gets this error from them, so the writer closes its file and removes the bytes. The time that the writer needs does
 * not count.
 */
export async function* chunksInTime(
  request: IncomingMessage,
  { longestMs, signal }: ChunkOptions,
): AsyncGenerator<Buffer> {
  // A refused request is still answered, so its connection stays.
  const chunks: AsyncIterator<Buffer> = request.iterator({ destroyOnReturn: false });
  let isWaiting = false;
  const pace = watchPace(request, longestMs, () => isWaiting);
  const stopped = Promise.race([pace.slow, aborted(signal)]);
  // This may reject while nobody waits for a chunk.
  stopped.catch(() => {});
  try {
    for (;;) {
      isWaiting = true;
      const { done, value } = await Promise.race([chunks.next(), stopped]);
      isWaiting = false;
      if (done) return;
      yield value;
    }
  } finally {
    pace.stop();
    // This ends only with the next chunk, or with the connection.
    chunks.return?.().catch(() => {});
  }
}

const aborted = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

/** `slow` rejects with a Problem if the body arrives too slowly. `counts`: whether the window is the caller's. */
function watchPace(
  { socket }: IncomingMessage,
  longestMs: number,
  counts: () => boolean,
): { readonly slow: Promise<never>; stop(): void } {
  let bytes = socket.bytesRead;
  let begun = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const slow = new Promise<never>((_resolve, reject) => {
    timer = setInterval(() => {
      const isOurs = !counts();
      if (isOurs) begun += WINDOW_MS;
      const isSlow = !isOurs && socket.bytesRead - bytes < LEAST_BYTES;
      if (isSlow || performance.now() - begun > longestMs) reject(problem('request_timeout'));
      bytes = socket.bytesRead;
    }, WINDOW_MS);
  });
  return { slow, stop: () => clearInterval(timer) };
}

/**
 * Closes a connection whose request was answered before the body came, if the rest does not come within
 * `milliseconds`. The returned function closes all such connections at once.
 */
export function limitAnsweredBodies(server: Server, milliseconds: number): () => void {
  const waiting = new Set<Socket>();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) return;
    response.once('finish', () => {
      if (request.complete) return;
      const { socket } = request;
      const timer = setTimeout(() => socket.destroy(), milliseconds);
      const stop = () => {
        clearTimeout(timer);
        waiting.delete(socket);
        socket.off('close', stop);
      };
      waiting.add(socket);
      request.once('end', stop);
      socket.once('close', stop);
    });
  });
  return () => {
    for (const socket of waiting) socket.destroy();
  };
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
