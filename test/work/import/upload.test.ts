// Uploads of imports: how many an owner has at once, and that an upload that stops or is refused leaves no bytes.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { revokeKey } from '../../../src/platform/auth/key.ts';
import { openFolder } from '../../../src/platform/storage/folder.ts';
import { type Client, newClient, send } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { endOf, sendImport } from '../../support/client/import.ts';
import { type RawAnswer, RawConnection } from '../../support/client/socket.ts';
import { openLosing } from '../../support/database/losing-proxy.ts';
import { execute, select } from '../../support/database/sql.ts';
import { openTestStorage } from '../../support/process/storages.ts';
import { openAside } from '../../support/service/second-service.ts';
import { database, inStorage, theService } from '../../support/service/service.ts';
import { until } from '../../support/service/until.ts';

const GOOD = 'contact_kind,last_name,country_id\n1,Jansen,1\n';
const LARGE = 256 * 1024 * 1024;
const LONGER_THAN_SLOW_MS = 600;
const MEBIBYTE = 1024 * 1024;
/** Seconds until a token expires in the midst of an upload. */
const SOON = 2;

const portOf = (url: string) => Number(new URL(url).port);
const uploads = () => readdir(inStorage('uploads'));

/** Begins an upload of 256 MiB, which sends `bytes` and then pauses. */
const begin = (port: number, token: string, bytes: string) =>
  new RawConnection(port).send(
    `POST /v2/import?resource=contact HTTP/1.1\r\nHost: localhost\r\ntoken: ${token}\r\n` +
      `Content-Type: text/csv\r\nContent-Length: ${LARGE}\r\n\r\n${bytes}`,
  );

/** Begins an upload of GOOD, which sends ten bytes and then pauses. */
const beginGood = (port: number, token: string) =>
  new RawConnection(port).send(
    `POST /v2/import?resource=contact HTTP/1.1\r\nHost: localhost\r\ntoken: ${token}\r\n` +
      `Content-Type: text/csv\r\nContent-Length: ${GOOD.length}\r\n\r\n${GOOD.slice(0, 10)}`,
  );

const block = async (owner: number) =>
  void (await execute(database(), 'UPDATE employees SET is_blocked = 1 WHERE owner_id = ?', [owner]));
const revoke = async (owner: number) => {
  const [row] = await select(database(), 'SELECT api_key_id FROM tokens WHERE owner_id = ?', [owner]);
  await revokeKey(database(), Number(row?.api_key_id));
};

const answerOf = ({ answers }: RawConnection): Promise<RawAnswer> =>
  until(async () => answers()[0] ?? false, 20_000);

describe('the upload of an import', () => {
  let client: Client;
  beforeEach(async () => {
    client = await newClient();
  });
  const beginHere = (bytes = GOOD, token = client.garage.token) =>
    begin(portOf(theService().url), token, bytes);

  it('that pauses is refused, and leaves nothing on the disk', async () => {
    const paused = beginHere();
    await until(async () => (await uploads()).length > 0);

    const { status, headers, body } = await answerOf(paused);

    expect([status, body.message]).to.deep.equal([408, 'Request took too long to arrive']);
    expect(headers.connection).to.equal('close');
    await until(async () => (await uploads()).length === 0);
    await paused.closed;
  });

  it('that takes its time is no slow request', async () => {
    /** Answers the line of the log. */
    const pausing = async () => {
      const aside = await openAside();
      const began = performance.now();
      const upload = beginGood(aside.port, client.garage.token);
      await until(async () => performance.now() - began > LONGER_THAN_SLOW_MS);

      upload.send(GOOD.slice(10));
      const { status } = await answerOf(upload);
      const line = await until(async () => aside.lines.find(({ route }) => route === 'POST /import'));
      upload.socket.destroy();
      await aside.close();
      expect(status).to.equal(202);
      return line;
    };

    let line = await pausing();
    // Other programs of a busy machine may hold one request up, and not each of them.
    for (let more = 0; line.level !== 30 && more < 2; more += 1) line = await pausing();

    expect(line).to.include({ level: 30, msg: 'request' });
    expect(line).to.have.property('waited_ms');
    await until(async () => (await uploads()).length === 0);
  });

  for (const [what, seconds, act, expected] of [
    ['is refused if its key is revoked meanwhile', 1_700, revoke, 401],
    ['may outlast its token', SOON, undefined, 202],
    ['is refused if it outlasts its token and its user is blocked', SOON, block, 401],
  ] as const) {
    it(what, async () => {
      const outlasting = async () => {
        const { owner, token } = client.garage;
        const isOver = () => until(async () => (await client.get('/contact')).status === 401);
        const sql = 'UPDATE tokens SET expires_at = UTC_TIMESTAMP(3) + INTERVAL ? SECOND WHERE owner_id = ?';
        await execute(database(), sql, [seconds, owner]);
        const upload = beginGood(portOf(theService().url), token);
        await until(async () => (await uploads()).length > 0);
        if (seconds === SOON) await isOver();
        await act?.(owner);
        await isOver();

        upload.send(GOOD.slice(10));
        const { status } = await answerOf(upload);
        upload.socket.destroy();
        await until(async () => (await uploads()).length === 0);
        return status;
      };

      let status = await outlasting();
      // A body may pause for five seconds, and a machine may be busy just then.
      for (let more = 0; status === 408 && more < 2; more += 1) {
        client = await newClient();
        status = await outlasting();
      }

      expect(status).to.equal(expected);
    });
  }

  it('that pauses or breaks off leaves no parts in a bucket', async () => {
    const opened = await openTestStorage('bucket');
    const aside = await openAside({ services: { storage: opened.storage } });
    const parts = () => opened.s3?.objects.uploads('') ?? Promise.resolve([]);
    const long = `${GOOD}${'x'.repeat(20 * MEBIBYTE)}`;
    try {
      const paused = begin(aside.port, client.garage.token, long);
      const broken = begin(aside.port, client.garage.token, long);
      await until(async () => (await parts()).length === 2);

      broken.socket.destroy();
      const { status } = await answerOf(paused);

      expect(status).to.equal(408);
      await until(async () => (await parts()).length === 0);
      const left = [];
      for await (const file of opened.storage.uploads.list()) left.push(file);
      expect(left).to.deep.equal([]);
    } finally {
      await aside.close();
      await opened.close();
    }
  });

  it('is one of two at once, and others are refused until one is over', async () => {
    const other = await newClient();
    const first = [beginHere(), beginHere()];
    await until(async () => (await uploads()).length === 2);

    const refused = await Promise.all(
      Array.from({ length: 20 }, () => sendImport(client, 'resource=contact', GOOD)),
    );
    const others = await sendImport(other, 'resource=contact', GOOD);
    first[0]?.socket.destroy();
    const next = await until(async () => {
      const answer = await sendImport(client, 'resource=contact', GOOD);
      return answer.status !== 429 && answer;
    });

    for (const answer of refused) {
      expect(answer).to.be.refused(429, 'Too many uploads');
      expect(Number(answer.headers.get('retry-after'))).to.be.above(0);
    }
    expect([others.status, next.status]).to.deep.equal([202, 202]);
    first[1]?.socket.destroy();
    for (const [who, answer] of [
      [client, next],
      [other, others],
    ] as const)
      await endOf(who, answer);
    await until(async () => (await uploads()).length === 0);
  });

  it('takes no place of the owner where it is refused', async () => {
    for (let n = 0; n < 5; n += 1) {
      expect((await sendImport(client, 'resource=contact', '')).status).to.equal(400);
      expect((await sendImport(client, 'resource=contact', GOOD, 'text/plain')).status).to.equal(415);
    }
    const held = { 'idempotency-key': `${'x'.repeat(300)}` };
    for (let n = 0; n < 5; n += 1)
      expect((await sendImport(client, 'resource=contact', GOOD, 'text/csv', held)).status).to.equal(400);

    expect((await sendImport(client, 'resource=contact', GOOD)).status).to.equal(202);
    await until(async () => (await uploads()).length === 0);
  });

  it('stays if the answer to the commit of its job is lost, and the job runs', async () => {
    const losing = await openLosing('insert into `jobs`');
    const aside = await openAside({ services: { database: losing.database } });
    const { token } = client.garage;

    const answer = await send('POST', `${aside.url}/v2/import?resource=contact`, {
      body: GOOD,
      headers: { token, 'content-type': 'text/csv' },
    });
    const [job] = (await client.get('/job')).data;
    const end = await endOf(client, { ...answer, data: { job_id: job.id } });
    await aside.close();
    await losing.close();

    expect([answer.status, losing.lost()]).to.deep.equal([503, 1]);
    expect([end.status, end.error]).to.deep.equal(['done', null]);
    await until(async () => (await uploads()).length === 0);
  });

  it('is refused while the disk has less than what is kept free', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'forecourt-small-'));
    const { storage } = theService().service.services;
    const uploads = openFolder(folder, Number.POSITIVE_INFINITY);
    const aside = await openAside({ services: { storage: { ...storage, uploads } } });
    const upload = begin(aside.port, client.garage.token, GOOD);
    try {
      const { status, body } = await answerOf(upload);

      expect([status, body.message]).to.deep.equal([507, 'No space left on the disk']);
      expect(await readdir(folder)).to.deep.equal([]);
    } finally {
      upload.socket.destroy();
      await aside.close();
      await rm(folder, { recursive: true });
    }
  });
});
