// Idempotency-Key: a POST that is sent again gets the first answer, and is not done again.

import { createHash } from 'node:crypto';
import { resourceNamed } from '../../src/core/model/records/registry.ts';
import { endpoints } from '../../src/http/endpoints/table.ts';
import { build, sampleBody } from '../support/build/build.ts';
import { type Client, clientOf, newClient, send } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { userOf } from '../support/client/garage-user.ts';
import { execute, select } from '../support/database/sql.ts';
import { database } from '../support/service/service.ts';

describe('Idempotency-Key', () => {
  let client: Client;
  let contact_id: number;
  before(async () => {
    client = await newClient();
    contact_id = (await build(client, 'contact')).id;
  });
  const order = () => ({ order_type: 1, order_date: '2026-05-01', contact_id });
  /** A USER of this garage with the same API key. */
  const colleague = async () => {
    const user = await userOf(client);
    const login = await user.login({ api_key: client.garage.apiKey });
    return { id: user.id, client: clientOf({ ...user.client.garage, token: login.body.token }) };
  };
  const count = async () => (await client.get('/order?count=1&page_size=1')).body.total;

  it('repeats the first answer', async () => {
    const first = await client.post('/order', order(), { 'idempotency-key': 'a-1' });
    const again = await client.post('/order', order(), { 'idempotency-key': 'a-1' });

    expect([first.status, again.status]).to.deep.equal([201, 201]);
    expect(again.body).to.deep.equal(first.body);
    expect(again.headers.get('location')).to.equal(first.headers.get('location'));
    expect([first, again].map(({ headers }) => headers.get('idempotent-replayed'))).to.deep.equal([
      null,
      'true',
    ]);
    expect(await count()).to.equal(1);
  });

  it('repeats the first answer also while it is repeated to another', async () => {
    const post = (more = {}) =>
      client.post('/order', { ...order(), ...more }, { 'idempotency-key': 'a-held' });
    const first = await post();

    const [again, other] = await database().transaction(async (session) => {
      await select(session, 'SELECT status FROM idempotency_keys WHERE idempotency_key = ? FOR UPDATE', [
        'a-held',
      ]);
      return [await post(), await post({ reference: 'x' })];
    });

    expect([again.status, again.body]).to.deep.equal([201, first.body]);
    expect(other).to.be.refused(422, 'Idempotency-Key was used with another request');
  });

  it('refuses another request with the same key', async () => {
    const before = await count();

    const answer = await client.post('/order', { ...order(), reference: 'x' }, { 'idempotency-key': 'a-1' });

    expect(answer).to.be.refused(422, 'Idempotency-Key was used with another request');
    expect(await count()).to.equal(before);
  });

  it('counts before the body of a request that becomes a job is judged', async () => {
    const ask = (webhook_url: string) =>
      client.post('/backup/owner', { webhook_url }, { 'idempotency-key': 'backup' });
    const first = await ask('https://receiver.example/done');

    expect(first.status).to.equal(202);
    expect(await ask('http://receiver.example/done')).to.be.refused(
      422,
      'Idempotency-Key was used with another request',
    );
    expect((await ask('https://receiver.example/done')).body).to.deep.equal(first.body);
  });

  it('makes one record for twenty simultaneous requests', async () => {
    const before = await count();

    const answers = await Promise.all(
      Array.from({ length: 20 }, () => client.post('/order', order(), { 'idempotency-key': 'at-once' })),
    );

    const made = answers.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ data }) => data.id)).size).to.equal(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(answer).to.be.refused(409, 'A request with this Idempotency-Key is in progress');
    }
    expect(await count()).to.equal(before + 1);
  });

  it('is free again after a refused request', async () => {
    const refused = await client.post(
      '/order',
      { ...order(), contact_id: 999_999 },
      { 'idempotency-key': 'b' },
    );
    const mended = await client.post('/order', order(), { 'idempotency-key': 'b' });

    expect([refused.status, mended.status]).to.deep.equal([404, 201]);
  });

  it('ends after 24 hours', async () => {
    const first = await client.post('/order', order(), { 'idempotency-key': 'old' });
    await execute(
      database(),
      "UPDATE idempotency_keys SET created_at = created_at - INTERVAL 25 HOUR WHERE idempotency_key = 'old'",
      [],
    );

    const later = await client.post('/order', order(), { 'idempotency-key': 'old' });

    expect(later.data.id).not.to.equal(first.data.id);
  });

  it('is separate for each owner and each POST', async () => {
    const other = await newClient();
    const body = await sampleBody(other, resourceNamed('turnovergroup'));

    const made = await Promise.all(
      [client, other].map((one) => one.post('/turnovergroup', body, { 'idempotency-key': 'same' })),
    );

    expect(made.map(({ status }) => status)).to.deep.equal([201, 201]);
    expect(made[0]?.data.id).not.to.equal(made[1]?.data.id);
  });

  it('is described for each POST with a token', async () => {
    const { paths, components } = (await send('GET', '/openapi.json')).body;
    const taking = Object.keys(paths).filter((path) =>
      paths[path].post?.parameters.some(({ $ref }: { $ref: string }) => $ref.endsWith('/Idempotency-Key')),
    );

    const withToken = endpoints().filter(({ methods: { POST } }) => POST && POST.needs !== 'nothing');
    expect(components.parameters['Idempotency-Key'].in).to.equal('header');
    expect(taking).to.have.members(withToken.map(({ path }) => path));
  });

  it('lets a test of a subscription, a redelivery and a reset link happen once', async () => {
    const { id } = await build(client, 'webhooksubscription');
    const twice = async (path: string, body: object) => {
      const send = () => client.post(path, body, { 'idempotency-key': `once ${path}`.replaceAll(' ', '') });
      const answers = [await send(), await send()];
      expect(answers[1]?.body, path).to.deep.equal(answers[0]?.body);
      expect(answers[1]?.headers.get('idempotent-replayed'), path).to.equal('true');
      return answers[0];
    };

    const test = await twice('/webhooksubscription/test', { id });
    await twice('/webhookdelivery/redeliver', { id: test?.data.id });
    await twice('/authenticate/forgotpassword', {});

    const deliveries = (await client.get(`/webhookdelivery?filter=subscription_id:${id}`)).data;
    expect(deliveries).to.have.length(1);
  });

  it('tells employees of one key apart who mean themselves', async () => {
    const { id, client: other } = await colleague();

    for (const path of ['/timeentry/start', '/timeentry/stop', '/authenticate/forgotpassword']) {
      const headers = { 'idempotency-key': `self${path}` };
      const first = await client.post(path, {}, headers);
      expect(first.status, first.text).to.be.lessThan(300);
      expect(await other.post(path, {}, headers)).to.be.refused(
        422,
        'Idempotency-Key was used with another request',
      );
      expect((await client.post(path, {}, headers)).text).to.equal(first.text);
    }
    const own = await other.post('/timeentry/start', {}, { 'idempotency-key': 'own' });
    expect(own.data).to.include({ employee_id: id });
  });

  it('gives the answer to an export only to who may read its resource', async () => {
    const { client: other } = await colleague();
    const ask = (caller: Client) =>
      caller.post('/export', { resource: 'webhooksubscription' }, { 'idempotency-key': 'export' });
    const first = await ask(client);

    const refused = await ask(other);
    const again = await ask(client);

    expect(first.status).to.equal(202);
    expect(refused).to.be.refused(403, 'Endpoint: [GET /webhooksubscription] is not allowed for this user');
    expect(again.body).to.deep.equal(first.body);
  });

  it('keeps nothing by which the password of a request could be guessed', async () => {
    const body = await sampleBody(client, resourceNamed('employee'), { password: 'twelve chars and more' });

    await client.post('/employee', body, { 'idempotency-key': 'employee' });

    const plain = createHash('sha256')
      .update(JSON.stringify(['POST', '/v2/employee', body]))
      .digest('hex');
    const [kept] = await select(
      database(),
      "SELECT request_hash FROM idempotency_keys WHERE idempotency_key = 'employee' AND owner_id = ?",
      [client.garage.owner],
    );
    expect(kept?.request_hash)
      .to.match(/^[0-9a-f]{64}$/)
      .and.not.equal(plain);
  });

  for (const key of ['', 'with space', 'é', 'x'.repeat(256)]) {
    it(`refuses the key "${key.slice(0, 10)}"`, async () => {
      const answer = await client.request('POST', '/order', {
        body: JSON.stringify(order()),
        headers: { 'content-type': 'application/json', 'idempotency-key': encodeHeader(key) },
      });

      expect(answer).to.be.refused(
        400,
        'Parameter invalid [Idempotency-Key] value must be 1 to 255 visible ASCII characters',
      );
    });
  }
});

/** fetch takes headers as latin-1 text. */
const encodeHeader = (text: string) => Buffer.from(text, 'utf8').toString('latin1');
