// Answers below /v2 are compressed for callers who take br or gzip. The requests are raw, because fetch decodes.
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { build } from '../support/build/build.ts';
import { type Client, type Json, newClient } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { importJson, person } from '../support/client/import.ts';
import { type Aside, openAside } from '../support/service/second-service.ts';
import { theService } from '../support/service/service.ts';

const DECODERS: Record<string, (bytes: Buffer) => Buffer> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  identity: (bytes) => bytes,
};
const MOST_PLAIN = 2048;

interface Raw {
  readonly status: number | undefined;
  readonly headers: Record<string, unknown>;
  readonly encoding: string;
  /** On the wire. */
  readonly bytes: Buffer;
  readonly text: string;
}

interface Asked {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly url?: string;
}

const ask = (path: string, accepts: string | undefined, { method = 'GET', headers = {}, url }: Asked = {}) =>
  new Promise<Raw>((resolve, reject) => {
    const encodings = accepts === undefined ? {} : { 'accept-encoding': accepts };
    const asked = request(`${url ?? theService().url}${path}`, {
      method,
      headers: { ...headers, ...encodings },
    });
    asked.on('error', reject);
    asked.on('response', async (answer) => {
      const bytes = await buffer(answer);
      const encoding = String(answer.headers['content-encoding'] ?? 'identity');
      const text = bytes.length > 0 ? String(DECODERS[encoding]?.(bytes)) : '';
      resolve({ status: answer.statusCode, headers: answer.headers, encoding, bytes, text });
    });
    asked.end();
  });

describe('compression', () => {
  let client: Client;
  let token: { token: string };
  before(async () => {
    client = await newClient();
    token = { token: client.garage.token };
    for (let count = 0; count < 10; count += 1) await build(client, 'contact');
  });
  const get = (path: string, accepts: string | undefined, headers: Record<string, string> = {}) =>
    ask(`/v2${path}`, accepts, { headers: { ...token, ...headers } });

  const CHOICES: readonly (readonly [accepts: string | undefined, encoding: string])[] = [
    [undefined, 'identity'],
    ['', 'identity'],
    ['identity', 'identity'],
    ['deflate', 'identity'],
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'gzip'],
    ['br;q=0.9, gzip;q=0.8', 'br'],
    ['br;q=0.1, gzip;q=0.8', 'gzip'],
    ['gzip;q=0', 'identity'],
    ['gzip;q=0, br', 'br'],
    ['identity;q=1, gzip;q=0.5', 'identity'],
    ['*', 'br'],
    ['*;q=0', 'identity'],
    ['identity;q=0', 'identity'],
    ['identity;q=0, gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['gzip;q=nonsense', 'identity'],
    [`gzip${',a'.repeat(600)}`, 'identity'],
  ];
  for (const [accepts, encoding] of CHOICES)
    it(`answers ${encoding} to ${accepts?.slice(0, 40)}`, async () => {
      const plain = await get('/contact', undefined);

      const answer = await get('/contact', accepts);

      expect([answer.status, answer.encoding]).to.deep.equal([200, encoding]);
      expect(answer.text).to.equal(plain.text);
      expect(answer.headers['content-length']).to.equal(String(answer.bytes.length));
      expect(answer.headers['content-type']).to.equal('application/json');
      expect(answer.headers.vary).to.equal('Accept-Encoding');
      if (encoding !== 'identity') expect(answer.bytes.length).to.be.below(plain.bytes.length / 2);
    });

  it('leaves answers of 2 KiB plain, unless the caller refuses that', async () => {
    const { id } = await build(client, 'contact', { notes: 'n' });
    const missing = MOST_PLAIN - (await get(`/contact/${id}`, undefined)).bytes.length;
    await client.put(`/contact/${id}`, { notes: 'n'.repeat(missing + 1) });

    const short = await get(`/contact/${id}`, 'gzip');
    const refusing = await get(`/contact/${id}`, 'gzip, identity;q=0');
    await client.put(`/contact/${id}`, { notes: 'n'.repeat(missing + 2) });
    const long = await get(`/contact/${id}`, 'gzip');

    expect([short.bytes.length, short.encoding]).to.deep.equal([MOST_PLAIN, 'identity']);
    expect([refusing.encoding, long.encoding]).to.deep.equal(['gzip', 'gzip']);
    expect(short.headers.vary).to.equal('Accept-Encoding');
    expect(long.text).to.have.length(MOST_PLAIN + 1);
  });

  it('compresses a short answer only for a caller who refuses a plain one', async () => {
    const { id } = await build(client, 'contact');

    for (const [accepts, encoding] of [
      ['gzip, identity;q=0', 'gzip'],
      ['identity ; q=0.000 , gzip', 'gzip'],
      ['gzip, *;q=0.', 'gzip'],
      ['gzip, *;q=0.001', 'identity'],
      // The header of Net::HTTP of Ruby.
      ['gzip;q=1.0,deflate;q=0.6,identity;q=0.3', 'identity'],
    ] as const)
      expect((await get(`/contact/${id}`, accepts)).encoding, accepts).to.equal(encoding);
  });

  it('keeps the ETag of a version in every encoding, and 304 says what it depends on', async () => {
    const { id } = await build(client, 'contact', { notes: 'n'.repeat(3000) });

    const [plain, zipped] = [await get(`/contact/${id}`, undefined), await get(`/contact/${id}`, 'gzip')];
    const unchanged = await get(`/contact/${id}`, 'gzip', { 'if-none-match': '"1"' });

    expect([plain.headers.etag, zipped.headers.etag]).to.deep.equal(['"1"', '"1"']);
    expect([unchanged.status, unchanged.bytes.length]).to.deep.equal([304, 0]);
    expect(unchanged.headers).to.include({ vary: 'Accept-Encoding', etag: '"1"' });
    expect(unchanged.headers).to.not.have.property('content-encoding');
  });

  it('compresses refusals, answers to POST and replays', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`field${n}`, n]));
    const post = (body: Json, more: Record<string, string> = {}) =>
      client.request('POST', '/contact', {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', 'accept-encoding': 'gzip', ...more },
      });
    const body = person({ notes: 'n'.repeat(3000) });

    const refused = await post(person(unknown));
    const added = await post(body, { 'idempotency-key': 'zip' });
    const again = await post(body, { 'idempotency-key': 'zip' });

    for (const { headers } of [refused, added, again])
      expect(headers.get('content-encoding')).to.equal('gzip');
    expect(refused.body.errors).to.have.length(60);
    expect(again.text).to.equal(added.text);
  });

  it('streams a large page compressed', async () => {
    const rows = Array.from({ length: 400 }, () => person({ notes: 'Zoë é '.repeat(400) }));
    await importJson(client, 'resource=contact', rows);
    const plain = await get('/contact?page_size=1000', undefined);

    for (const encoding of ['gzip', 'br']) {
      const answer = await get('/contact?page_size=1000', encoding);
      expect(answer.encoding).to.equal(encoding);
      expect(answer.headers).to.not.have.property('content-length');
      expect(answer.text === plain.text, 'the same text').to.equal(true);
    }
    expect(plain.bytes.length).to.be.above(1_000_000);
  });

  it('gives HEAD the headers of GET', async () => {
    const options = { method: 'HEAD', headers: token };

    const [got, head] = [await get('/contact', 'gzip'), await ask('/v2/contact', 'gzip', options)];

    expect(head.bytes.length).to.equal(0);
    for (const name of ['content-encoding', 'content-length', 'vary'])
      expect(head.headers[name], name).to.equal(got.headers[name]);
  });

  it('describes the API in each encoding', async () => {
    const plain = await ask('/v2/openapi.json', undefined);

    for (const encoding of ['gzip', 'br']) {
      const answer = await ask('/v2/openapi.json', encoding);
      expect(answer.encoding).to.equal(encoding);
      expect(answer.headers.vary).to.equal('Accept-Encoding');
      expect(answer.text === plain.text, 'the same text').to.equal(true);
    }
  });

  it('leaves everything outside /v2 as it is', async () => {
    for (const path of ['/metrics', '/health/live', '/files/x.zip', '/swagger/']) {
      const { encoding, headers } = await ask(path, 'gzip, br');
      expect([encoding, headers.vary], path).to.deep.equal(['identity', undefined]);
    }
  });

  describe('with CORS', () => {
    let aside: Aside;
    before(async () => {
      aside = await openAside({ config: { corsOrigins: ['https://shop.example'] } });
    });
    after(() => aside.close());

    it('says that answers depend on both headers', async () => {
      const origin = { origin: 'https://shop.example' };
      const { headers } = await ask('/v2/contact', 'gzip', {
        headers: origin,
        url: `http://127.0.0.1:${aside.port}`,
      });

      expect(headers.vary).to.equal('Origin, Accept-Encoding');
      expect(headers['access-control-allow-origin']).to.equal('https://shop.example');
    });
  });
});
