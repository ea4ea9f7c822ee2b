// The headers of every answer: the request ID, protection of browsers, and CORS.

import { build } from '../support/build/build.ts';
import { type Client, newClient, send } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { exchange } from '../support/client/socket.ts';
import { type Aside, openAside } from '../support/service/second-service.ts';
import { theService } from '../support/service/service.ts';

const OF_THE_CONNECTION = ['date', 'connection', 'keep-alive'];
const SHOP = 'https://shop.example';

describe('the headers of an answer', () => {
  let client: Client;
  let aside: Aside;
  before(async () => {
    client = await newClient();
    aside = await openAside({ config: { corsOrigins: [SHOP] } });
  });
  after(() => aside.close());

  const MAD: [what: string, header: string][] = [
    ['too long', 'a'.repeat(101)],
    ['empty', ''],
    ['with spaces', 'a b'],
    ['with quotes', '"a"'],
    ['with a line in it', 'a\tb'],
    ['beyond ASCII', 'é'],
    ['given twice', 'a\r\nX-Request-Id: b'],
  ];
  for (const [what, header] of MAD) {
    it(`have a generated request ID if the given one is ${what}`, async () => {
      const asked = `GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Request-Id: ${header}\r\n\r\n`;

      const { headers } = await exchange(aside.port, Buffer.from(asked, 'latin1'));

      expect(headers['x-request-id']).to.match(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    });
  }

  it('have the given request ID if it is valid', async () => {
    for (const id of [
      'shop-7/42',
      'a'.repeat(100),
      '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    ]) {
      expect((await client.get('/order', { 'x-request-id': id })).headers.get('x-request-id')).to.equal(id);
    }
  });

  for (const path of [
    '/v2/order',
    '/v2/nowhere',
    '/v2/openapi.json',
    '/health/live',
    '/metrics',
    '/files/x',
    '/',
  ]) {
    it(`protect browsers on ${path}`, async () => {
      const { headers } = await send('GET', `${theService().url}${path}`);

      expect(Object.fromEntries(headers)).to.include({
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(headers.has('x-powered-by'), 'what it is made of').to.equal(false);
      expect(headers.has('access-control-allow-origin')).to.equal(false);
    });
  }

  it('are the same for HEAD and GET, also in a refusal', async () => {
    const { id } = await build(client, 'turnovergroup');

    for (const path of [`/turnovergroup/${id}`, '/turnovergroup', '/turnovergroup/0', '/nowhere']) {
      const [got, head] = await Promise.all(
        ['GET', 'HEAD'].map((method) =>
          client.request(method, path, { headers: { 'x-request-id': 'same' } }),
        ),
      );
      const kept = (headers?: Headers) =>
        Object.fromEntries([...(headers ?? [])].filter(([name]) => !OF_THE_CONNECTION.includes(name)));
      expect(kept(head?.headers), path).to.deep.equal(kept(got?.headers));
      expect([head?.status, head?.text], path).to.deep.equal([got?.status, '']);
    }
  });

  it('name the methods of an endpoint if CORS is off', async () => {
    const preflight = { origin: SHOP, 'access-control-request-method': 'PUT' };

    const answer = await client.request('OPTIONS', '/vehicle/publishstart', { headers: preflight });

    expect(answer).to.be.refused(
      400,
      'Method: [OPTIONS] not supported for endpoint: [/vehicle/publishstart]',
    );
    expect(answer.headers.get('allow')).to.equal('GET, PUT');
    expect(answer.headers.has('access-control-allow-origin')).to.equal(false);
  });

  it('let browsers call from CORS_ORIGINS only', async () => {
    const preflight = (origin: string) =>
      send('OPTIONS', `${aside.url}/v2/order`, {
        headers: {
          origin,
          'access-control-request-method': 'PUT',
          'access-control-request-headers': 'token',
          'x-request-id': 'preflight',
        },
      });

    const [shop, other] = await Promise.all([preflight(SHOP), preflight('https://other.example')]);

    expect(shop.status).to.equal(204);
    expect(Object.fromEntries(shop.headers)).to.include({
      'access-control-allow-origin': SHOP,
      'access-control-allow-methods': 'GET,HEAD,POST,PUT,DELETE',
      'access-control-allow-headers':
        'token,content-type,if-match,if-none-match,idempotency-key,x-request-id',
      vary: 'Origin, Accept-Encoding',
      'x-request-id': 'preflight',
    });
    expect(other.headers.has('access-control-allow-origin')).to.equal(false);
  });

  it('let these browsers read answers and refusals, with the headers that callers need', async () => {
    const { token } = client.garage;
    const ask = (headers: Record<string, string>) =>
      send('GET', `${aside.url}/v2/order`, { headers: { origin: SHOP, ...headers } });

    for (const [status, { headers }] of [
      [200, await ask({ token })],
      [401, await ask({})],
    ] as const) {
      expect(headers.get('access-control-allow-origin'), String(status)).to.equal(SHOP);
      expect(headers.get('access-control-expose-headers')).to.include('etag').and.include('x-request-id');
      expect(headers.get('vary')).to.equal('Origin, Accept-Encoding');
      expect(headers.get('cross-origin-resource-policy')).to.equal('cross-origin');
      expect(headers.has('access-control-allow-credentials')).to.equal(false);
    }
  });
});
