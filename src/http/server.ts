// The HTTP server below Koa: how much of a request it takes and how long it waits for it, and what it says to
// those whose requests are none. Such answers have the shape of any other refusal.
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
const SAY_AGAIN_MS = 60_000;
/** How long the last answer of a connection may take to be read. */
const LINGER_MS = 2_000;

export const LIMITS = {
  /** Bytes of the request line and all headers. */
  maxHeaderSize: 64 * 1024,
  /** Milliseconds until all headers are there, and until all is: 15 MiB at 1 Mbit/s. */
  headersTimeout: 15_000,
  requestTimeout: 120_000,
  connectionsCheckingInterval: 2_000,
  keepAliveTimeout: 65_000,
  /** Without a byte in either direction: whoever does not read an answer does not keep it in memory. */
  timeout: 120_000,
  maxConnections: 1_000,
};

interface Told {
  readonly log: Logger;
  readonly onAnswer: (seen: Observation) => void;
}

/** A server that does not listen yet and answers nothing but what is no request. */
export function openServer({ log, onAnswer }: Told, limits: Readonly<typeof LIMITS> = LIMITS): Server {
  // A missing Host is refused by the application, in words.
  const server = createServer({ ...limits, requireHostHeader: false });
  // Who has said all that it wants to say waits for the answer all the same. Node has it in no type.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.maxConnections = limits.maxConnections;
  server.timeout = limits.timeout;
  const answering = new WeakMap<Socket, ServerResponse>();
  const refused = new WeakSet<Socket>();
  server.on('request', (request, response) => answering.set(request.socket, response));
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('clientError', (error: ClientError, socket: Socket) => {
    // What follows the first mistake is one no more.
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
    if (running) return; // It has a line of its own in the log.
    const seen = { route: 'malformed', status: found.status };
    onAnswer({ ...seen, milliseconds: 0 });
    log.info({ request_id: requestId, ...seen, ms: 0 }, 'request');
  });
  makeRoom(server, log, limits.maxConnections);
  return server;
}

/** Answers the port. Throws, in one line, where it can't be listened on. */
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

/** No new request; running ones finish, within limits: what does not is cut off, and `onCut` told. */
export async function closeServer(server: Server, onCut: () => void = () => {}): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  // Connections whose last answer has gone out would stay open for as long as clients like.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const cut = setTimeout(() => {
    onCut();
    server.closeAllConnections();
  }, DRAIN_MS);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
}

/** One connection too many is closed at once; those that are only kept open make room for the next. */
function makeRoom(server: Server, log: Logger, maxConnections: number): void {
  let saidAt = Number.NEGATIVE_INFINITY;
  server.on('drop', () => {
    server.closeIdleConnections();
    if (performance.now() - saidAt < SAY_AGAIN_MS) return;
    saidAt = performance.now();
    log.warn({ connections: maxConnections }, 'too many connections, new ones are refused');
  });
}

/** What Node says of what it can't read. */
interface ClientError extends Error {
  readonly code?: string;
  /** The last piece that it got. */
  readonly rawPacket?: Buffer;
}

function refusalOf({ code, rawPacket }: ClientError): Violation {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return violation('request_timeout');
  if (code !== 'HPE_HEADER_OVERFLOW') return violation('request_malformed');
  return isWithinUrl(rawPacket?.toString('latin1') ?? '')
    ? violation('url_too_long')
    : violation('headers_too_large', { limit: LIMITS.maxHeaderSize });
}

/** Whether the piece that was too much holds a whole long address, a part of one, or its end. */
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
