// Health checks, and the limits of a request.
import { once } from 'node:events';
import { request } from 'node:http';
import { type Client, newClient, send } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { theService } from '../support/service/service.ts';

describe('health and limits', () => {
  let client: Client;
  before(async () => {
    client = await newClient();
  });

  it('reports whether the service lives and whether it is ready', async () => {
    const [live, ready] = await Promise.all(
      ['live', 'ready'].map((what) => send('GET', `${theService().url}/health/${what}`)),
    );

    expect(live?.body).to.deep.equal({ status: 'ok' });
    expect(ready?.body).to.deep.equal({ status: 'ok', database: true, storage: true });
  });

  it('refuses a body over the limit, with and without a length', async () => {
    const body = JSON.stringify({ notes: 'x'.repeat(1024 * 1024) });

    expect(await client.post('/contact', body)).to.be.refused(413, 'Body is larger than [1048576] bytes');
    expect(await chunked(`${theService().url}/v2/contact`, body, client.garage.token)).to.equal(413);
    expect((await client.post('/document', body)).status).to.equal(403);
  });

  it('refuses a URL over the limit', async () => {
    expect(await client.get(`/order?filter=${'x'.repeat(17_000)}`)).to.be.refused(
      414,
      'URL is longer than [16384] bytes',
    );
  });

  it('checks the content type and the depth of a body', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };

    expect(await client.post('/contact', '{"last_name": "x"}', form)).to.be.refused(
      400,
      'Body is not valid JSON',
    );
    expect(await client.post('/contact', ' \n ', form)).to.be.refused(400, 'Empty body');
    expect(await client.post('/contact', '{}')).to.be.refused(400, 'Empty body');
    expect(await client.post('/contact', `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`)).to.be.refused(
      400,
      'Body is not valid JSON',
    );
    expect((await client.post('/contact', `${'{"a":'.repeat(32)}1${'}'.repeat(32)}`)).status).to.equal(403);
  });
});

/** A body sent in chunks, without a Content-Length; its answer's status. */
async function chunked(url: string, body: string, token: string): Promise<number | undefined> {
  const sending = request(url, { method: 'POST', headers: { token, 'content-type': 'application/json' } });
  sending.on('error', () => {});
  for (let at = 0; at < body.length; at += 65_536) sending.write(body.slice(at, at + 65_536));
  sending.end();
  const [response] = await once(sending, 'response');
  response.resume();
  return response.statusCode;
}
