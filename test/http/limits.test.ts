import { BODY_LIMIT } from '../../src/core/model/bodies/body-limit.ts';
import { networkText } from '../../src/http/server/connection-share.ts';
import { LIMITS, limitsFor } from '../../src/http/server/server.ts';
import { type Client, newClient } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { RawConnection } from '../support/client/socket.ts';
import { type Aside, asides } from '../support/service/second-service.ts';
import { until } from '../support/service/until.ts';

const HELLO = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n';

describe('the limits of a connection', () => {
  let client: Client;
  const open = asides();
  before(async () => {
    client = await newClient();
  });
  const isAlive = async ({ url }: Aside) => (await fetch(`${url}/health/live`)).status === 200;
  const post = (length: number, path = '/v2/contact') =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\ntoken: ${client.garage.token}\r\nContent-Length: ${length}\r\n\r\n`;
  const connections = ({ server }: Aside) =>
    new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
  const warnings = ({ lines }: Aside) =>
    lines.filter(({ msg }) => String(msg).startsWith('too many connections'));

  const SLOW: [what: string, begin: () => string, limits: Partial<typeof LIMITS>][] = [
    ['headers byte by byte', () => 'GET /health/live HTTP/1.1\r\nHost: x\r\nFoo: ', { headersTimeout: 200 }],
    ['a body byte by byte', () => post(1_000), { headersTimeout: 200, requestTimeout: 300 }],
  ];
  for (const [what, begin, limits] of SLOW) {
    it(`close the connection of a client that sends ${what}`, async () => {
      const aside = await open({ ...limits, connectionsCheckingInterval: 50 });
      const connection = new RawConnection(aside.port).send(begin());

      await connection.trickle('x');

      expect(connection.answers()[0]?.body).to.include({
        errorCode: 408,
        message: 'Request took too long to arrive',
      });
      expect(await isAlive(aside)).to.equal(true);
      // A busy machine makes slow requests, which are warnings.
      expect(aside.lines.filter(({ level }) => Number(level) > 40)).to.deep.equal([]);
    });
  }

  it('close the connection of a client that sends or reads nothing', async () => {
    const aside = await open({ headersTimeout: 200, connectionsCheckingInterval: 50, timeout: 400 });
    const silent = new RawConnection(aside.port);
    const deaf = new RawConnection(aside.port);
    deaf.socket.pause();
    deaf.send('GET /v2/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(60));

    await silent.closed;
    await until(async () => (await connections(aside)) === 0);

    deaf.socket.destroy();
    expect(await isAlive(aside)).to.equal(true);
  });

  it('refuse a connection too many, and accept the next when there is room', async () => {
    const aside = await open({ maxConnections: 3 });
    const busy = [1, 2, 3].map(() => new RawConnection(aside.port).send(post(10)));
    await until(async () => (await connections(aside)) === 3);

    const refused = await new RawConnection(aside.port).send(HELLO).end();
    busy[0]?.socket.destroy();
    await until(async () => (await connections(aside)) === 2);
    const served = new RawConnection(aside.port).send(HELLO);
    await until(async () => served.answers().length === 1);

    expect(refused).to.deep.equal([]);
    expect(served.answers()[0]?.status).to.equal(200);
    expect(warnings(aside)).to.have.length(1);
    for (const { socket } of [...busy, served]) socket.destroy();
  });

  it('close idle connections to make room', async () => {
    const aside = await open({ maxConnections: 3 });
    const kept = [1, 2, 3].map(() => new RawConnection(aside.port).send(HELLO));
    await until(async () => kept.every((connection) => connection.answers().length === 1));

    await new RawConnection(aside.port).send(HELLO).end();
    await Promise.all(kept.map(({ closed }) => closed));

    expect(await isAlive(aside)).to.equal(true);
  });

  it('give one address a share, and close what is above at once', async () => {
    const aside = await open({ maxConnections: 10, maxConnectionsOfAddress: 2 });
    const from = (address: string) => new RawConnection(aside.port, address);
    const held = [1, 2].map(() => from('127.0.0.2').send(post(10)));
    await until(async () => (await connections(aside)) === 2);

    const refused = await from('127.0.0.2').send(HELLO).end();
    const other = from('127.0.0.3').send(HELLO);
    await until(async () => other.answers().length === 1);
    held[0]?.socket.destroy();
    await until(async () => (await connections(aside)) === 2);
    const again = from('127.0.0.2').send(HELLO);
    await until(async () => again.answers().length === 1);

    expect(refused).to.deep.equal([]);
    expect([other, again].map((connection) => connection.answers()[0]?.status)).to.deep.equal([200, 200]);
    expect(warnings(aside)).to.have.length(1);
    for (const { socket } of [...held, other, again]) socket.destroy();
  });

  it('count an IPv6 /64 as one address', () => {
    const networks = [
      '2001:db8:0:1::1',
      '2001:db8:0:1:ffff::2',
      '2001:db8:0:2::1',
      '::ffff:192.0.2.7',
      '192.0.2.7',
    ];

    expect(networks.map(networkText)).to.deep.equal([
      '2001:db8:0:1::/64',
      '2001:db8:0:1::/64',
      '2001:db8:0:2::/64',
      '192.0.2.7',
      '192.0.2.7',
    ]);
  });

  it('give one address all connections only where a proxy is trusted', () => {
    expect(limitsFor({ trustProxy: false }).maxConnectionsOfAddress).to.equal(500);
    expect(limitsFor({ trustProxy: true }).maxConnectionsOfAddress).to.equal(1_000);
  });

  const UNREAD: [what: string, begin: string, status: number][] = [
    ['refused', 'POST /v2/contact HTTP/1.1\r\nHost: x\r\n', 401],
    ['answered', 'GET /health/live HTTP/1.1\r\nHost: x\r\n', 200],
  ];
  for (const [what, begin, status] of UNREAD) {
    it(`close a connection that was ${what} before its body came`, async () => {
      const aside = await open({ answeredBodyTimeout: 200 });
      const connection = new RawConnection(aside.port).send(`${begin}Content-Length: 1000\r\n\r\n{`);

      await connection.trickle('x');

      expect(connection.answers().map((answer) => answer.status)).to.deep.equal([status]);
      expect(LIMITS.answeredBodyTimeout).to.be.below(10_000);
    });
  }

  it('keep a connection whose refused body comes in time', async () => {
    const aside = await open({ answeredBodyTimeout: 10_000 });
    const connection = new RawConnection(aside.port);
    connection.send('POST /v2/contact HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{');
    await until(async () => connection.answers().length === 1);

    connection.send(`}${HELLO}`);
    await until(async () => connection.answers().length === 2);

    expect(connection.answers().map(({ status }) => status)).to.deep.equal([401, 200]);
    connection.socket.destroy();
  });

  it('keep a connection whose body is refused while it is read', async () => {
    const aside = await open({ answeredBodyTimeout: 10_000 });
    const connection = new RawConnection(aside.port);
    const chunk = (length: number) => `${length.toString(16)}\r\n${' '.repeat(length)}\r\n`;
    const head = `POST /v2/contact HTTP/1.1\r\nHost: x\r\ntoken: ${client.garage.token}\r\n`;
    connection.send(`${head}Transfer-Encoding: chunked\r\n\r\n${chunk(BODY_LIMIT + 64 * 1024)}`);
    await until(async () => connection.answers().length === 1);

    connection.send(`${chunk(100 * 1024)}0\r\n\r\n${HELLO}`);
    await until(async () => connection.answers().length === 2);

    expect(connection.answers().map(({ status }) => status)).to.deep.equal([413, 200]);
    connection.socket.destroy();
  });

  it('are 1,000 connections, 15 seconds for headers and two minutes for a request', () => {
    expect(LIMITS).to.include({ maxConnections: 1_000, headersTimeout: 15_000, requestTimeout: 2_400_000 });
  });

  it('log no error for a client that goes away during a request', async () => {
    const aside = await open();
    const leaving = [post(1_000), `${post(1_000)}{"last_name":`, post(100, '/v2/order/1/flatrate')];

    for (const bytes of leaving) {
      const connection = new RawConnection(aside.port).send(bytes);
      await until(async () => (await connections(aside)) === 1);
      connection.socket.destroy();
      await until(async () => (await connections(aside)) === 0);
    }

    await until(async () => aside.lines.length === leaving.length);
    expect(aside.lines.map(({ status }) => status)).to.deep.equal(leaving.map(() => 400));
    expect(aside.lines.filter(({ level }) => Number(level) > 40)).to.deep.equal([]);
  });
});
