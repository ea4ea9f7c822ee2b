// Oversized requests are refused like any other, also if a client reads no answer before it has sent everything.
import { connect } from 'node:net';
import { type Client, newClient } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { theService } from '../support/service/service.ts';

/** Sends bytes, then reads what comes back until the connection ends. */
async function exchange(bytes: string): Promise<{ status: number; body: { [name: string]: unknown } }> {
  const { port } = new URL(theService().url);
  const socket = connect(Number(port), '127.0.0.1');
  await new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.write(bytes, resolve);
  });
  let text = '';
  for await (const chunk of socket.setEncoding('utf8')) text += chunk;
  const [head = '', body = ''] = text.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), body: JSON.parse(body) };
}

describe('an oversized request', () => {
  let client: Client;
  before(async () => {
    client = await newClient();
  });
  const post = (body: string) =>
    [
      'POST /v2/contact HTTP/1.1',
      'Host: localhost',
      'Connection: close',
      `token: ${client.garage.token}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n');

  for (const mebibytes of [2, 12, 40]) {
    it(`with a body of ${mebibytes} MiB is refused after the body was sent`, async () => {
      const answer = await exchange(post('x'.repeat(mebibytes * 1024 * 1024)));

      expect(answer).to.deep.include({ status: 413 });
      expect(answer.body.message).to.equal('Body is larger than [1048576] bytes');
    });
  }

  for (const characters of [17_000, 66_000, 300_000]) {
    it(`with a URL of ${characters} characters is refused`, async () => {
      const answer = await exchange(
        `GET /v2/order?filter=${'x'.repeat(characters)} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      );

      expect(answer.status).to.equal(414);
      expect(answer.body).to.include({ errorCode: 414, message: 'URL is longer than [16384] bytes' });
      expect(answer.body).to.have.all.keys('errorCode', 'message', 'code', 'errors', 'request_id');
    });
  }
});
