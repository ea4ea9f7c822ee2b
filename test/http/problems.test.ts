// Unforeseen errors: the caller gets the right status, and no detail.
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { createConnection } from 'mysql2/promise';
import pino from 'pino';
import { headers } from '../../src/http/middleware/headers.ts';
import { observe } from '../../src/http/middleware/observe.ts';
import { problems } from '../../src/http/middleware/problems.ts';
import { send } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';

describe('an unforeseen error', () => {
  /** The answer to a request whose handling fails in that way. */
  async function answerTo(fail: () => Promise<unknown>) {
    const log = pino({ level: 'silent' });
    const app = new Koa();
    app.silent = true;
    app.use(observe(log, () => {}));
    app.use(headers({ isHttps: false, isShared: false }));
    app.use(problems(log));
    app.use(async () => void (await fail()));
    const server = createServer(app.callback()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      return await send('GET', `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    } finally {
      server.close();
    }
  }

  it('is 507 if the disk is full', async () => {
    const answer = await answerTo(() => writeFile('/dev/full', 'x'));

    expect(answer).to.be.refused(507, 'No space left on the disk');
  });

  it('is 503 if the database is away', async () => {
    const answer = await answerTo(() =>
      createConnection({ socketPath: '/nowhere/mysql.sock', user: 'root' }),
    );

    expect(answer).to.be.refused(503, 'Service temporarily unavailable');
    expect(answer.headers.get('retry-after')).to.equal('1');
  });

  it('is 500 in any other case', async () => {
    const answer = await answerTo(() => writeFile('/nowhere/secret', 'x'));

    expect(answer).to.be.refused(500, 'Internal server error');
    expect(answer.text).not.to.match(/nowhere|ENOENT/);
  });
});
