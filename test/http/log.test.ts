// The log: one line for each request with what an operator needs, and nothing that gives access.

import { createLog } from '../../src/platform/log.ts';
import { build } from '../support/build/build.ts';
import { type Client, newClient, send } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { waitingFor } from '../support/database/at-once.ts';
import { select } from '../support/database/sql.ts';
import { type Aside, openAside } from '../support/service/second-service.ts';
import { database, PASSWORD, testConfig } from '../support/service/service.ts';
import { until } from '../support/service/until.ts';

const LONGER_THAN_SLOW_MS = 600;

describe('the log', () => {
  let client: Client;
  let aside: Aside;
  before(async () => {
    client = await newClient();
  });
  beforeEach(async () => {
    aside = await openAside();
  });
  afterEach(() => aside.close());

  /** The log lines of requests, once there are `count` of them. */
  const lines = (count: number) => until(async () => aside.lines.length >= count && [...aside.lines]);

  it('has one line for each request: ID, owner, route, status and milliseconds', async () => {
    const { token, owner } = client.garage;

    await send('GET', `${aside.url}/v2/order/123?fields=id`, {
      headers: { token, 'x-request-id': 'shop-7' },
    });
    await send('GET', `${aside.url}/v2/nowhere`);
    await send('GET', `${aside.url}/health/live`);

    const [one, nowhere, live, ...more] = await lines(3);
    const keys = ['level', 'time', 'request_id', 'owner', 'route', 'status', 'ms', 'msg'];
    expect(one).to.have.all.keys(...keys, 'code', 'field');
    expect(one).to.include({ level: 30, request_id: 'shop-7', owner, route: 'GET /order', status: 404 });
    expect(one?.ms).to.be.a('number');
    expect(nowhere).to.include({ route: 'unknown', status: 400 }).and.not.have.property('owner');
    expect(live).to.include({ route: 'GET /health/live', status: 200 });
    expect(more).to.deep.equal([]);
  });

  it('has the code and the field of a refusal, and never a value', async () => {
    const headers = { token: client.garage.token, 'content-type': 'application/json' };
    const body = JSON.stringify({ contact_kind: 'a secret value', country_id: 1 });
    const long = JSON.stringify({ ['x'.repeat(500)]: 'a secret value' });

    await send('POST', `${aside.url}/v2/contact`, { headers, body });
    await send('POST', `${aside.url}/v2/contact`, { headers, body: long });
    await send('POST', `${aside.url}/v2/contact`, { headers, body: '[]' });
    await send('GET', `${aside.url}/health/live`);

    const [wrong, unknown, array, good] = await lines(4);
    expect(wrong).to.include({ status: 403, code: 'value_wrong_type', field: 'contact_kind' });
    expect(unknown).to.include({ status: 403, code: 'field_unknown', field: 'x'.repeat(100) });
    expect(array).to.include({ status: 400, code: 'body_not_object' }).and.not.have.property('field');
    expect(good).to.not.have.any.keys('code', 'field');
    expect(JSON.stringify(aside.lines)).not.to.include('a secret value');
  });

  it('contains no token, no password and no query', async () => {
    const { token, apiKey: api_key, username } = client.garage;
    const credentials = { api_key, username, password: PASSWORD };
    const body = JSON.stringify(credentials);
    const headers = { 'content-type': 'application/json' };

    const { body: issued } = await send(
      'GET',
      `${aside.url}/v2/authenticate?${new URLSearchParams(credentials)}`,
    );
    await send('POST', `${aside.url}/v2/authenticate`, { body, headers });
    await send('POST', `${aside.url}/v2/authenticate`, { body: body.slice(1), headers });
    await send(
      'GET',
      `${aside.url}/v2/authenticate?${new URLSearchParams({ ...credentials, [PASSWORD]: '' })}`,
    );
    await send('GET', `${aside.url}/v2/order?${PASSWORD}&${PASSWORD}`, { headers: { token } });
    await send('GET', `${aside.url}/v2/order?token=${token}`, { headers: { token } });
    await send('GET', `${aside.url}/password-reset?token=${token}`);
    await send('GET', `${aside.url}/files/${token}?signature=${token}`);

    const text = JSON.stringify(await lines(7));
    for (const secret of [token, issued.token, api_key, PASSWORD, encodeURIComponent(PASSWORD), username])
      expect(text, secret).not.to.include(secret);
  });

  it('has the details of an unforeseen error, under the request ID of the answer', async () => {
    const rename = (from: string, to: string) => database().knex.schema.renameTable(from, to);
    await rename('addresses', 'addresses_away');

    const path = '/v2/contact/checkaddress?postcode=3511%20AB&huisnummer=12&country_id=1';
    const { status, body } = await send('GET', `${aside.url}${path}`, {
      headers: { token: client.garage.token },
    }).finally(() => rename('addresses_away', 'addresses'));

    const [error, request] = await lines(2);
    expect([status, request?.status, error?.level]).to.deep.equal([500, 500, 50]);
    expect([error?.request_id, request?.request_id]).to.deep.equal([body.request_id, body.request_id]);
    expect(error).to.include({ method: 'GET', path: '/v2/contact/checkaddress' });
    expect(JSON.stringify(error)).to.include("addresses' doesn't exist").and.not.include('3511');
  });

  it('has no value that a message of the database quotes', async () => {
    const value = "O'Brien' for key 'x";
    const log = createLog(testConfig('', { LOG_LEVEL: 'info' }), {
      write: (line) => void logged.push(line),
    });
    const logged: string[] = [];
    const insert = () =>
      database().knex('counters').insert({ owner_id: client.garage.owner, name: value, value: 1 });
    const convert = () => database().knex('counters').insert({ owner_id: value, name: 'x', value: 1 });
    const statements = [insert, insert, convert];

    for (const statement of statements) {
      const error = await statement().then(
        () => undefined,
        (caught: Error) => caught,
      );
      // An error loses its properties between threads.
      if (error) for (const err of [error, new Error(error.message)]) log.error({ err }, 'failed');
    }

    expect(logged).to.have.length(4);
    expect(logged.join('')).to.include("Duplicate entry '…' for key").and.not.include('Brien');
  });

  it('warns about a request over 500 ms, and names its route', async () => {
    const { id } = await build(client, 'turnovergroup');
    const url = `${aside.url}/v2/turnovergroup/${id}`;
    const headers = { token: client.garage.token, 'content-type': 'application/json' };

    const slow = await database().transaction(async (session) => {
      await select(session, 'SELECT id FROM turnovergroups WHERE id = ? FOR UPDATE', [id]);
      const sent = send('PUT', url, { body: '{"name": "late"}', headers });
      await until(async () => (await waitingFor('turnovergroups')) > 0);
      const began = performance.now();
      await until(async () => performance.now() - began > LONGER_THAN_SLOW_MS);
      return { sent };
    });
    const { status } = await slow.sent;
    await send('GET', url, { headers });

    const [warning, quick] = await lines(2);
    expect(status).to.equal(200);
    expect(warning).to.include({
      level: 40,
      route: 'PUT /turnovergroup',
      msg: 'slow request: PUT /turnovergroup',
    });
    expect(Number(warning?.ms)).to.be.above(500);
    expect(quick).to.include({ level: 30, route: 'GET /turnovergroup' });
  });
});
