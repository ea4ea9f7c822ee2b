// Answers what never becomes a request (headers without end, bytes that are no HTTP, a body that does not
// come) in the shape of every other refusal, where Node would say it in a bare status line.
import { randomUUID } from 'node:crypto';
import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type Violation, violation } from '../errors.ts';
import { LONGEST_URL } from './dispatch.ts';
import { errorBody } from './error-body.ts';

/** Names and values of a request together. */
export const LARGEST_HEADERS = 64 * 1024;
/** How long the answer may take to be read before the connection is cut. */
const LINGER_MS = 2_000;

type ClientError = Error & { code?: string; rawPacket?: Buffer };

export function answerMalformed(server: Server): void {
  const answered = new WeakSet<Socket>();
  server.on('clientError', (error: ClientError, socket: Socket) => {
    // What follows the first mistake is one no more.
    if (answered.has(socket)) return;
    answered.add(socket);
    if (!socket.writable || error.code === 'ECONNRESET' || isAnswering(socket)) socket.destroy();
    else {
      socket.end(response(refusalOf(error)));
      setTimeout(() => socket.destroy(), LINGER_MS).unref();
    }
  });
}

/** Whether an earlier answer on this connection has begun: another one must not be written into it. */
const isAnswering = (socket: Socket) =>
  (socket as { _httpMessage?: { headersSent: boolean } })._httpMessage?.headersSent === true;

function refusalOf({ code, rawPacket }: ClientError): Violation {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return violation('request_timeout');
  if (code !== 'HPE_HEADER_OVERFLOW') return violation('request_malformed');
  const [line = ''] = rawPacket?.toString('latin1').split('\r\n', 1) ?? [];
  // The packet that was too much holds a whole long address, a part of one, or its end.
  return line.length > LONGEST_URL || / HTTP\/1\.\d$/.test(line)
    ? violation('url_too_long')
    : violation('headers_too_large', { limit: LARGEST_HEADERS });
}

function response(found: Violation): string {
  const requestId = randomUUID();
  const body = JSON.stringify(errorBody([found], requestId));
  return [
    `HTTP/1.1 ${found.status} ${STATUS_CODES[found.status]}`,
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    '',
    body,
  ].join('\r\n');
}
