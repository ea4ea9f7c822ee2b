// Behind a proxy, the caller is the last address of X-Forwarded-For, if TRUST_PROXY says so.

import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from '../../src/app.ts';
import { send } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { execute } from '../support/database/sql.ts';
import { database, theService } from '../support/service/service.ts';

const GUESSES = 20;

describe('failed logins behind a proxy', () => {
  let server: Server;
  const clearFailures = () => execute(database(), 'DELETE FROM login_failures', []);
  beforeEach(clearFailures);
  afterEach(async () => {
    server.close();
    await clearFailures();
  });

  it('count for the address that the proxy saw, whatever the caller claims', async () => {
    const guess = await serve({ trustProxy: true });
    for (let i = 0; i < GUESSES; i += 1) await guess(`user${i}`, `203.0.113.${i}, 198.51.100.7`);

    const same = await guess('one-more', '203.0.113.99, 198.51.100.7');
    const other = await guess('one-more', '203.0.113.99, 198.51.100.8');

    expect(same).to.be.refused(429, 'Too many attempts');
    expect(other).to.be.refused(401, 'Not authorized');
  });

  it('count for the address of the connection if no proxy is trusted', async () => {
    const guess = await serve({ trustProxy: false });
    for (let i = 0; i < GUESSES; i += 1) await guess(`user${i}`, `203.0.113.${i}`);

    const answer = await guess('one-more', '203.0.113.99');

    expect(answer).to.be.refused(429, 'Too many attempts');
  });

  for (const [form, of] of [
    ['IPv4', (port: number) => `198.51.100.7:${port}`],
    ['IPv6', (port: number) => `[2001:db8::7]:${port}`],
  ] as const)
    it(`count for an ${form} address whose port the proxy adds`, async () => {
      const guess = await serve({ trustProxy: true });
      for (let i = 0; i < GUESSES; i += 1) await guess(`user${i}`, of(50_000 + i));

      const answer = await guess('one-more', of(60_000));

      expect(answer).to.be.refused(429, 'Too many attempts');
    });

  async function serve(changes: { trustProxy: boolean }) {
    const { services } = theService().service;
    server = createApp({ ...services, config: { ...services.config, ...changes } }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return (username: string, forwardedFor: string) =>
      send('POST', `http://127.0.0.1:${port}/v2/authenticate`, {
        body: JSON.stringify({ api_key: 'none', username, password: 'wrong' }),
        headers: { 'content-type': 'application/json', 'x-forwarded-for': forwardedFor },
      });
  }
});
