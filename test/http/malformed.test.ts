// Malformed HTTP over raw sockets: refused in the shape of any other error, and without harm.

import { type Client, newClient } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { exchange, type RawAnswer, RawConnection } from '../support/client/socket.ts';
import { type Aside, openAside } from '../support/service/second-service.ts';
import { until } from '../support/service/until.ts';

const NOT_HTTP = [400, 'Request is not valid HTTP'] as const;
const NOT_JSON = [400, 'Body is not valid JSON'] as const;
const URL_TOO_LONG = [414, 'URL is longer than [16384] bytes'] as const;
const NOT_AN_ID = [403, 'Primary ID is invalid'] as const;

describe('malformed HTTP', () => {
  let aside: Aside;
  let client: Client;
  before(async () => {
    client = await newClient();
    aside = await openAside();
  });
  after(() => aside.close());

  const head = () => `Host: x\r\ntoken: ${client.garage.token}\r\nConnection: close\r\n`;
  const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\n${head()}${more}\r\n`;
  const post = (body: string | Buffer, more = `Content-Length: ${Buffer.byteLength(body)}\r\n`) =>
    Buffer.concat([
      Buffer.from(`POST /v2/contact HTTP/1.1\r\n${head()}Content-Type: application/json\r\n${more}\r\n`),
      Buffer.from(body),
    ]);
  const refused = ({ status, body, headers }: RawAnswer, [code, message]: readonly [number, string]) => {
    expect({ status, message: body.message, errorCode: body.errorCode }).to.deep.equal({
      status: code,
      message,
      errorCode: code,
    });
    expect(headers['content-type']).to.equal('application/json');
    expect(headers['x-request-id']).to.equal(body.request_id);
  };

  const TABLE: (readonly [what: string, bytes: () => string | Buffer, says: readonly [number, string]])[] = [
    ['no HTTP at all', () => 'HELO garage.example\r\n\r\n', NOT_HTTP],
    ['a TLS greeting', () => Buffer.from('16030100c8010000c403', 'hex'), NOT_HTTP],
    ['a version that is none', () => 'GET / HTTP/9.9\r\n\r\n', NOT_HTTP],
    ['a method that is none', () => `BREW /v2/order HTTP/1.1\r\n${head()}\r\n`, NOT_HTTP],
    ['no Host', () => 'GET /health/live HTTP/1.1\r\nConnection: close\r\n\r\n', NOT_HTTP],
    ['two Hosts', () => `GET /health/live HTTP/1.1\r\nHost: x\r\n${head()}\r\n`, NOT_HTTP],
    ['two Hosts of one name', () => `GET /v2/order HTTP/1.1\r\nhOST: x\r\n${head()}\r\n`, NOT_HTTP],
    ['two Hosts in HTTP/1.0', () => `GET /health/live HTTP/1.0\r\nHost: y\r\n${head()}\r\n`, NOT_HTTP],
    ['lines that end in LF alone', () => 'GET /health/live HTTP/1.1\nHost: x\n\n', NOT_HTTP],
    ['a space before a colon', () => get('/health/live', 'Foo : bar\r\n'), NOT_HTTP],
    ['a header without a colon', () => get('/health/live', 'Foo\r\n'), NOT_HTTP],
    ['a target of CONNECT', () => `CONNECT garage.example:443 HTTP/1.1\r\n${head()}\r\n`, NOT_HTTP],
    ['a NUL in the path', () => get('/v2/order/\0'), NOT_HTTP],
    ['a NUL in a header', () => get('/v2/order', 'Foo: \0\r\n'), NOT_HTTP],
    ['bytes beyond ASCII in the path', () => get('/v2/ordér'), NOT_HTTP],
    [
      'a length and chunks',
      () => post('0\r\n\r\n', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n'),
      NOT_HTTP,
    ],
    ['two lengths', () => post('{}', 'Content-Length: 2\r\nContent-Length: 3\r\n'), NOT_HTTP],
    ['a length in letters', () => post('{}', 'Content-Length: two\r\n'), NOT_HTTP],
    ['a length below 0', () => post('{}', 'Content-Length: -1\r\n'), NOT_HTTP],
    ['a chunk without a size', () => post('ZZ\r\n{}\r\n', 'Transfer-Encoding: chunked\r\n'), NOT_HTTP],
    ['an encoding that is not chunked', () => post('{}', 'Transfer-Encoding: gzip\r\n'), NOT_HTTP],
    ['an address over the limit', () => get(`/v2/order?filter=${'x'.repeat(16_384)}`), URL_TOO_LONG],
    ['one outside /v2', () => get(`/health/live?${'x'.repeat(16_384)}`), URL_TOO_LONG],
    ...[66_000, 300_000, 1_000_000].map(
      (length) =>
        [
          `one of ${length} characters`,
          () => get(`/v2/order?filter=${'x'.repeat(length)}`),
          URL_TOO_LONG,
        ] as const,
    ),
    [
      'a header over the limit',
      () => get('/v2/order', `Foo: ${'x'.repeat(70_000)}\r\n`),
      [431, 'Headers are larger than [65536] bytes'],
    ],
    ...[70_000, 300_000, 1_000_000].map(
      (length) =>
        [
          `a header of ${length} characters without a space`,
          () => get('/v2/order', `Foo:${'x'.repeat(length)}\r\n`),
          [431, 'Headers are larger than [65536] bytes'],
        ] as const,
    ),
    ...['http://[/', 'http://', 'https://[::1/v2/order'].map(
      (target) => [`the target ${target}`, () => get(target), NOT_HTTP] as const,
    ),
    [
      'many headers over the limit',
      () => get('/v2/order', 'Foo: bar\r\n'.repeat(12_000)),
      [431, 'Headers are larger than [65536] bytes'],
    ],
    ['a percent sign with nothing behind it', () => get('/v2/order/%zz'), NOT_AN_ID],
    ['an ID of NUL', () => get('/v2/order/%00'), NOT_AN_ID],
    ['a path of broken UTF-8', () => get('/%ff%zz'), [400, 'Invalid endpoint: [/%ff%zz]']],
    [
      'a query of broken UTF-8',
      () => get('/v2/contact?filter=last_name:M%FCller'),
      [400, 'Parameter invalid [filter] value is not UTF-8'],
    ],
    ['bytes beyond ASCII in the query', () => get('/v2/contact?search=Zoë'), NOT_HTTP],
    ['such a file of the test page', () => get('/swagger/%zz'), [400, 'Invalid endpoint: [/swagger/%zz]']],
    ['such a download', () => get('/files/%00%zz'), [403, 'Not authorized']],
    ['a way out of the path', () => get('/v2/../v2/order'), [400, 'Invalid endpoint: [/../v2/order]']],
    ['an encoded way out', () => get('/files/..%2f..%2fetc%2fpasswd'), [403, 'Not authorized']],
    ['two slashes', () => get('//v2/order'), [400, 'Invalid endpoint: [//v2/order]']],
    ['the asterisk', () => `OPTIONS * HTTP/1.1\r\n${head()}\r\n`, [400, 'Invalid endpoint: [*]']],
    [
      'TRACE',
      () => `TRACE /v2/order HTTP/1.1\r\n${head()}\r\n`,
      [400, 'Method: [TRACE] not supported for endpoint: [/order]'],
    ],
    ['two tokens', () => get('/v2/order', 'token: other\r\n'), [401, 'Not authorized']],
    ['a body of broken UTF-8', () => post(Buffer.from('7b2261223a22fffe227d', 'hex')), NOT_JSON],
    ['a NUL in a body', () => post('{"last_name":"a\0b"}'), NOT_JSON],
    [
      'a body that is compressed',
      () => post(Buffer.from('1f8b0800', 'hex'), 'Content-Encoding: gzip\r\nContent-Length: 4\r\n'),
      NOT_JSON,
    ],
    ['a body of 100,000 levels', () => post(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`), NOT_JSON],
    [
      'a number beyond all numbers',
      () => post('{"contact_kind":1e400}'),
      [403, 'Field: [contact_kind] has an invalid value: [Infinity] for datatype: int4'],
    ],
  ];
  for (const [what, bytes, says] of TABLE) {
    it(`refuses ${what}`, async () => {
      const answer = await exchange(aside.port, bytes());

      refused(answer, says);
    });
  }

  it('tells a long header from a long URL on a connection that was used before', async () => {
    const long = 'x'.repeat(200_000);
    const first = `GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n`;
    const second = async (bytes: string) => {
      const connection = new RawConnection(aside.port).send(first);
      await until(async () => connection.answers().length === 1);
      return (await connection.send(bytes).end())[1]?.status;
    };

    expect(await second(get('/v2/order', `Foo:${long}\r\n`))).to.equal(431);
    expect(await second(get(`/v2/order?filter=${long}`))).to.equal(414);
    expect(await second(`GET /v2/order HTTP/1.1\r\nFoo:${long}`)).to.equal(431);
  });

  it('names a hundred of a thousand parameters that nobody knows, and counts the others', async () => {
    const names = Array.from({ length: 1_000 }, (_, number) => `a${number}`);

    const answer = await exchange(aside.port, get(`/v2/order?${names.join('&')}`));

    refused(answer, [400, 'Invalid request, query parameter is not supported: [a0]']);
    const errors = answer.body.errors as { message: string }[];
    expect(errors).to.have.length(101);
    expect(errors.at(-1)?.message).to.equal('[900] more errors');
  });

  it('takes the last of two values of one name, and ignores a byte order mark', async () => {
    const body = '\ufeff{"last_name":"one","contact_kind":1,"country_id":1,"last_name":"two"}';

    const { status, body: answer } = await exchange(aside.port, post(body));

    expect(status).to.equal(201);
    expect(answer.data).to.include({ last_name: 'two' });
  });

  it('answers HTTP/1.0, an absolute URL and an unknown Expect header', async () => {
    const wanted = [
      'GET /health/live HTTP/1.0\r\n\r\n',
      get('http://other.example/health/live'),
      get('/health/live', 'Expect: wonders\r\n'),
    ];

    for (const bytes of wanted) expect((await exchange(aside.port, bytes)).status).to.equal(200);
  });

  it('answers pipelined requests in their order', async () => {
    const one = (id: string, path = '/health/live') =>
      `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${id}\r\n`;
    const sent = `${one('1')}\r\n${one('2', '/nowhere')}\r\n${one('3', '/v2/order')}token: ${client.garage.token}\r\n\r\n`;

    const answers = await new RawConnection(aside.port)
      .send(`${sent}${one('4')}Connection: close\r\n\r\n`)
      .end();

    expect(answers.map(({ status }) => status)).to.deep.equal([200, 400, 200, 200]);
    expect(answers.map(({ headers }) => headers['x-request-id'])).to.deep.equal(['1', '2', '3', '4']);
  });

  it('answers a client that closed its side of the connection, then closes the other side', async () => {
    const connection = new RawConnection(aside.port);
    connection.socket.end(`GET /v2/order HTTP/1.1\r\nHost: x\r\ntoken: ${client.garage.token}\r\n\r\n`);

    expect((await connection.end()).map(({ status }) => status)).to.deep.equal([200]);
  });

  it('does not take the body of a refused request for the next request', async () => {
    const body = 'GET /health/ready HTTP/1.1\r\n\r\n';
    const first = `POST /v2/nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

    const answers = await new RawConnection(aside.port).send(first + get('/health/live')).end();

    expect(answers.map(({ status }) => status)).to.deep.equal([400, 200]);
    expect(answers[1]?.body).to.deep.equal({ status: 'ok' });
  });

  it('never logs an unforeseen error', async () => {
    expect((await exchange(aside.port, get('/health/live'))).status).to.equal(200);
    expect(aside.lines.filter(({ level }) => Number(level) > 40)).to.deep.equal([]);
    expect(aside.lines.filter(({ route }) => route === 'malformed').length).to.be.above(10);
  });
});
