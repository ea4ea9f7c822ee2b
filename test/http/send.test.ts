// Answers in chunks, sent by a Koa application of their own.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { send } from '../../src/http/server/send.ts';
import { expect } from '../support/client/expect.ts';
import { until } from '../support/service/until.ts';

const CHUNK = Buffer.alloc(2048, ' ');

/** Serves an answer of these chunks, which get the end of the connection. */
async function serve(chunks: (left: Promise<unknown>) => AsyncGenerator<Buffer>) {
  const app = new Koa({ env: 'test' });
  app.silent = true;
  app.use((ctx) => {
    ctx.state.headers = { Vary: 'Accept-Encoding' };
    return send(ctx, { status: 200, body: chunks(once(ctx.res, 'close')) });
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

describe('an answer in chunks', () => {
  for (const encoding of ['identity', 'gzip'])
    it(`ends its chunks where the caller leaves before the first of them is sent (${encoding})`, async () => {
      const leaving = new AbortController();
      let ended = false;
      const { server, url } = await serve(async function* (left) {
        try {
          yield CHUNK;
          leaving.abort();
          await left;
          yield CHUNK;
          yield CHUNK;
        } finally {
          ended = true;
        }
      });

      const headers = { 'accept-encoding': encoding };
      const asked = fetch(url, { headers, signal: leaving.signal }).catch(() => 'left');

      expect(await asked).to.equal('left');
      await until(async () => ended);
      server.close();
    });
});
