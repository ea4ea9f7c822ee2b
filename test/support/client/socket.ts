// Sends bytes to a socket and reads the answers, for requests that no HTTP client sends.
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Json } from './client.ts';

export interface RawAnswer {
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Parsed, if it is JSON. */
  readonly body: Json;
}

/** A connection that remembers every byte that it got. */
export class RawConnection {
  readonly socket: Socket;
  readonly closed: Promise<void>;
  private got = '';

  /** `localAddress`: the address that the server sees, in 127.0.0.0/8. */
  constructor(port: number, localAddress?: string) {
    this.socket = connect({ port, host: '127.0.0.1', localAddress });
    this.socket.setEncoding('latin1').on('data', (text: string) => {
      this.got += text;
    });
    this.socket.on('error', () => {});
    this.closed = new Promise((resolve) => {
      this.socket.on('close', () => resolve());
    });
  }

  send(bytes: string | Uint8Array): this {
    this.socket.write(bytes);
    return this;
  }

  /** The whole answers that came so far; `heads`: they have no bodies. */
  readonly answers = (heads = false): RawAnswer[] => {
    const found: RawAnswer[] = [];
    let rest = this.got;
    for (let end = rest.indexOf('\r\n\r\n'); end >= 0; end = rest.indexOf('\r\n\r\n')) {
      const [line = '', ...fields] = rest.slice(0, end).split('\r\n');
      const headers = Object.fromEntries(
        fields.map((field) => [
          field.slice(0, field.indexOf(':')).toLowerCase(),
          field.slice(field.indexOf(':') + 1).trim(),
        ]),
      );
      const length = heads ? 0 : Number(headers['content-length'] ?? 0);
      const text = Buffer.from(rest.slice(end + 4, end + 4 + length), 'latin1').toString();
      if (rest.length < end + 4 + length) break;
      rest = rest.slice(end + 4 + length);
      const isJson = headers['content-type']?.startsWith('application/json') && text !== '';
      found.push({ status: Number(line.split(' ')[1]), headers, text, body: isJson ? JSON.parse(text) : {} });
    }
    return found;
  };

  /** Sends a byte now and then, until the other side has had enough. */
  async trickle(byte: string): Promise<void> {
    const over = this.closed.then(() => true);
    while (!(await Promise.race([over, pause(20, false)]))) this.send(byte);
  }

  /** Waits until the other side closes, and answers everything that came. */
  async end(heads = false): Promise<RawAnswer[]> {
    await this.closed;
    return this.answers(heads);
  }
}

/** Sends bytes that end a connection, or make the server end it; the first answer. */
export async function exchange(port: number, bytes: string | Uint8Array, heads = false): Promise<RawAnswer> {
  const [answer] = await new RawConnection(port).send(bytes).end(heads);
  if (!answer) throw new Error('The connection was closed without an answer');
  return answer;
}
