// The requests of one connection begin one after the other, each when the answer before it was sent. Node hands over
// all requests of a packet at once, and would keep the answers of 700 requests until their caller reads them.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** If so many wait, no more is read from their connection. A packet that has arrived is read to its end. */
const MOST_WAITING = 100;
/** The same for the characters of their URLs and headers. */
const MOST_CHARACTERS = 128 * 1024;

interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly characters: number;
}

/**
 * Passes requests on to `begin`, and notes in `answering` the last answer of each connection. If a connection ends, the
 * requests that wait on it begin at once: wellFormed refuses them, and the log has each of them.
 */
export function inTurn(answering: Map<Socket, ServerResponse>, begin: RequestListener): RequestListener {
  /** Only connections on which requests wait have a line. */
  const lines = new WeakMap<Socket, Waiting[]>();

  const openLine = (socket: Socket, before: ServerResponse): Waiting[] => {
    const line: Waiting[] = [];
    const hold = () => {
      if (isFull(line)) socket.pause();
    };
    const next = () => {
      const begun = line.splice(0, socket.writable ? 1 : line.length);
      if (begun.length > 0 && !isFull(line)) socket.resume();
      if (line.length === 0) {
        lines.delete(socket);
        socket.off('resume', hold);
      }
      for (const { request, response } of begun) {
        if (line.length > 0) response.once('close', next);
        begin(request, response);
      }
    };
    lines.set(socket, line);
    before.once('close', next);
    // Node goes on to read after each answer.
    socket.on('resume', hold);
    return line;
  };

  return (request, response) => {
    const { socket } = request;
    const before = answering.get(socket);
    answering.set(socket, response);
    if (!before || before.writableFinished) return begin(request, response);
    const line = lines.get(socket) ?? openLine(socket, before);
    line.push({ request, response, characters: charactersOf(request) });
    if (isFull(line)) socket.pause();
  };
}

const charactersOf = ({ url = '', rawHeaders }: IncomingMessage): number =>
  rawHeaders.reduce((sum, text) => sum + text.length, url.length);

const isFull = (line: readonly Waiting[]): boolean =>
  line.length >= MOST_WAITING || line.reduce((sum, { characters }) => sum + characters, 0) >= MOST_CHARACTERS;
