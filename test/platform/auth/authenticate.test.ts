// Tokens, the throttle of logins, and what stays out of the log.
import { createHash } from 'node:crypto';
import { createApp } from '../../../src/app.ts';
import { revokeKey } from '../../../src/platform/auth/key.ts';
import { Tokens } from '../../../src/platform/auth/token.ts';
import { follow, latest } from '../../support/client/changes.ts';
import { type Client, clientOf, newClient, send } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { execute, select } from '../../support/database/sql.ts';
import { database, makeGarage, PASSWORD, theService } from '../../support/service/service.ts';
import { until } from '../../support/service/until.ts';

describe('authentication', () => {
  let client: Client;
  const clearFailures = () => execute(database(), 'DELETE FROM login_failures', []);
  beforeEach(async () => {
    client = await newClient();
    await clearFailures();
  });
  after(clearFailures);

  const login = (changes: Record<string, string> = {}) => {
    const { apiKey: api_key, username } = client.garage;
    return send(
      'GET',
      `/authenticate?${new URLSearchParams({ api_key, username, password: PASSWORD, ...changes })}`,
    );
  };

  it('gives a token for 30 minutes, by GET and by POST', async () => {
    const { apiKey: api_key, username } = client.garage;
    const body = JSON.stringify({ api_key, username: username.toUpperCase(), password: PASSWORD });
    const posted = await send('POST', '/authenticate', {
      body,
      headers: { 'content-type': 'application/json' },
    });
    const got = await login({ organization_name: 'garage TEST' });

    for (const { body: answer } of [posted, got]) {
      expect(answer).to.have.all.keys('token', 'expires_at');
      expect(Date.parse(answer.expires_at) - Date.now()).to.be.within(29 * 60_000, 30 * 60_000);
      expect((await send('GET', '/owner', { headers: { token: answer.token } })).status).to.equal(200);
    }
  });

  it('is no change of the employee, whether the login succeeds or fails', async () => {
    const start = await latest(client);
    const [{ id }] = (await client.get(`/employee?filter=username:${client.garage.username}`)).data;
    const before = await client.get(`/employee/${id}`);

    const refused = await login({ password: 'wrong wrong wrong' });
    const taken = await login();
    await send('GET', '/authenticate/logout', { headers: { token: taken.body.token } });

    const after = await client.get(`/employee/${id}`);
    expect([refused.status, taken.status]).to.deep.equal([401, 200]);
    expect(after.data).to.deep.equal({ ...before.data, last_login_at: after.data.last_login_at });
    expect(after.data.last_login_at).not.to.equal(before.data.last_login_at);
    expect(after.headers.get('etag')).to.equal(before.headers.get('etag'));
    expect(await follow(client, start)).to.deep.equal([]);
    expect((await client.get('/audit?filter=action:updated&count=1')).body.total).to.equal(0);
  });

  it('gives the same refusal for each wrong credential', async () => {
    const wrong = {
      api_key: '00000000-0000-4000-8000-000000000000',
      username: 'nobody',
      password: 'x'.repeat(12),
      organization_name: 'Other',
    };

    for (const [name, value] of Object.entries(wrong)) {
      expect(await login({ [name]: value })).to.be.refused(401, 'Not authorized');
    }
    expect(await login({ username: '', api_key: '' })).to.be.refused(
      400,
      'These parameter(s): [api_key, username] are required',
    );
  });

  it('stores tokens and keys as hashes only', async () => {
    const { body } = await login();

    const rows = await select(database(), 'SELECT * FROM tokens', []);
    const keys = await select(database(), 'SELECT * FROM api_keys', []);

    expect(JSON.stringify(rows)).not.to.include(body.token);
    expect(JSON.stringify(keys))
      .not.to.include(client.garage.apiKey)
      .and.not.to.include(client.garage.webhookSecret);
  });

  it('reads a token once for requests of the same moment, and anew when tokens may have ended', async () => {
    const tokens = new Tokens(database());
    const { token } = client.garage;

    const [first, second] = await Promise.all([tokens.find(token), tokens.find(token)]);
    tokens.forgetAll();
    const before = tokens.find(token);
    tokens.forgetAll();
    const after = tokens.find(token);

    expect(first).to.include({ owner: client.garage.owner });
    expect(second, 'the same reading').to.equal(first);
    expect(await after, 'a reading of its own').not.to.equal(await before);
  });

  it('ends a token at once in this process, and within a second in others', async () => {
    const elsewhere = new Tokens(database());
    await elsewhere.find(client.garage.token);

    expect((await client.get('/authenticate/logout')).body).to.include({ successCode: 200 });

    expect(await client.get('/order')).to.be.refused(401, 'Not authorized');
    expect((await client.get('/authenticate/logout')).body).to.deep.equal({
      successCode: 200,
      message: 'Not authorized',
    });
    await until(async () => (await elsewhere.find(client.garage.token)) === undefined, 1_500);
  });

  for (const field of ['is_blocked', 'is_archived']) {
    it(`ends the tokens of an employee whose ${field} is set`, async () => {
      const colleague = clientOf(await makeGarage({ owner: client.garage.owner }));
      const found = await client.get(`/employee?filter=username:${colleague.garage.username}`);

      await client.put(`/employee/${found.data[0].id}`, { [field]: 1 });
      expect(await colleague.get('/order')).to.be.refused(401, 'Not authorized');

      await client.put(`/employee/${found.data[0].id}`, { [field]: 0 });
      expect(await colleague.get('/order')).to.be.refused(401, 'Not authorized');
    });
  }

  it('refuses a token that ends later than any token can: a clock ran ahead', async () => {
    const { body } = await login();
    const later = (minutes: number) =>
      execute(
        database(),
        'UPDATE tokens SET expires_at = UTC_TIMESTAMP(3) + INTERVAL ? MINUTE WHERE token_hash = ?',
        [minutes, createHash('sha256').update(String(body.token)).digest('hex')],
      );
    const ask = () => client.get('/owner', { token: String(body.token) });

    await later(32);
    const refused = await ask();
    await later(30);
    const accepted = await until(async () => (await ask()).status === 200);

    expect(refused).to.be.refused(401, 'Not authorized');
    expect(accepted).to.equal(true);
  });

  it('ends the tokens of a key that is revoked', async () => {
    const [key] = await select(database(), 'SELECT MAX(id) AS id FROM api_keys', []);

    await revokeKey(database(), Number(key?.id));

    await until(async () => (await client.get('/order')).status === 401, 1_500);
    expect(await login()).to.be.refused(401, 'Not authorized');
  });

  it('refuses a username after five failures, also with the right password', async () => {
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      expect(await login({ password: 'wrong wrong wrong' })).to.be.refused(401, 'Not authorized');
    }

    const answer = await login();

    expect(answer).to.be.refused(429, 'Too many attempts');
    expect(Number(answer.headers.get('retry-after'))).to.be.within(1, 900);
  });

  it('refuses an address after twenty failures', async () => {
    for (let attempt = 1; attempt <= 20; attempt += 1)
      await login({ username: `guess${attempt}`, password: 'wrong' });

    expect(await login({ username: 'another' })).to.be.refused(429, 'Too many attempts');
  });

  it('neither gives nor ends a token for HEAD', async () => {
    for (const path of ['/authenticate', '/authenticate/logout'])
      expect((await client.request('HEAD', path)).status).to.equal(400);

    expect((await client.request('HEAD', '/order')).status).to.equal(200);
  });

  it('never writes a password or a token to the log', async () => {
    const lines: string[] = [];
    const { services } = theService().service;
    const write = (line: object) => lines.push(JSON.stringify(line));
    const log = { info: write, warn: write, error: write };
    const server = createApp({ ...services, log: log as unknown as typeof services.log }).listen(0);
    const { port } = server.address() as { port: number };
    const { apiKey, username, token } = client.garage;

    await fetch(
      `http://127.0.0.1:${port}/v2/authenticate?api_key=${apiKey}&username=${username}&password=secret-word`,
    );
    await fetch(`http://127.0.0.1:${port}/v2/order`, { headers: { token } });
    server.close();

    expect(lines).to.have.length(2);
    for (const secret of [apiKey, 'secret-word', token]) expect(lines.join()).not.to.include(secret);
  });
});
