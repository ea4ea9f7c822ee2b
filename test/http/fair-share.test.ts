// One owner's long queries and large answers keep nobody else waiting.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from 'mysql2/promise';
import { createConnection } from 'mysql2/promise';
import { createFinder } from '../../src/core/model/lists/find.ts';
import type { Database } from '../../src/core/model/statements/session.ts';
import { connectDatabase } from '../../src/platform/database/connect.ts';
import { build } from '../support/build/build.ts';
import { type Client, clientOf } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { select } from '../support/database/sql.ts';
import { type Aside, openAside } from '../support/service/second-service.ts';
import { makeGarage, theService } from '../support/service/service.ts';
import { until } from '../support/service/until.ts';

describe('a list that takes long', () => {
  let aside: Aside;
  let database: Database;
  let holder: Connection;
  let slow: Client;
  let other: Client;
  const base = () => theService().base;

  before(async () => {
    database = connectDatabase(base().connection, base().storage.files, { querySeconds: 1 });
    aside = await openAside({ services: { database, finder: createFinder(database) } });
    holder = await createConnection(base().connection);
    slow = clientOf(await makeGarage());
    other = clientOf(await makeGarage());
  });
  afterEach(() => holder.query('UNLOCK TABLES'));
  after(async () => {
    await holder.end();
    await aside.close();
    await database.close();
  });

  /** Lists of contacts wait for this lock, as they would wait for a server that is busy with them. */
  const lock = () => holder.query('LOCK TABLES contacts WRITE');
  const url = (path: string) => `${aside.url}/v2${path}`;
  const waitingLists = (sort = '') =>
    select(
      base().database,
      'SELECT id FROM information_schema.processlist WHERE info LIKE ? AND id <> CONNECTION_ID()',
      [`select%from \`contacts\`%order by %${sort}%`],
    );

  it('is stopped after QUERY_SECONDS', async () => {
    await lock();

    const answer = await slow.get(url('/contact'));

    expect(answer.status).to.equal(503);
    expect(answer.body).to.include({ message: 'Request takes too long', code: 'request_too_slow' });
    // The lock stays, so only the stop ends the query.
    await until(async () => (await waitingLists()).length === 0);
  });

  it('is stopped after QUERY_SECONDS, and so is the look at the books before a journal', async () => {
    await holder.query('LOCK TABLES orderlines WRITE');
    const period = { from: '2026-01-01', to: '2026-12-31' };

    const answer = await slow.post(url('/export'), { resource: 'journal', ...period });

    expect(answer).to.be.refused(503, 'Request takes too long');
    expect((await slow.get(url('/job'))).data).to.deep.equal([]);
  });

  it('is stopped after QUERY_SECONDS, as the read of a single record is', async () => {
    const { id } = await build(slow, 'contact');
    await lock();

    for (const path of [`/contact/${id}`, `/contact/${id}?fields=city`, `/contact/${id}?expand=country`]) {
      const answer = await slow.get(url(path));

      expect(answer, path).to.be.refused(503, 'Request takes too long');
      expect(answer.headers.get('retry-after')).to.equal('1');
    }
  });

  it('is stopped when its caller disconnects', async () => {
    const patient = connectDatabase(base().connection, base().storage.files, { querySeconds: 600 });
    const own = await openAside({ services: { database: patient, finder: createFinder(patient) } });
    await lock();
    const leaving = new AbortController();
    const asked = fetch(`${own.url}/v2/contact?sort=city`, {
      headers: { token: slow.garage.token },
      signal: leaving.signal,
    }).catch(() => 'left');
    await until(async () => (await waitingLists('city')).length === 1);

    leaving.abort();

    expect(await asked).to.equal('left');
    await until(async () => (await waitingLists('city')).length === 0);
    await until(async () => own.lines.some(({ status }) => status === 499));
    await own.close();
    await patient.close();
  });

  it('leaves connections to other owners, however many of them wait', async () => {
    await lock();
    const waiting = Array.from({ length: 40 }, () => slow.get(url('/contact')));
    await until(async () => (await waitingLists()).length > 0);

    const answers = await Promise.all(Array.from({ length: 5 }, () => other.get(url('/vehicle'))));

    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200, 200]);
    expect((await waitingLists()).length).to.be.within(1, 5);
    await holder.query('UNLOCK TABLES');
    const statuses = (await Promise.all(waiting)).map(({ status }) => status);
    expect(statuses.every((status) => status === 200 || status === 503)).to.equal(true);
  });

  it('leaves connections to single records, however many owners wait', async () => {
    const patient = connectDatabase(base().connection, base().storage.files, { querySeconds: 600 });
    const own = await openAside({ services: { database: patient, finder: createFinder(patient) } });
    const { id } = await build(other, 'turnovergroup');
    const garages = await Promise.all([1, 2, 3].map(async () => clientOf(await makeGarage())));
    await lock();
    const list = `${own.url}/v2/contact`;
    const lists = garages.flatMap((one) => Array.from({ length: 6 }, () => one.get(list)));
    await until(async () => {
      const { used, waiting } = patient.connections();
      return used >= 12 && waiting >= 3;
    });

    const answer = await other.get(`${own.url}/v2/turnovergroup/${id}`);

    expect(answer.status, answer.text).to.equal(200);
    await holder.query('UNLOCK TABLES');
    expect(new Set((await Promise.all(lists)).map(({ status }) => status))).to.deep.equal(new Set([200]));
    await own.close();
    await patient.close();
  });
});

describe('a list with many records beside its own', () => {
  let client: Client;
  const LINES = 1_000;
  const ORDERS = 21;

  before(async function () {
    this.timeout(60_000);
    client = clientOf(await makeGarage());
    const { database } = theService().base;
    const { data: contact } = await client.post('/contact', {
      contact_kind: 1,
      last_name: 'A',
      country_id: 1,
    });
    const order = { order_type: 1, order_date: '2026-01-01', contact_id: contact.id };
    for (let index = 0; index < ORDERS; index += 1) {
      const { data } = await client.post('/order', order);
      const lines = Array.from({ length: LINES }, (_, place) => ({
        owner_id: client.garage.owner,
        order_id: data.id,
        sort_order: place,
        line_kind: 1,
        description: `Line ${place}`,
        quantity: '1.0000',
        price: '1.0000',
        vat_code: 1,
        created_at: '2026-01-01',
        modified_at: '2026-01-01',
      }));
      await database.knex('orderlines').insert(lines);
    }
  });

  it('is refused above 20,000 of them', async () => {
    const answer = await client.get('/order?expand=orderline');

    expect(answer).to.be.refused(
      400,
      'Parameter invalid [expand] more than [20000] records, ask for a smaller page',
    );
  });

  it('shows 20,000 of them, in chunks', async () => {
    const answer = await client.get('/order?expand=orderline&page_size=20');

    expect(answer.status).to.equal(200);
    expect(answer.headers.get('transfer-encoding')).to.equal('chunked');
    expect(answer.data.map(({ orderline }: { orderline: unknown[] }) => orderline.length)).to.deep.equal(
      Array(20).fill(LINES),
    );
    expect(answer.body.has_more).to.equal(true);
  });

  it('answers HEAD without a body', async () => {
    const answer = await client.request('HEAD', '/order?expand=orderline&page_size=20');

    expect([answer.status, answer.text]).to.deep.equal([200, '']);
  });

  async function leaveInTheMiddle(): Promise<void> {
    const leaving = new AbortController();
    const response = await fetch(`${theService().url}/v2/order?expand=orderline&page_size=20`, {
      headers: { token: client.garage.token },
      signal: leaving.signal,
    });
    await response.body?.getReader().read();
    leaving.abort();
  }

  it('gives its connections back where callers leave in the middle', async () => {
    // As many as the share of an owner has.
    for (let left = 0; left < 5; left += 1) await leaveInTheMiddle();

    await until(async () => {
      await sleep(10);
      const answers = await Promise.all(Array.from({ length: 8 }, () => client.get('/order?page_size=1')));
      return answers.every(({ status }) => status === 200);
    });
  });
});
