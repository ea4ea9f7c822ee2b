// A service that is about to close: it still serves everybody, and each answer ends its connection.

import { type Service, startService } from '../../src/service.ts';
import { signLink } from '../../src/work/jobs/link.ts';
import { type Client, newClient } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { exchange, RawConnection } from '../support/client/socket.ts';
import { makeArchive } from '../support/service/job.ts';
import { theService } from '../support/service/service.ts';
import { until } from '../support/service/until.ts';

const MEBIBYTE = 1024 * 1024;

describe('a service that drains', () => {
  let client: Client;
  let file: string;
  let before: RawConnection;
  let half: RawConnection;
  let service: Service;
  let stopped: Promise<void>;
  const now = new AbortController();
  const request = (method: string, path: string, more = '') =>
    `${method} ${path} HTTP/1.1\r\nHost: x\r\ntoken: ${client.garage.token}\r\n${more}\r\n`;

  beforeEach(async () => {
    if (service) return;
    client = await newClient();
    const { name } = await makeArchive(client, Buffer.alloc(MEBIBYTE, 'x'));
    const { base } = theService();
    file = signLink(base.signingSecret, '', name).url;
    service = await startService({ ...base, config: { ...base.config, drainSeconds: 3600, jobThreads: 0 } });
    before = new RawConnection(service.port).send(request('GET', '/v2/country/1'));
    half = new RawConnection(service.port).send(
      request('POST', '/v2/contact', 'Content-Type: application/json\r\nContent-Length: 60\r\n'),
    );
    await until(async () => before.answers().length === 1);
    stopped = service.stop(now.signal);
  });
  after(async () => {
    now.abort();
    await stopped;
  });

  it('says so at /health/ready, and is not ready', async () => {
    const answer = await exchange(service.port, request('GET', '/health/ready'));

    expect(answer.status).to.equal(503);
    expect(answer.body).to.deep.equal({ status: 'draining', database: true, storage: true });
    expect(answer.headers.connection).to.equal('close');
  });

  it('answers on a connection that was open before, and closes it', async () => {
    const [first, second] = await before.send(request('GET', '/v2/country/1')).end();

    expect(first?.headers.connection).to.equal('keep-alive');
    expect(second).to.deep.include({ status: 200, body: first?.body });
    expect(second?.headers.connection).to.equal('close');
  });

  it('answers a request that had begun before', async () => {
    const body = JSON.stringify({ contact_kind: 1, last_name: 'Half', country_id: 1 }).padEnd(60);

    const [answer] = await half.send(body).end();

    expect(answer?.status).to.equal(201);
    expect(answer?.headers.connection).to.equal('close');
  });

  const ANSWERS: [what: string, bytes: () => string, status: number][] = [
    ['a page', () => request('GET', '/health/live'), 200],
    ['the metrics', () => request('GET', '/metrics'), 200],
    ['the test page', () => request('GET', '/swagger/'), 200],
    ['a file of the test page', () => request('GET', '/swagger/swagger-ui.css'), 200],
    ['a redirection', () => request('GET', '/swagger'), 302],
    ['the OpenAPI document', () => request('GET', '/v2/openapi.json'), 200],
    ['a list', () => request('GET', '/v2/contact'), 200],
    ['a download', () => request('GET', file), 200],
    ['a part of a download', () => request('GET', file, 'Range: bytes=5-9\r\n'), 206],
    ['a part that is not there', () => request('GET', file, 'Range: bytes=9999999-\r\n'), 416],
    ['an unknown record', () => request('GET', '/v2/order/2147483647'), 404],
    ['an unknown path', () => request('GET', '/nowhere'), 400],
    ['a wrong token', () => request('GET', '/v2/order').replace('token: ', 'token: x'), 401],
    ['a request that is not HTTP', () => 'HELLO\r\n\r\n', 400],
    ['headers without a Host', () => 'GET /v2/order HTTP/1.1\r\n\r\n', 400],
  ];
  for (const [what, bytes, status] of ANSWERS) {
    it(`ends the connection with the answer to ${what}`, async () => {
      const answer = await exchange(service.port, bytes());

      expect(answer.status).to.equal(status);
      expect(answer.headers.connection).to.equal('close');
    });
  }

  it('ends the connection with a 304 and with an answer to HEAD', async () => {
    const tag = `If-None-Match: ${(await client.get('/country/1')).headers.get('etag')}\r\n`;

    const same = await exchange(service.port, request('GET', '/v2/country/1', tag), true);
    const head = await exchange(service.port, request('HEAD', '/v2/country/1'), true);

    expect([same.status, head.status]).to.deep.equal([304, 200]);
    expect([same.headers.connection, head.headers.connection]).to.deep.equal(['close', 'close']);
  });

  it('ends the connection with an answer in chunks', async () => {
    const notes = 'x'.repeat(16_000);
    const contact = { contact_kind: 1, country_id: 1, last_name: 'Long', notes };
    await Promise.all(Array.from({ length: 20 }, () => client.post('/contact', contact)));

    const answer = await fetch(`http://127.0.0.1:${service.port}/v2/contact?page_size=100`, {
      headers: { token: client.garage.token },
    });

    const { data } = (await answer.json()) as { data: { notes: string }[] };
    expect(data.filter((each) => each.notes === notes)).to.have.length(20);
    expect(answer.headers.get('transfer-encoding')).to.equal('chunked');
    expect(answer.headers.get('connection')).to.equal('close');
  });

  it('begins no request behind the one whose answer ends the connection', async () => {
    const body = JSON.stringify({ contact_kind: 1, last_name: 'Behind', country_id: 1 });
    const head = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    const post = request('POST', '/v2/contact', head) + body;

    const answers = await new RawConnection(service.port).send(post + post).end();

    expect(answers.map(({ status }) => status)).to.deep.equal([201]);
    expect((await client.get('/contact?filter=last_name:Behind')).data).to.have.length(1);
  });

  it('reads the body of a refused request before it closes the connection', async () => {
    const bytes = request('POST', '/v2/nowhere', `Content-Length: ${12 * MEBIBYTE}\r\n`);
    const connection = new RawConnection(service.port);
    connection.socket.pause();

    await new Promise((sent) => connection.socket.write(bytes + 'x'.repeat(12 * MEBIBYTE), sent));
    connection.socket.resume();
    const [answer] = await connection.end();

    expect(answer?.body).to.include({ message: 'Invalid endpoint: [/nowhere]' });
    expect(answer?.headers.connection).to.equal('close');
  });

  it('closes at once where it must not wait any longer', async () => {
    now.abort();
    await stopped;

    const connection = new RawConnection(service.port);
    expect(await connection.end()).to.deep.equal([]);
  });
});
