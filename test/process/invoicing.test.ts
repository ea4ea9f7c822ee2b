// Invoice numbers without gap or double while two processes share a database, rules refuse requests, and connections
// are killed.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Database } from '../../src/core/model/statements/session.ts';
import { LISTS } from '../../src/core/trade/lists.ts';
import { connectDatabase } from '../../src/platform/database/connect.ts';
import type { PrivateServer } from '../../src/platform/database/private-server.ts';
import { type Json, send } from '../support/client/client.ts';
import { NO_FILES } from '../support/database/no-files.ts';
import { joinServer } from '../support/database/private-server.ts';
import { select } from '../support/database/sql.ts';
import { cli, processEnvironment, type StartedProcess, startProcess } from '../support/process/process.ts';
import { PASSWORD } from '../support/service/service.ts';

const ORDERS = 50;
const CONNECTIONS = 4;

describe('two processes that invoice at once', () => {
  let folder: string;
  let services: StartedProcess[];
  let server: PrivateServer;
  let database: Database;
  let headers: Record<string, string>;

  before(async function () {
    this.timeout(120_000);
    folder = await mkdtemp(join(tmpdir(), 'forecourt-invoicing-'));
    const storage = join(folder, 'storage');
    const env = processEnvironment(storage, { JOB_THREADS: '0' });
    server = await joinServer(join(storage, 'database'));
    await cli(env, 'owner', 'create', '--name', 'Garage', '--demo');
    const { api_key } = await cli(env, 'key', 'create', '--party', 'tests');
    const who = ['--owner', '1', '--username', 'anna', '--password', PASSWORD, '--email', 'a@garage.example'];
    await cli(env, 'employee', 'create', ...who, '--role', 'ADMIN');
    services = [await startProcess(env), await startProcess(env)];
    database = connectDatabase(server.connection, NO_FILES);
    const body = JSON.stringify({ api_key, username: 'anna', password: PASSWORD });
    headers = { 'content-type': 'application/json' };
    const { body: answer } = await send('POST', `${services[0]?.url}/v2/authenticate`, { body, headers });
    headers = { ...headers, token: answer.token };
  });

  after(async function () {
    this.timeout(60_000);
    await database.close();
    await server.leave();
    for (const service of services) await service.kill('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  });

  const ask = async (method: string, path: string, body: Json, index = 0) =>
    send(method, `${services[index % services.length]?.url}/v2${path}`, {
      body: JSON.stringify(body),
      headers,
    });

  async function makeOrders(): Promise<number[]> {
    const address = {
      street: 'Lindelaan',
      huisnummer: 7,
      postcode: '3581 KL',
      city: 'Utrecht',
      country_id: 1,
    };
    const contact = await ask('POST', '/contact', { contact_kind: 1, last_name: 'de Boer', ...address });
    const ids: number[] = [];
    for (let index = 0; index < ORDERS; index += 1) {
      const order = {
        order_type: LISTS.ordertypes.WORKSHOP,
        order_date: '2026-05-01',
        contact_id: contact.data.id,
        ...(index === 1 ? { external_id: 'taken' } : {}),
      };
      const { data } = await ask('POST', '/order', order, index);
      const line = {
        order_id: data.id,
        line_kind: 1,
        description: 'Olie',
        quantity: 1,
        price: 10,
        vat_code: 1,
      };
      await ask('POST', '/orderline', line, index);
      ids.push(data.id);
    }
    return ids;
  }

  /** Ends connections that are in the middle of something, one after the other, until told to stop. */
  async function killConnections(isOver: () => boolean): Promise<number> {
    let killed = 0;
    while (!isOver()) {
      // Not from innodb_trx, which repeats old rows if it is asked often.
      const [busy] = await database
        .knex('information_schema.processlist')
        .select('id')
        .whereNot('command', 'Sleep')
        .whereRaw('id <> CONNECTION_ID() AND db = DATABASE()')
        .limit(1);
      if (busy)
        killed += await database.knex.raw('KILL ?', [busy.id]).then(
          () => 1,
          () => 0,
        );
    }
    return killed;
  }

  async function inParallel(
    ids: readonly number[],
    work: (id: number, index: number) => Promise<unknown>,
  ): Promise<void> {
    const left = ids.map((id, index) => [id, index] as const);
    const runner = async () => {
      for (let next = left.shift(); next; next = left.shift()) await work(...next);
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, runner));
  }

  const numbers = async () =>
    (
      await select(
        database,
        'SELECT invoice_number FROM orders WHERE is_invoiced = 1 ORDER BY invoice_number',
        [],
      )
    ).map(({ invoice_number }) => Number(String(invoice_number).slice(-5)));
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

  it('number from 1 without a gap, whatever is refused or cut off', async () => {
    const ids = await makeOrders();
    const invoice = { order_status: LISTS.orderstatuses.INVOICE };

    let over = false;
    const killing = killConnections(() => over);
    // Every other request is refused, before or after it has its number; some more lose their connection.
    const wrong = [{ mileage: -1 }, {}, { external_id: 'taken' }, {}];
    await inParallel(ids, (id, index) =>
      ask('PUT', `/order/${id}`, { ...invoice, ...wrong[index % wrong.length] }, index),
    );
    over = true;
    const killed = await killing;
    const first = await numbers();
    await inParallel(ids, (id, index) => ask('PUT', `/order/${id}`, invoice, index + 1));

    expect(killed).to.be.greaterThan(0);
    expect(first).to.deep.equal(upTo(first.length));
    expect(await numbers()).to.deep.equal(upTo(ORDERS));
  }).timeout(60_000);
});
