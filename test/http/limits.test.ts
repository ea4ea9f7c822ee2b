// Clients that are slow, many or gone: each costs the service little, and none causes an error in the log.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createApp } from '../../src/app.ts';
import { Tokens } from '../../src/auth/token.ts';
import { connectDatabase } from '../../src/database/connect.ts';
import { networkText } from '../../src/http/server/connection-share.ts';
import { LIMITS, limitsFor } from '../../src/http/server/server.ts';
import { type Client, newClient, send } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { RawConnection } from '../support/client/socket.ts';
import { type Aside, openAside } from '../support/service/second-service.ts';
import { theService } from '../support/service/service.ts';
import { until } from '../support/service/until.ts';

const HELLO = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n';
const MEBIBYTE = 1024 * 1024;

describe('the limits of a connection', () => {
  let client: Client;
  const opened: Aside[] = [];
  before(async () => {
    client = await newClient();
  });
  afterEach(async () => {
    for (const aside of opened.splice(0)) {
      aside.server.closeAllConnections();
      await aside.close();
    }
  });

  const open = async (limits: Partial<typeof LIMITS> = {}): Promise<Aside> => {
    const aside = await openAside({ limits });
    opened.push(aside);
    return aside;
  };
  const isAlive = async ({ url }: Aside) => (await fetch(`${url}/health/live`)).status === 200;
  const post = (length: number, path = '/v2/contact') =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\ntoken: ${client.garage.token}\r\nContent-Length: ${length}\r\n\r\n`;
  const connections = ({ server }: Aside) =>
    new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));

  /** Sends a byte now and then, until the other side has had enough. */
  async function trickle(connection: RawConnection, byte: string): Promise<void> {
    const over = connection.closed.then(() => true);
    while (!(await Promise.race([over, pause(20, false)]))) connection.send(byte);
  }

  const SLOW: [what: string, begin: () => string, limits: Partial<typeof LIMITS>][] = [
    ['headers byte by byte', () => 'GET /health/live HTTP/1.1\r\nHost: x\r\nFoo: ', { headersTimeout: 200 }],
    ['a body byte by byte', () => post(1_000), { headersTimeout: 200, requestTimeout: 300 }],
  ];
  for (const [what, begin, limits] of SLOW) {
    it(`close the connection of a client that sends ${what}`, async () => {
      const aside = await open({ ...limits, connectionsCheckingInterval: 50 });
      const connection = new RawConnection(aside.port).send(begin());

      await trickle(connection, 'x');

      expect(connection.answers()[0]?.body).to.include({
        errorCode: 408,
        message: 'Request took too long to arrive',
      });
      expect(await isAlive(aside)).to.equal(true);
      expect(aside.lines.filter(({ level }) => Number(level) > 30)).to.deep.equal([]);
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
    expect(aside.lines.filter(({ level }) => level === 40)).to.have.length(1);
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
    expect(aside.lines.filter(({ level }) => level === 40)).to.have.length(1);
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

      await trickle(connection, 'x');

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

  it('take the place of connections that wait for the body of a refused request', async () => {
    const aside = await open({ maxConnections: 3 });
    const refused = [1, 2, 3].map(() =>
      new RawConnection(aside.port).send(
        'POST /v2/contact HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{',
      ),
    );
    await until(async () => refused.every((connection) => connection.answers().length === 1));

    await new RawConnection(aside.port).send(HELLO).end();
    await Promise.all(refused.map(({ closed }) => closed));

    expect(await isAlive(aside)).to.equal(true);
  });

  for (const [what, head] of [
    ['a JSON body', () => post(100_000)],
    [
      'a form',
      () =>
        'POST /password-reset HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 9000\r\n\r\n',
    ],
  ] as const) {
    it(`are over for ${what} of less than 1 KiB per second`, async () => {
      const aside = await open();
      const connection = new RawConnection(aside.port).send(head());

      await trickle(connection, 'x');

      expect(connection.answers()[0]?.body).to.include({ errorCode: 408, code: 'request_timeout' });
      expect(aside.lines.map(({ level, status }) => [level, status])).to.deep.equal([[30, 408]]);
    });
  }

  it('leave a body unread until the token is checked', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port: away } = silent.address() as AddressInfo;
    const { services } = theService().service;
    const database = connectDatabase(
      { hosts: [{ host: '127.0.0.1', port: away }], user: 'a', database: 'c' },
      services.storage.files,
    );
    const aside = await open();
    aside.server.removeAllListeners('request');
    aside.server.on('request', createApp({ ...services, tokens: new Tokens(database) }).callback());
    let reader: Socket | undefined;
    aside.server.on('connection', (socket) => {
      reader = socket;
    });
    const length = 15 * MEBIBYTE;

    const connection = new RawConnection(aside.port).send(post(length, '/v2/document'));
    connection.send(Buffer.alloc(length, ' '));
    await until(async () => {
      const before = reader?.bytesRead ?? 0;
      await pause(100);
      return before > 0 && reader?.bytesRead === before;
    });

    expect(reader?.bytesRead).to.be.below(MEBIBYTE);
    connection.socket.destroy();
    silent.close();
    await database.close();
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
    expect(aside.lines.map(({ level, status }) => [level, status])).to.deep.equal(
      leaving.map(() => [30, 400]),
    );
  });

  it('answer 413 to every client, also to one that sends all of its body first', async () => {
    const body = `{"notes": "${'x'.repeat(24 * MEBIBYTE)}"}`;

    const told = await Promise.all([
      client.post('/contact', body),
      client.post('/document', body),
      lateListener('/contact', body, 'close'),
      lateListener('/document', body, 'keep-alive'),
      lateListener('/contact', body, 'close', 'a dead token'),
    ]);

    expect(told[0]).to.be.refused(413, `Body is larger than [${MEBIBYTE}] bytes`);
    expect(told[1]).to.be.refused(413, `Body is larger than [${15 * MEBIBYTE}] bytes`);
    expect(told.slice(2)).to.deep.equal([413, 413, 401]);
  }).timeout(60_000);

  /** Writes the whole of its body before it looks for an answer, as simple clients do; the answer's status. */
  async function lateListener(path: string, body: string, connection: string, token = client.garage.token) {
    const { port } = await open();
    const head = `POST /v2${path} HTTP/1.1\r\nHost: x\r\ntoken: ${token}\r\nConnection: ${connection}\r\n`;
    const { socket, answers } = new RawConnection(port);
    socket.pause();
    await new Promise<void>((resolve, reject) => {
      const bytes = `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
      socket.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
    socket.resume();
    const status = await until(async () => answers()[0]?.status);
    socket.destroy();
    return status;
  }

  it('hold for the password form too', async () => {
    const aside = await open();

    const answer = await send('POST', `${aside.url}/password-reset`, { body: 'x'.repeat(20_000) });

    expect(answer).to.be.refused(413, 'Body is larger than [16384] bytes');
  });
});
