// Bodies that are slow or too large, and when the service reads a body at all.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createApp } from '../../src/app.ts';
import { Tokens } from '../../src/platform/auth/token.ts';
import { connectDatabase } from '../../src/platform/database/connect.ts';
import { type Client, newClient, send } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { RawConnection } from '../support/client/socket.ts';
import { type Aside, asides } from '../support/service/second-service.ts';
import { theService } from '../support/service/service.ts';
import { until } from '../support/service/until.ts';

const HELLO = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n';
const MEBIBYTE = 1024 * 1024;

describe('the limits of a connection', () => {
  let client: Client;
  const open = asides();
  before(async () => {
    client = await newClient();
  });
  const isAlive = async ({ url }: Aside) => (await fetch(`${url}/health/live`)).status === 200;
  const post = (length: number, path = '/v2/contact') =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\ntoken: ${client.garage.token}\r\nContent-Length: ${length}\r\n\r\n`;

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

      await connection.trickle('x');

      expect(connection.answers()[0]?.body).to.include({ errorCode: 408, code: 'request_timeout' });
      expect(aside.lines.map(({ level, status }) => [level, status])).to.deep.equal([[30, 408]]);
    });
  }

  it('leave a body unread until the token is checked', async () => {
    const aside = await open();
    const forget = await forgetTokens(aside);
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
    await forget();
  });

  /** Gives the service a database for tokens that never answers. The result closes this database. */
  async function forgetTokens({ server }: Aside): Promise<() => Promise<void>> {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const { services } = theService().service;
    const hosts = [{ host: '127.0.0.1', port }];
    const database = connectDatabase({ hosts, user: 'a', database: 'c' }, services.storage.files);
    server.removeAllListeners('request');
    server.on('request', createApp({ ...services, tokens: new Tokens(database) }).callback());
    return async () => {
      silent.close();
      await database.close();
    };
  }

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

  for (const [places, whose, path, sent, most] of [
    [3, 'files of one owner', '/v2/document', 7 * MEBIBYTE, 2 * MEBIBYTE],
    [24, 'other bodies of one owner', '/v2/contact', MEBIBYTE - 1, MEBIBYTE / 2],
    [3, 'bodies without a token', '/v2/authenticate', MEBIBYTE - 1, MEBIBYTE / 2],
  ] as const) {
    it(`let ${places} long ${whose} in, and the next one after an answer`, async () => {
      const aside = await open();
      const readers: Socket[] = [];
      aside.server.on('connection', (socket) => readers.push(socket));
      const begin = async (number: number) => {
        const connection = new RawConnection(aside.port).send(post(sent + 1, path));
        connection.send(Buffer.alloc(sent, ' '));
        return { connection, reader: await until(async () => readers[number]) };
      };
      const first = await begin(0);
      await until(async () => first.reader.bytesRead > sent);
      for (let number = 1; number < places; number += 1) {
        const { reader } = await begin(number);
        await until(async () => reader.bytesRead > sent);
      }

      const { reader } = await begin(places);
      await until(async () => {
        const before = reader.bytesRead;
        await pause(100);
        return before > 0 && reader.bytesRead === before;
      });
      const waiting = reader.bytesRead;
      first.connection.send(' ');

      expect(waiting).to.be.below(most);
      await until(async () => first.connection.answers()[0]?.body.code === 'body_empty');
      await until(async () => reader.bytesRead > sent);
    });
  }

  it('hold for the password form too', async () => {
    const aside = await open();

    const answer = await send('POST', `${aside.url}/password-reset`, { body: 'x'.repeat(20_000) });

    expect(answer).to.be.refused(413, 'Body is larger than [16384] bytes');
  });
});
