// The HTTP server below Koa: limits of connections, size and time, and the answers to requests that are not valid HTTP.
// These refusals have the same shape as all others.
import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Logger } from 'pino';
import { type Violation, violation } from '../../core/errors.ts';
import type { Observation } from '../../work/metrics.ts';
import { limitAnsweredBodies } from './body-pace.ts';
import { limitConnections } from './connection-share.ts';
import { inTurn } from './in-turn.ts';
import {
  type ClientError,
  isHeadTooLong,
  LONGEST_HEAD,
  LongHead,
  rawAnswer,
  refusalOf,
} from './invalid-request.ts';
import { type Answering, announceClose, followAnswers } from './last-answers.ts';
import { followUnused } from './unused-connection.ts';

const DRAIN_MS = 20_000;
const SWEEP_MS = 50;
const WARN_AGAIN_MS = 60_000;
/** The time that a client has to read the last answer of its connection. */
const LINGER_MS = 2_000;

export const LIMITS = {
  maxHeaderSize: LONGEST_HEAD,
  /** Milliseconds until all headers have arrived, and until the whole request has: an import of 256 MiB at 1 Mbit/s. */
  headersTimeout: 15_000,
  requestTimeout: 2_400_000,
  connectionsCheckingInterval: 2_000,
  keepAliveTimeout: 65_000,
  /** Without a byte in either direction. A client that does not read its answer must not keep it in memory. */
  timeout: 120_000,
  maxConnections: 1_000,
  /** The connections of one address, among `maxConnections`. A trusted proxy has all callers behind its own address. */
  maxConnectionsOfAddress: 500,
  /** For the rest of a body whose request is answered. Many clients send all of it before they read the answer. */
  answeredBodyTimeout: 8_000,
};

/** The limits of this installation. */
export const limitsFor = ({ trustProxy }: { trustProxy: boolean }): Readonly<typeof LIMITS> =>
  trustProxy ? { ...LIMITS, maxConnectionsOfAddress: LIMITS.maxConnections } : LIMITS;

interface Reports {
  readonly log: Logger;
  readonly onAnswer: (seen: Observation) => void;
}

/** A server that does not listen yet, and by itself only refuses invalid requests. */
interface HttpServer {
  readonly server: Server;
  /** Hands the requests to the application, those of one connection one after the other. */
  serve(begin: RequestListener): void;
  /** From now on each answer ends its connection. */
  announceClose(): void;
  /** Closes the connections that have no request. */
  closeIdle(): void;
}

export function openServer({ log, onAnswer }: Reports, limits: Readonly<typeof LIMITS> = LIMITS): HttpServer {
  // The application refuses a missing Host, with a body that says why.
  const server = createServer({ ...limits, requireHostHeader: false });
  // A client may close its side after the request and still wait for the answer. Node's types lack this option.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.timeout = limits.timeout;
  const answering = followAnswers(server);
  refuseInvalid(server, answering, { log, onAnswer });
  const closeAnswered = limitAnsweredBodies(server, limits.answeredBodyTimeout);
  const warn = seldom((connections: number, address?: string) =>
    log.warn({ connections, address }, 'too many connections, new ones are refused'),
  );
  limitConnections(server, limits, (address) => {
    if (address !== undefined) return warn(limits.maxConnectionsOfAddress, address);
    // Connections that do no work make room for the next one.
    server.closeIdleConnections();
    closeAnswered();
    warn(limits.maxConnections);
  });
  const closeUnused = followUnused(server);
  return {
    server,
    serve: (begin) => void server.on('request', inTurn(answering, begin)),
    announceClose: () => announceClose(server, answering),
    closeIdle: () => {
      server.closeIdleConnections();
      closeUnused();
    },
  };
}

/** Answers requests that the parser refuses. */
function refuseInvalid(server: Server, answering: Answering, { log, onAnswer }: Reports): void {
  const refused = new WeakSet<Socket>();
  const longHeads = new WeakMap<Socket, LongHead>();
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));

  const refuse = (socket: Socket, found: Violation, error?: Error) => {
    // Bytes after the first error are part of the same invalid request.
    if (refused.has(socket)) return;
    refused.add(socket);
    const response = answering.get(socket);
    const running = response && !(response.writableFinished && response.req.complete);
    // An answer without a socket waits behind another one, which may be half sent.
    if (!socket.writable || (running && (response.headersSent || !response.socket))) {
      socket.destroy(error);
      return;
    }
    const requestId = randomUUID();
    socket.end(rawAnswer(found, requestId));
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
    if (running) return; // The running request writes a log line of its own.
    const seen = { route: 'malformed', status: found.status };
    onAnswer({ ...seen, milliseconds: 0 });
    log.info({ request_id: requestId, ...seen, code: found.code, ms: 0 }, 'request');
  };

  // Its target is no path. Without a listener, Node closes the connection without an answer.
  server.on('connect', (_request, socket) => refuse(socket as Socket, violation('request_malformed')));

  server.on('clientError', (error: ClientError, socket: Socket) => {
    if (error.code === 'ECONNRESET') socket.destroy(error);
    else if (!isHeadTooLong(error)) refuse(socket, refusalOf(error), error);
    else {
      let head = longHeads.get(socket);
      if (!head) {
        head = new LongHead();
        longHeads.set(socket, head);
        setTimeout(refuse, LINGER_MS, socket, head.otherwise).unref();
      }
      const found = head.judge(socket, error);
      if (found) refuse(socket, found, error);
    }
  });
}

/** Calls `act` at most once in WARN_AGAIN_MS. */
function seldom<T extends unknown[]>(act: (...values: T) => void): (...values: T) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (...values) => {
    if (performance.now() - last < WARN_AGAIN_MS) return;
    last = performance.now();
    act(...values);
  };
}

/** Returns the port. Throws an error of one line, with a way out, if the port is not available. */
export function listen(server: Server, { port, host }: { port: number; host: string }): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        new Error(
          error.code === 'EADDRINUSE'
            ? `PORT ${port} is in use on ${host}, take another one: PORT=${another(port)}`
            : `HOST ${host}, PORT ${port} can't be listened on: ${error.message}`,
        ),
      );
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

const another = (port: number) => (port < 65_535 ? port + 1 : port - 1);

/** Takes no new connection and lets running requests finish. After DRAIN_MS it calls `onCut` and closes all. */
export async function closeServer(
  { server, closeIdle }: HttpServer,
  onCut: () => void = () => {},
): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  closeIdle();
  // Clients would keep idle connections open after their last answer.
  const sweep = setInterval(closeIdle, SWEEP_MS);
  const cut = setTimeout(() => {
    onCut();
    server.closeAllConnections();
  }, DRAIN_MS);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
}
