// How the OpenAPI document is served: compressed if the client accepts that, with an ETag.
import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type Answer, send } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { theService } from '../support/service/service.ts';

const PATH = '/openapi.json';

describe('GET /v2/openapi.json', () => {
  it('is compressed if the client accepts that, and has the same content otherwise', async () => {
    const [zipped, plain] = await Promise.all([raw('gzip, br'), raw('identity')]);

    expect(zipped.headers).to.include({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(plain.headers).to.include({ 'content-type': 'application/json', vary: 'Accept-Encoding' });
    expect(plain.headers).not.to.have.property('content-encoding');
    expect(gunzipSync(zipped.body).equals(plain.body)).to.equal(true);
    expect(plain.body.length).to.be.below(1_250_000);
    expect(zipped.body.length).to.be.below(85_000);
  });

  it('takes br too, and no header of more than 1,000 characters', async () => {
    const [brotli, long] = await Promise.all([raw('br'), raw(`gzip${', a'.repeat(400)}`)]);

    expect(brotli.headers).to.include({ 'content-encoding': 'br', vary: 'Accept-Encoding' });
    expect(long.headers).not.to.have.property('content-encoding');
    expect(brotliDecompressSync(brotli.body).equals(long.body)).to.equal(true);
  });

  it('answers 304 if the client has it', async () => {
    const first = await send('GET', PATH);

    const again = await send('GET', PATH, { headers: { 'if-none-match': tagOf(first) } });
    const other = await send('GET', PATH, { headers: { 'if-none-match': '"other"' } });

    expect([again.status, again.text, tagOf(again)]).to.deep.equal([304, '', tagOf(first)]);
    expect(other.status).to.equal(200);
  });

  it('answers HEAD, and refuses other methods like any endpoint', async () => {
    const head = await send('HEAD', PATH);
    const posted = await send('POST', PATH);

    expect([head.status, head.text]).to.deep.equal([200, '']);
    expect(posted).to.be.refused(400, `Method: [POST] not supported for endpoint: [${PATH}]`);
    expect(posted.headers.get('allow')).to.equal('GET');
  });
});

const tagOf = ({ headers }: Answer) => headers.get('etag') ?? '';

/** The bytes as they came, not unpacked. */
function raw(encoding: string): Promise<{ headers: Record<string, unknown>; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const asking = request(`${theService().url}/v2${PATH}`, { headers: { 'accept-encoding': encoding } });
    asking.on('error', reject).on('response', async (response) => {
      resolve({ headers: response.headers, body: Buffer.concat(await response.toArray()) });
    });
    asking.end();
  });
}
