// The specification's section on authentication: its five rules, its endpoints, and how long a token lives.
import { createHash } from 'node:crypto';
import { type Client, newClient, send } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { execute } from '../support/database/sql.ts';
import { database } from '../support/service/service.ts';
import { until } from '../support/service/until.ts';
import { clearFailures, login } from './login.ts';
import { row, says } from './row.ts';

const HALF_AN_HOUR = 30 * 60_000;

describe('specification: authentication', () => {
  let client: Client;
  before(async () => {
    client = await newClient();
    await clearFailures();
  });
  after(clearFailures);

  const use = (token: string) => send('GET', '/order', { headers: { token } });

  row('Authentication', 1, async () => {
    const limited = await newClient({ allow: ['GET /order'] });
    const { token } = (await login(limited.garage, { organization_name: '' })).body;

    for (const name of ['api_key', 'username', 'password']) {
      const answer = await login(client.garage, { [name]: '' });
      expect(answer).to.be.refused(...says('GET multiple records', 'Required parameters missing', name));
    }
    expect((await use(token)).status).to.equal(200);
    expect((await send('GET', '/vehicle', { headers: { token } })).status, 'filtered by the key').to.equal(
      403,
    );
  });

  row('Authentication', 2, async () => {
    const tokens = new Set<string>();

    for (let time = 1; time <= 3; time += 1) tokens.add((await login(client.garage)).body.token);

    expect(tokens.size).to.equal(3);
  });

  row('Authentication', 3, async () => {
    const { token } = (await login(client.garage)).body;

    expect((await use(token)).status).to.equal(200);
    const others: Record<string, string>[] = [
      {},
      { authorization: `Bearer ${token}` },
      { token: `${token}x` },
    ];
    for (const headers of others) {
      expect(await send('GET', '/order', { headers })).to.be.refused(401, 'Not authorized');
    }
  });

  row('Authentication', 4, async () => {
    const { token } = (await login(client.garage)).body;
    expect((await use(token)).status).to.equal(200);

    await execute(
      database(),
      'UPDATE tokens SET issued_at = issued_at - INTERVAL 30 MINUTE, ' +
        'expires_at = expires_at - INTERVAL 30 MINUTE WHERE token_hash = ?',
      [createHash('sha256').update(token).digest('hex')],
    );

    await until(async () => (await use(token)).status === 401);
    expect(await use(token)).to.be.refused(401, 'Not authorized');
    expect((await use((await login(client.garage)).body.token)).status, 'a new one').to.equal(200);
  });

  row('Limits', 'Token validity', async () => {
    const asked = Date.now();
    const { token, expires_at } = (await login(client.garage)).body;
    await use(token);
    const answered = Date.now();

    const { data } = await send('GET', '/authenticate/fingerprint', { headers: { token } });

    expect(Date.parse(expires_at) - HALF_AN_HOUR).to.be.within(asked, answered);
    expect(Date.parse(data.expires_at) - Date.parse(data.issued_at)).to.equal(HALF_AN_HOUR);
    expect(data.expires_at, 'not prolonged by use').to.equal(expires_at);
  });

  row('Authentication', 5, async () => {
    for (const name of ['acces', 'component', 'modules', 'fingerprint']) {
      const answer = await client.get(`/authenticate/${name}`);

      expect(answer.status, name).to.equal(200);
      expect(answer.body, name).to.have.all.keys('successCode', 'data');
    }
  });

  row('Endpoints', 'GET | /authenticate', async () => {
    const answer = await login(client.garage, { organization_name: '' });

    expect(answer.status).to.equal(200);
    expect(answer.body.token).to.be.a('string').with.length.above(40);
  });

  row('Endpoints', 'GET | /authenticate/acces', async () => {
    const { data } = await client.get('/authenticate/acces');

    expect(data).to.deep.include({ method: 'POST', endpoint: '/backup/owner' });
  });

  row('Endpoints', 'GET | /authenticate/component', async () => {
    const { data } = await client.get('/authenticate/component');

    expect(data).to.deep.include({ name: 'owner', can_read: 1, can_add: 0, can_update: 1, can_delete: 0 });
  });

  row('Endpoints', 'GET | /authenticate/modules', async () => {
    const { data } = await client.get('/authenticate/modules');

    expect(data).to.have.all.keys('WORKSHOP', 'VEHICLE_SALES', 'VEHICLE_PURCHASE', 'DOCUMENTS', 'BACKUP');
  });

  row('Endpoints', 'GET | /authenticate/fingerprint', async () => {
    const { data } = await client.get('/authenticate/fingerprint');

    expect(data).to.include({ username: client.garage.username, owner_id: client.garage.owner });
    expect(data.fingerprint).not.to.equal(client.garage.token);
  });

  row('Endpoints', 'GET | /authenticate/logout', async () => {
    const { token } = (await login(client.garage)).body;

    const answer = await send('GET', '/authenticate/logout', { headers: { token } });

    expect(answer.status).to.equal(200);
    expect(await use(token)).to.be.refused(401, 'Not authorized');
  });

  row('Endpoints', 'POST | /authenticate/forgotpassword', async () => {
    const [known, unknown] = [await forgot(client.garage.username), await forgot('nobody at all')];

    expect(known.status).to.equal(200);
    expect(known.body).to.deep.equal(unknown.body);
  });

  const forgot = (username: string) => client.post('/authenticate/forgotpassword', { username });
});
