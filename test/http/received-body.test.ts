// The parser of bodies gets few pieces, however many the caller sends.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ReceivedBody } from '../../src/http/server/received-body.ts';
import { expect } from '../support/client/expect.ts';
import { exchange } from '../support/client/socket.ts';

const OWNER = 1;
const BLOCK = 16 * 1024;
const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n';
const chunk = (bytes: string) => `${bytes.length.toString(16)}\r\n${bytes}\r\n`;

describe('the bytes of a body', () => {
  /** Answers the lengths of the pieces, and the text. */
  const server = createServer(async (request, response) => {
    const body = new ReceivedBody(request, OWNER);
    const pieces: Buffer[] = [];
    body.on('data', (piece: Buffer) => pieces.push(piece));
    await once(body, 'end');
    body.release();
    const lengths = pieces.map(({ length }) => length);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ lengths, text: Buffer.concat(pieces).toString() }));
  });
  before((done) => void server.listen(0, '127.0.0.1', done));
  after((done) => void server.close(done));

  const send = async (chunks: Iterable<string>) => {
    const { port } = server.address() as AddressInfo;
    const { body } = await exchange(port, `${HEAD}${Array.from(chunks, chunk).join('')}0\r\n\r\n`);
    return body as { lengths: number[]; text: string };
  };

  it('come in blocks, if the caller sends them one by one', async () => {
    const text = 'abcdefghij'.repeat(10_000);

    const got = await send(text);

    expect(got.text === text, 'the same text').to.equal(true);
    expect(got.lengths).to.have.length(Math.ceil(text.length / BLOCK));
  });

  it('stay in their order, if short and long pieces come', async () => {
    const long = 'x'.repeat(3 * BLOCK);
    const parts = ['a', long, 'b', 'c', long, 'd'];

    const got = await send(parts);

    expect(got.text === parts.join(''), 'the same text').to.equal(true);
  });
});
