// The JSON body of a request: encodings, empty bodies and broken uploads.
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { LISTS } from '../../src/core/trade/lists.ts';
import { type Client, newClient } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { witness } from '../support/client/seen-answers.ts';
import { exchange, type RawAnswer, RawConnection } from '../support/client/socket.ts';
import { execute } from '../support/database/sql.ts';
import { type Aside, openAside } from '../support/service/second-service.ts';
import { database, theService } from '../support/service/service.ts';
import { until } from '../support/service/until.ts';

const CHUNKED = 'Transfer-Encoding: chunked\r\n';
const LONGEST_LAG_MS = 500;
const PERSON = '"contact_kind":1,"country_id":1';

describe('the JSON body of a request', () => {
  let aside: Aside;
  let client: Client;
  before(async () => {
    client = await newClient();
    aside = await openAside();
  });
  after(() => aside.close());

  const head = (more: string, type = 'application/json') =>
    `POST /v2/contact HTTP/1.1\r\nHost: x\r\ntoken: ${client.garage.token}\r\nConnection: close\r\n` +
    `Content-Type: ${type}\r\n${more}\r\n`;
  const whole = (body: string | Buffer, more = '', type?: string) =>
    Buffer.concat([
      Buffer.from(head(`Content-Length: ${Buffer.byteLength(body)}\r\n${more}`, type)),
      Buffer.from(body),
    ]);
  const chunk = (bytes: Buffer) =>
    Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
  const chunked = (...chunks: Buffer[]) =>
    Buffer.concat([Buffer.from(head(CHUNKED)), ...chunks.map(chunk), Buffer.from('0\r\n\r\n')]);
  /** The same request to another address. */
  const readdressed = (bytes: Buffer, to: string) =>
    Buffer.from(bytes.toString('latin1').replace('POST /v2/contact', to), 'latin1');
  const message = async (bytes: Buffer) => (await exchange(aside.port, bytes)).body.message;

  const name = (bytes: Buffer) =>
    Buffer.concat([Buffer.from(`{${PERSON},"last_name":"`), bytes, Buffer.from('"}')]);
  const BROKEN: [what: string, bytes: string][] = [
    ['a byte that starts no character', 'ff'],
    ['three bytes of four, which are as long as U+FFFD', 'f09f98'],
    ['an overlong slash', 'c0af'],
    ['half of a surrogate pair', 'eda080'],
  ];
  for (const [what, bytes] of BROKEN) {
    it(`is refused with invalid UTF-8: ${what}`, async () => {
      expect(await message(whole(name(Buffer.from(bytes, 'hex'))))).to.equal('Body is not valid JSON');
    });
  }

  it('may hold U+FFFD, and characters split between two chunks', async () => {
    const bytes = name(Buffer.from('a\ufffd😀'));

    const answer = await exchange(aside.port, chunked(bytes.subarray(0, -4), bytes.subarray(-4)));

    expect(answer.status).to.equal(201);
    expect(answer.body.data).to.include({ last_name: 'a\ufffd😀' });
  });

  it('may come byte by byte, and is refused above the limit all the same', async () => {
    const notes = 'n'.repeat(10_000);
    const bytes = Buffer.from(`{${PERSON},"last_name":"x","notes":"${notes}"}`);
    const single = (all: Buffer) => Array.from(all, (byte) => Buffer.of(byte));

    const answer = await exchange(aside.port, chunked(...single(bytes)));
    const large = await exchange(aside.port, chunked(Buffer.alloc(1024 * 1024 - 9, ' '), ...single(bytes)));

    expect(answer.status).to.equal(201);
    expect(answer.body.data).to.include({ notes });
    expect([large.status, large.body.code]).to.deep.equal([413, 'body_too_large']);
  });

  for (const encoding of ['gzip', 'deflate', 'br', 'zstd']) {
    it(`is refused with Content-Encoding ${encoding}`, async () => {
      const bytes = whole(`{${PERSON},"last_name":"x"}`, `Content-Encoding: ${encoding}\r\n`);

      expect(await message(bytes)).to.equal('Body is not valid JSON');
    });
  }

  for (const [what, body] of [
    ['no bytes', ''],
    ['white space', ' \r\n\t'],
    ['a byte order mark alone', '\ufeff'],
  ]) {
    it(`is empty with ${what}, in any content type`, async () => {
      expect(await message(whole(body ?? ''))).to.equal('Empty body');
      expect(await message(whole(body ?? '', '', 'text/plain'))).to.equal('Empty body');
    });
  }

  it('is empty as {} in any content type, and not JSON as [], null, 5 or in another content type', async () => {
    for (const text of ['{}', ' { } ']) {
      expect(await message(whole(text)), text).to.equal('Empty body');
      expect(await message(whole(text, '', 'text/plain')), text).to.equal('Empty body');
    }
    for (const text of ['[]', 'null', '5', '"a"', '{']) {
      expect(await message(whole(text)), text).to.equal('Body is not valid JSON');
    }
    expect(await message(whole(`{${PERSON}}`, '', 'text/plain'))).to.equal('Body is not valid JSON');
  });

  it('has a code of its own where it is JSON but no object', async () => {
    const code = async (text: string) => (await exchange(aside.port, whole(text))).body.code;

    for (const text of ['[]', '"a"', '5', 'null']) expect(await code(text), text).to.equal('body_not_object');
    for (const text of ['{', '[', 'a']) expect(await code(text), text).to.equal('body_not_json');
  });

  const CROWDED: [what: string, piece: (number: number) => string, ends: [string, string]][] = [
    ['15 MiB of empty arrays', () => '[]', ['{"notes":[', ']}']],
    ['15 MiB of nested arrays', () => '[[[[[[[[[[]]]]]]]]]]', ['{"notes":[', ']}']],
    ['a million names', (number) => `"a${number}":1`, ['{', '}']],
  ];
  /**
   * The answer, and how long nobody else was answered meanwhile: the least of three exchanges, since other programs may
   * hold one up.
   */
  const exchangeBeside = async (bytes: Buffer, tries = 3): Promise<{ answer: RawAnswer; lagMs: number }> => {
    const lag = monitorEventLoopDelay();
    lag.enable();
    const answer = await exchange(aside.port, bytes);
    lag.disable();
    const lagMs = lag.max / 1e6;
    return lagMs < LONGEST_LAG_MS || tries === 1 ? { answer, lagMs } : exchangeBeside(bytes, tries - 1);
  };
  for (const [what, piece, [start, end]] of CROWDED) {
    it(`is refused with ${what}, and nobody else waits`, async () => {
      const count = Math.min(1_000_000, Math.floor((15 * 1024 * 1024 - 100) / (piece(0).length + 1)));
      const text = `${start}${Array.from({ length: count }, (_, number) => piece(number)).join()}${end}`;
      const bytes = readdressed(whole(text), 'POST /v2/document');

      const { answer, lagMs } = await exchangeBeside(bytes);

      expect([answer.status, answer.body.code]).to.deep.equal([400, 'body_not_json']);
      expect(lagMs).to.be.below(LONGEST_LAG_MS);
    });
  }

  for (const [to, kind] of [
    ['POST /v2/contact', 'contactcommunication'],
    ['POST /v2/order/credit', 'orderline'],
  ] as const) {
    it(`is refused with 98,000 unknown names under ${kind}, and nobody else waits`, async () => {
      const child = `{${Array.from({ length: 98 }, (_, number) => `"a${number}":1`).join()}}`;
      const bytes = readdressed(whole(`{"${kind}":[${Array(1_000).fill(child).join()}]}`), to);

      const { answer, lagMs } = await exchangeBeside(bytes);

      const errors = answer.body.errors as { message: string }[];
      expect([answer.status, errors.length]).to.deep.equal([403, 101]);
      expect(errors[100]?.message).to.equal('[97900] more errors');
      expect(lagMs).to.be.below(LONGEST_LAG_MS);
    });
  }

  it('may be 32 levels deep', async () => {
    const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

    expect(await message(whole(nested(32)))).to.equal('Field: [a] not found in model');
    expect(await message(whole(nested(33)))).to.equal('Body is not valid JSON');
  });

  it('is refused above the limit, also without a Content-Length', async () => {
    const mebibyte = Buffer.alloc(1024 * 1024, ' ');

    const answer = await exchange(aside.port, chunked(mebibyte, Buffer.from('{}')));

    expect([answer.status, answer.body.message]).to.deep.equal([413, 'Body is larger than [1048576] bytes']);
  });

  it('is refused above the limit also where it is not needed, as the OpenAPI document says', async () => {
    const bytes = readdressed(whole(' '.repeat(2 * 1024 * 1024)), 'GET /v2/model/order');

    const answer = await exchange(aside.port, bytes);
    witness('GET', '/v2/model/order', answer);

    expect([answer.status, answer.body.code]).to.deep.equal([413, 'body_too_large']);
  });

  it('is refused with __proto__ as an unknown field', async () => {
    expect(await message(whole('{"__proto__":{"a":1}}'))).to.equal('Field: [__proto__] not found in model');
  });

  const logOut = (one: Client) => one.get('/authenticate/logout');
  const demote = async ({ garage: { owner } }: Client) => {
    const sql = 'UPDATE employees SET role_kind = ? WHERE owner_id = ?';
    await execute(database(), sql, [LISTS.rolekinds.READONLY, owner]);
    theService().service.services.tokens.forgetAll();
  };
  for (const [what, act, refusal] of [
    ['the token ends', logOut, [401, 'not_authorized']],
    ['the user loses the role', demote, [403, 'role_forbids']],
  ] as const) {
    it(`is not carried out if ${what} before all of it is there`, async () => {
      const caller = await newClient();
      const bytes = whole(`{${PERSON},"last_name":"x"}`).toString();
      const own = bytes.replace(client.garage.token, caller.garage.token);
      // The service then knows the token, and judges it as soon as it has the head.
      await caller.get('/contact');
      const judged = once(aside.server, 'request');
      const connection = new RawConnection(aside.port).send(own.slice(0, -1));
      await judged;

      await act(caller);
      const [answer] = await connection.send(own.slice(-1)).end();

      expect([answer?.status, answer?.body.code]).to.deep.equal(refusal);
    });
  }

  it('is logged as 400, not as an error, if the upload breaks off', async () => {
    const before = aside.lines.length;
    const connection = new RawConnection(aside.port).send(`${head(CHUNKED)}5\r\n{"a":`);
    connection.socket.destroySoon();

    await until(async () => aside.lines.length > before);

    expect(aside.lines.slice(before).map(({ level, status }) => [level, status])).to.deep.equal([[30, 400]]);
  });
});
