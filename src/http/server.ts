// The HTTP server below Koa: limits of size and time, and the answers to requests that are not valid HTTP. Those
// answers have the shape of any other refusal.
import { randomUUID } from 'node:crypto';
import { createServer, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Logger } from 'pino';
import { type Violation, violation } from '../errors.ts';
import type { Observation } from '../metrics.ts';
import { errorBody } from './error-body.ts';
import { LONGEST_URL } from './middleware/well-formed.ts';

const DRAIN_MS = 20_000;
const SWEEP_MS = 50;
const WARN_AGAIN_MS = 60_000;
/** The time that a client has to read the last answer of its connection. */
const LINGER_MS = 2_000;

export const LIMITS = {
  /** Bytes of the request line and all headers. */
  maxHeaderSize: 64 * 1024,
  /** Milliseconds until all headers have arrived, and until the whole request has: 15 MiB at 1 Mbit/s. */
  headersTimeout: 15_000,
  requestTimeout: 120_000,
  connectionsCheckingInterval: 2_000,
  keepAliveTimeout: 65_000,
  /** Without a byte in either direction. A client that does not read its answer must not keep it in memory. */
  timeout: 120_000,
  maxConnections: 1_000,
};

interface Reports {
  readonly log: Logger;
  readonly onAnswer: (seen: Observation) => void;
}

/** A server that does not listen yet. By itself it only refuses invalid requests. */
export function openServer({ log, onAnswer }: Reports, limits: Readonly<typeof LIMITS> = LIMITS): Server {
  // The application refuses a missing Host, with a body that says why.
  const server = createServer({ ...limits, requireHostHeader: false });
  // A client may close its side after the request and still wait for the answer. Node's types lack this option.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.maxConnections = limits.maxConnections;
  server.timeout = limits.timeout;
  const answering = new WeakMap<Socket, ServerResponse>();
  const refused = new WeakSet<Socket>();
  server.on('request', (request, response) => answering.set(request.socket, response));
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('clientError', (error: ClientError, socket: Socket) => {
    // Bytes after the first error are part of the same invalid request.
    if (refused.has(socket)) return;
    refused.add(socket);
    const response = answering.get(socket);
    const running = response && !(response.writableFinished && response.req.complete);
    if (error.code === 'ECONNRESET' || !socket.writable || (running && response.headersSent)) {
      socket.destroy(error);
      return;
    }
    const found = refusalOf(error);
    const requestId = randomUUID();
    socket.end(rawAnswer(found, requestId));
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
    if (running) return; // The running request writes a log line of its own.
    const seen = { route: 'malformed', status: found.status };
    onAnswer({ ...seen, milliseconds: 0 });
    log.info({ request_id: requestId, ...seen, ms: 0 }, 'request');
  });
  makeRoom(server, log, limits.maxConnections);
  return server;
}

/** Returns the port. Throws an error of one line where the port is not available. */
export function listen(server: Server, { port, host }: { port: number; host: string }): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        new Error(
          error.code === 'EADDRINUSE'
            ? `PORT ${port} is in use on ${host}`
            : `HOST ${host}, PORT ${port} can't be listened on: ${error.message}`,
        ),
      );
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

/** Takes no new connection and lets running requests finish. After DRAIN_MS it calls `onCut` and closes all. */
export async function closeServer(server: Server, onCut: () => void = () => {}): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  // Clients would keep idle connections open after their last answer.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const cut = setTimeout(() => {
    onCut();
    server.closeAllConnections();
  }, DRAIN_MS);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
}

/** Node closes a connection above the limit. Closing idle ones makes room for the next. */
function makeRoom(server: Server, log: Logger, maxConnections: number): void {
  let warnedAt = Number.NEGATIVE_INFINITY;
  server.on('drop', () => {
    server.closeIdleConnections();
    if (performance.now() - warnedAt < WARN_AGAIN_MS) return;
    warnedAt = performance.now();
    log.warn({ connections: maxConnections }, 'too many connections, new ones are refused');
  });
}

/** Node's error about a request that it can't parse. */
interface ClientError extends Error {
  readonly code?: string;
  /** The last bytes that it received. */
  readonly rawPacket?: Buffer;
}

function refusalOf({ code, rawPacket }: ClientError): Violation {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return violation('request_timeout');
  if (code !== 'HPE_HEADER_OVERFLOW') return violation('request_malformed');
  return isWithinUrl(rawPacket?.toString('latin1') ?? '')
    ? violation('url_too_long')
    : violation('headers_too_large', { limit: LIMITS.maxHeaderSize });
}

/** Whether the bytes that broke the limit belong to the URL: all of a long one, a part of it, or its end. */
const isWithinUrl = (piece: string) =>
  new RegExp(`^[A-Z]+ \\S{${LONGEST_URL}}|^\\S+( HTTP/1\\.\\d\r\n|$)`).test(piece);

function rawAnswer(found: Violation, requestId: string): string {
  const body = JSON.stringify(errorBody([found], requestId));
  return [
    `HTTP/1.1 ${found.status} ${STATUS_CODES[found.status]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
