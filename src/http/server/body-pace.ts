// Limits the time of request bodies. A connection whose body does not arrive costs its caller nothing and takes a place
// that others need.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { problem } from '../../errors.ts';

const BYTES_PER_SECOND = 1024;
/** The bytes are counted for so long, so that a body may pause for a moment. */
const WINDOW_MS = 5_000;
const LEAST_BYTES = (BYTES_PER_SECOND * WINDOW_MS) / 1000;

/** A JSON body may take so long: 15 MiB at 1 Mbit/s. */
const LONGEST_MS = 120_000;

/** Waits until the body is read. Throws Problem 408 as soon as the body arrives too slowly, or took too long. */
export async function inTime<T>(
  request: IncomingMessage,
  reading: Promise<T>,
  longestMs = LONGEST_MS,
): Promise<T> {
  if (request.complete) return reading;
  const { socket } = request;
  let bytes = socket.bytesRead;
  const begun = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const slow = new Promise<never>((_resolve, reject) => {
    timer = setInterval(() => {
      const isSlow = socket.bytesRead - bytes < LEAST_BYTES || performance.now() - begun > longestMs;
      if (isSlow) reject(problem('request_timeout'));
      bytes = socket.bytesRead;
    }, WINDOW_MS);
  });
  try {
    return await Promise.race([reading, slow]);
  } finally {
    clearInterval(timer);
  }
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
