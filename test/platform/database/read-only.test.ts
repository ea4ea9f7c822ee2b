// Servers that only read count as away: a replica, or the old primary after a failover. The user has few rights,
// because such a server still takes the writes of an administrator.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Database } from '../../../src/core/model/statements/session.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { isAway } from '../../../src/platform/database/away.ts';
import { connectDatabase } from '../../../src/platform/database/connect.ts';
import { reportOf } from '../../../src/platform/database/server-state.ts';
import type { ConnectionSettings } from '../../../src/platform/database/settings.ts';
import { type DatabaseServer, openDatabaseServer } from '../../support/database/database-server.ts';
import { NO_FILES } from '../../support/database/no-files.ts';
import { addUser, asRoot, onlyRead } from '../../support/database/read-only.ts';
import { execute, select } from '../../support/database/sql.ts';
import { processEnvironment, run, type StartedProcess, startProcess } from '../../support/process/process.ts';
import { openTenant, type Tenant } from '../../support/process/process-garage.ts';
import { until } from '../../support/service/until.ts';

describe('a database server that only reads', function () {
  this.timeout(60_000);
  let folder: string;
  let servers: [DatabaseServer, DatabaseServer];
  let one: ConnectionSettings;
  let both: ConnectionSettings;
  const open: Database[] = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forecourt-read-only-'));
    servers = [await openDatabaseServer(join(folder, 'a')), await openDatabaseServer(join(folder, 'b'))];
    for (const server of servers) {
      one = await addUser(server);
      await asRoot(server, 'CREATE TABLE forecourt.notes (id INT PRIMARY KEY)');
    }
    const [{ port }, other] = servers;
    const hosts = [port, other.port].map((each) => ({ host: '127.0.0.1', port: each }));
    one = { ...one, hosts: hosts.slice(0, 1) };
    both = { ...one, hosts };
  });
  afterEach(async () => {
    for (const database of open.splice(0)) await database.close();
    for (const server of servers) await onlyRead(server, false);
  });
  after(async () => {
    for (const server of servers) await server.close();
    await rm(folder, { recursive: true });
  });

  const connect = (settings: ConnectionSettings): Database => {
    const database = connectDatabase(settings, NO_FILES);
    open.push(database);
    return database;
  };
  const portOf = async (database: Database) =>
    Number((await select(database, 'SELECT @@port AS port'))[0]?.port);
  const failureOf = (work: Promise<unknown>) => work.then(() => undefined).catch((error: Error) => error);
  let notes = 0;
  const write = (database: Database) => {
    notes += 1;
    return database.transaction((session) => execute(session, 'INSERT INTO notes VALUES (?)', [notes]));
  };

  it('is passed over', async () => {
    await onlyRead(servers[0], true);

    expect(await portOf(connect(both))).to.equal(servers[1].port);
  });

  it('is left when it becomes so, and its running reads end in peace', async () => {
    const database = connect(both);
    expect(await portOf(database)).to.equal(servers[0].port);
    const reading = failureOf(select(database, 'SELECT SLEEP(3)'));

    await onlyRead(servers[0], true);

    expect(await until(async () => (await portOf(database).catch(() => 0)) === servers[1].port)).to.equal(
      true,
    );
    await write(database);
    expect(await reading).to.equal(undefined);
  });

  it('is away if no other takes writes, and is used again when it does', async () => {
    for (const server of servers) await onlyRead(server, true);
    const database = connect(both);

    const error = await failureOf(portOf(database));
    await onlyRead(servers[1], false);

    expect(error).to.satisfy(isAway);
    expect(await until(() => portOf(database).catch(() => undefined))).to.equal(servers[1].port);
  });

  it('is away if it is the only one, on old connections and new ones', async () => {
    const database = connect(one);
    await write(database);
    await onlyRead(servers[0], true);

    const old = await failureOf(write(database));
    const next = await failureOf(portOf(database));

    expect(old).to.satisfy(isAway);
    expect(next)
      .to.satisfy(isAway)
      .and.have.property('message')
      .match(/takes no writes/);
    await onlyRead(servers[0], false);
    await write(database);
  });

  it('is away for an administrator, who could write there', async () => {
    const database = connect({ ...one, user: 'root' });
    await onlyRead(servers[0], true);

    expect(await failureOf(database.check())).to.satisfy(isAway);
  });

  it('is not in use if each transaction of a new connection only reads', async () => {
    await asRoot(servers[0], 'SET GLOBAL TRANSACTION READ ONLY');
    try {
      expect(await reportOf(one, { host: '127.0.0.1', port: servers[0].port })).to.include({
        state: 'reading',
      });
    } finally {
      await asRoot(servers[0], 'SET GLOBAL TRANSACTION READ WRITE');
    }
  });

  describe('under the service', () => {
    let env: NodeJS.ProcessEnv;
    let service: StartedProcess;
    let tenant: Tenant;
    before(async () => {
      const url = `mysql://forecourt@127.0.0.1:${servers[0].port}/forecourt`;
      env = processEnvironment(join(folder, 'storage'), { DATABASE_URL: url });
      service = await startProcess(env);
      tenant = await openTenant(env);
      await tenant.token(service.url);
    });
    after(() => service?.kill('SIGTERM'));

    const add = () =>
      tenant.ask(service.url, 'POST', '/contact', {
        contact_kind: LISTS.contactkinds.PERSON,
        last_name: 'de Boer',
        country_id: 1,
      });
    const ready = async () => (await fetch(`${service.url}/health/ready`)).status;

    it('makes 503 of each request, and it needs no restart', async () => {
      const before = [(await add()).status, await ready()];
      await onlyRead(servers[0], true);

      const refused = await add();
      const unready = [await ready(), (await tenant.ask(service.url, 'GET', '/contact')).status];

      expect(before).to.deep.equal([201, 200]);
      expect([refused.status, refused.headers.get('retry-after')]).to.deep.equal([503, '1']);
      expect(unready).to.deep.equal([503, 503]);
      await onlyRead(servers[0], false);
      expect([(await add()).status, await ready()]).to.deep.equal([201, 200]);
    });

    it('is named by doctor', async () => {
      await onlyRead(servers[0], true);

      const { out, code } = await run('cli/main.js', ['doctor', '--offline'], env);

      expect(out).to.match(/WRONG cluster +127\.0\.0\.1:\d+ takes no writes: \w*read_only/);
      expect(code).to.equal(1);
    });
  });
});
