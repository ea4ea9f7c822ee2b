// Tells clients that the server is about to close: each answer ends its connection. Otherwise a client would send its
// next request on a connection that is closing, and could not know whether the request was worked on.
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The answer that each open connection got last or is about to get. */
export type Answering = ReadonlyMap<Socket, ServerResponse>;

/** `inTurn` notes each answer. */
export function followAnswers(server: Server): Map<Socket, ServerResponse> {
  const answering = new Map<Socket, ServerResponse>();
  server.on('connection', (socket) => socket.once('close', () => answering.delete(socket)));
  return answering;
}

/** From now on each answer says `Connection: close`; the answers that are being made say it too. */
export function announceClose(server: Server, answering: Answering): void {
  for (const response of answering.values()) if (!response.headersSent) say(response);
  server.prependListener('request', (_request, response) => say(response));
}

const say = (response: ServerResponse) => response.setHeader('Connection', 'close');

/** Whether the connection ends with this answer, which is not on its way yet. */
export const isLast = (response: ServerResponse): boolean => response.getHeader('Connection') === 'close';
