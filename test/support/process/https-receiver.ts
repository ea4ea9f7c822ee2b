// A real HTTPS server in the place of an integrator's webhook. It records every request, and answers as the test says.
import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { runCertificates } from './certificates.ts';

export interface Received {
  method: string;
  /** Path and query. */
  url: string;
  headers: IncomingHttpHeaders;
  /** Empty if the request has none. */
  body: string;
  /** The name that the caller asked for in its handshake (SNI); false if it gave none. */
  servername: string | false;
  /** When it came, by performance.now(). */
  at: number;
}

/**
 * An answer; `held`: only after release(). `silent`: no answer ever. `stalled`: 200 and a body that never ends.
 * `endless`: 200 and a body as long as anyone reads. `interim`: 102 as long as anyone reads. `dropped`: the connection
 * is closed.
 */
type Answer =
  | { status: number; headers?: Record<string, string>; body?: string; held?: boolean }
  | 'silent'
  | 'stalled'
  | 'endless'
  | 'interim'
  | 'dropped';

export interface Receiver {
  readonly port: number;
  readonly requests: readonly Received[];
  /** The requests so far, which it forgets. */
  take(): Received[];
  /** Its address, `https://localhost:<port><path>` if no other host is given. */
  url(path?: string, host?: string): string;
  /** The answers to the next requests, in this order; the last one stays. At first: an empty 200. */
  answerWith(...answers: [Answer, ...Answer[]]): void;
  /** Sends the held answers, and holds none from now on. */
  release(): void;
  /** All requests, once there are this many. Throws if that takes too long. */
  waitFor(count: number): Promise<readonly Received[]>;
  /** Returns once no connection is open. */
  waitUntilIdle(): Promise<void>;
  /** Ends every connection and the server. */
  close(): Promise<void>;
}

/** Listens on a free port of 127.0.0.1, with the certificate of the run or another one. */
export async function openReceiver(
  certificate: { cert: string; key: string } = runCertificates(),
): Promise<Receiver> {
  const requests: Received[] = [];
  const sockets = new Set<Socket>();
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let answers: Answer[] = [{ status: 200 }];

  const server = createServer({ cert: certificate.cert, key: certificate.key }, async (request, response) => {
    const body = await text(request).catch(() => '');
    requests.push({
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      body,
      servername: (request.socket as TLSSocket).servername ?? false,
      at: performance.now(),
    });
    const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? 'silent';
    if (typeof answer === 'object' && answer.held) await released;
    send(answer, request, response);
  });
  // Count TCP connections: HTTPS reports its own only after the handshake, which a test may break off.
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    port,
    requests,
    take: () => requests.splice(0),
    url: (path = '/', host = 'localhost') => `https://${host}:${port}${path}`,
    answerWith: (...next) => {
      answers = next;
    },
    release: () => release(),
    waitFor: async (count) => {
      await until(
        () => requests.length >= count,
        () => `${requests.length} of ${count} requests came in`,
      );
      return requests;
    },
    waitUntilIdle: () =>
      until(
        () => sockets.size === 0,
        () => `${sockets.size} connections are open`,
      ),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function send(answer: Answer, request: IncomingMessage, response: ServerResponse): void {
  if (answer === 'silent') return;
  if (answer === 'dropped') {
    request.socket.destroy();
  } else if (answer === 'stalled') {
    response.writeHead(200).write('wait');
  } else if (answer === 'endless') {
    response.writeHead(200);
    pour(response, Buffer.alloc(16_384, '.'));
  } else if (answer === 'interim') {
    pour(request.socket, Buffer.from('HTTP/1.1 102 Processing\r\n\r\n'));
  } else {
    response.writeHead(answer.status, answer.headers).end(answer.body);
  }
}

/** Writes the piece as long as anyone reads. */
function pour(stream: Writable, piece: Buffer): void {
  const more = () => {
    while (!stream.destroyed && stream.write(piece));
  };
  stream.on('drain', more);
  more();
}

const PATIENCE_MILLISECONDS = 45_000;

async function until(condition: () => boolean, found: () => string): Promise<void> {
  const last = Date.now() + PATIENCE_MILLISECONDS;
  while (!condition()) {
    if (Date.now() > last) throw new Error(`only ${found()}`);
    await sleep(5);
  }
}
