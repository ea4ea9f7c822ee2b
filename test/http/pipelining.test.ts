// Requests that a caller sends one behind the other on a connection, without waiting for the answers.

import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { deflateSync } from 'node:zlib';
import { type Client, newClient } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { RawConnection } from '../support/client/socket.ts';
import { pngOf } from '../support/files/picture.ts';
import { type Aside, asides } from '../support/service/second-service.ts';
import { until } from '../support/service/until.ts';

const COUNT = 50;
const IDS = Array.from({ length: COUNT }, (_, number) => `request-${number}`);

/** A PNG of 370 KB. */
function largeLogo(): string {
  const rows = Array.from({ length: 350 }, () => Buffer.concat([Buffer.of(0), randomBytes(350 * 3)]));
  const pixels = deflateSync(Buffer.concat(rows), { level: 0 });
  return pngOf(350, 350, undefined, { pixels }).toString('base64');
}

describe('requests behind each other on one connection', () => {
  let client: Client;
  const open = asides();
  before(async () => {
    client = await newClient();
    await client.put(`/owner/${client.garage.owner}`, { logo: largeLogo() });
  });

  const request = (method: string, path: string, more = '') =>
    `${method} /v2${path} HTTP/1.1\r\nHost: x\r\ntoken: ${client.garage.token}\r\n${more}\r\n`;
  const post = (body: string, more = '') =>
    request(
      'POST',
      '/contact',
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n${more}`,
    );
  const contact = (last_name: string) => JSON.stringify({ contact_kind: 1, country_id: 1, last_name });
  /** All answers together are more than the system keeps for a connection. */
  const large = () =>
    IDS.map((id, index) => {
      const close = index === COUNT - 1 ? 'Connection: close\r\n' : '';
      return request('GET', `/owner/${client.garage.owner}`, `X-Request-Id: ${id}\r\n${close}`);
    }).join('');
  const deafConnection = ({ port }: Aside) => {
    const connection = new RawConnection(port);
    connection.socket.pause();
    return connection;
  };
  /** Waits until the number stays the same. */
  const settled = async (count: () => number) => {
    let [last, times] = [0, 0];
    await until(async () => {
      times = count() === last && last > 0 ? times + 1 : 0;
      last = count();
      return times >= 10;
    });
  };

  it('begin when the answer before is sent, and are answered in their order', async () => {
    const aside = await open();
    const answers: ServerResponse[] = [];
    aside.server.on('request', (_request, answer) => answers.push(answer));
    const connection = deafConnection(aside).send(large());
    await settled(() => aside.lines.length);

    const unsent = answers.filter(({ writableLength }) => writableLength > 0);
    const begun = aside.lines.length;
    connection.socket.resume();
    const got = await connection.end();

    expect(answers).to.have.length(COUNT);
    expect(unsent).to.have.length.at.most(1);
    expect(begun).to.be.below(COUNT);
    expect(got.map(({ status }) => status)).to.deep.equal(IDS.map(() => 200));
    expect(got.map(({ headers }) => headers['x-request-id'])).to.deep.equal(IDS);
    expect(aside.lines.map(({ request_id }) => request_id)).to.deep.equal(IDS);
  });

  it('go on after so many waited that the connection was paused', async () => {
    const aside = await open();
    const connection = deafConnection(aside).send(large().replace('Connection: close\r\n', ''));
    const short = Array.from({ length: 200 }, () => request('GET', '/country/1'));
    connection.send(`${short.join('')}${request('GET', '/country/1', 'Connection: close\r\n')}`);
    await settled(() => aside.lines.length);

    connection.socket.resume();
    const got = await connection.end();

    expect(got.map(({ status }) => status)).to.deep.equal([...IDS, ...short, ''].map(() => 200));
  });

  it('may have bodies, wait for 100 Continue, and be HEAD', async () => {
    const aside = await open();
    const [one, two, three] = [contact('One'), contact('Two'), contact('Three')];
    const connection = new RawConnection(aside.port);

    connection.send(`${request('GET', '/country/1')}${post(one)}${one}`);
    connection.send(`${request('GET', '/country/1')}${post(two, 'Expect: 100-continue\r\n')}`);
    await until(async () => connection.answers().some(({ status }) => status === 100));
    connection.send(`${two}${post(three)}${three}${request('HEAD', '/country/1', 'Connection: close\r\n')}`);
    const got = await connection.end();

    expect(got.map(({ status }) => status)).to.deep.equal([200, 201, 200, 100, 201, 201]);
    const names = got.flatMap(({ text }) => /"last_name":"(\w+)"/.exec(text)?.[1] ?? []);
    expect(names).to.deep.equal(['One', 'Two', 'Three']);
    expect(aside.lines.map(({ status }) => status)).to.deep.equal([200, 201, 200, 201, 201, 200]);
  });

  it('do not begin if the connection ends, and the log has each of them once', async () => {
    const aside = await open();
    const connection = deafConnection(aside).send(large());
    await settled(() => aside.lines.length);
    const begun = aside.lines.length;

    connection.socket.destroy();
    await until(async () => aside.lines.length >= COUNT);

    expect(begun).to.be.below(COUNT);
    expect(aside.lines.map(({ request_id }) => request_id)).to.deep.equal(IDS);
    expect(aside.lines.map(({ status }) => status)).to.deep.equal(
      IDS.map((_, index) => (index < begun ? 200 : 499)),
    );
    expect(aside.lines.filter(({ level }) => Number(level) > 40)).to.deep.equal([]);
  });

  for (const [which, head, count] of [
    ['many of them', '', 40_000],
    ['a few with long headers', `X-Long: ${'x'.repeat(60_000)}\r\n`, 99],
  ] as const)
    it(`are no longer read while ${which} wait`, async () => {
      const aside = await open();
      const accepted: Socket[] = [];
      aside.server.on('connection', (socket) => accepted.push(socket));
      const connection = new RawConnection(aside.port);
      const bytesRead = () => accepted[0]?.bytesRead ?? 0;

      connection.send(request('GET', '/changes?after=now&wait=25'));
      connection.send(request('GET', '/country/1', head).repeat(count));
      await settled(bytesRead);

      expect(bytesRead()).to.be.below(512 * 1024);
      expect(aside.lines, 'the first request still waits').to.deep.equal([]);
      connection.socket.destroy();
    });
});
