// Several servers in DATABASE_URL, and connections with TLS, with real servers that are killed and suspended.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { type Connection, createConnection } from 'mysql2/promise';
import type { Database } from '../../../src/core/model/statements/session.ts';
import { isAway } from '../../../src/platform/database/away.ts';
import { connectDatabase } from '../../../src/platform/database/connect.ts';
import { reportOf } from '../../../src/platform/database/server-state.ts';
import type { ConnectionSettings } from '../../../src/platform/database/settings.ts';
import { type DatabaseServer, openDatabaseServer } from '../../support/database/database-server.ts';
import { NO_FILES } from '../../support/database/no-files.ts';
import { makeCertificates, writeCertificates } from '../../support/process/certificates.ts';
import { until } from '../../support/service/until.ts';

const portOf = async ({ knex }: Database): Promise<number> => {
  const [row] = await knex.select({ port: knex.raw('@@port') });
  return Number(row?.port);
};

describe('several database servers', function () {
  this.timeout(60_000);
  let folder: string;
  let servers: [DatabaseServer, DatabaseServer];
  let database: Database;
  let moves: string[];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forecourt-servers-'));
    servers = [await openDatabaseServer(join(folder, 'a')), await openDatabaseServer(join(folder, 'b'))];
  });
  beforeEach(() => {
    const [{ port }, other] = servers;
    const host = '127.0.0.1';
    // A database that is closed may still end a look at its servers.
    const own: string[] = [];
    moves = own;
    database = connectDatabase(
      {
        hosts: [
          { host, port },
          { host, port: other.port },
        ],
        user: 'root',
        database: 'forecourt',
      },
      NO_FILES,
      { onMove: (server) => own.push(server) },
    );
  });
  afterEach(() => database.close());
  after(async () => {
    for (const server of servers) await server.close();
    await rm(folder, { recursive: true });
  });

  it('are used in their order', async () => {
    expect(await portOf(database)).to.equal(servers[0].port);
    expect(moves).to.deep.equal([]);
  });

  it('take over from one that was killed', async () => {
    await portOf(database);

    await servers[0].stop('SIGKILL');

    expect(await until(() => portOf(database).catch(() => undefined))).to.equal(servers[1].port);
    expect(moves).to.deep.equal([`127.0.0.1:${servers[1].port}`]);
    await servers[0].start();
  });

  it('take over from one that hangs, and no statement waits for it', async () => {
    const { knex } = database;
    await portOf(database);
    const waiting = Promise.resolve(knex.raw('SELECT SLEEP(600)')).catch((error: Error) => error);

    servers[0].signal('SIGSTOP');

    try {
      expect(await waiting).to.satisfy(isAway);
      expect(await portOf(database)).to.equal(servers[1].port);
    } finally {
      servers[0].signal('SIGCONT');
    }
  });

  it('are away before one look at a server would end if all hang, for each of many requests', async () => {
    const failure = () => portOf(database).catch((reason: Error) => reason);
    for (const server of servers) server.signal('SIGSTOP');
    try {
      await failure();

      const look = reportOf(
        { user: 'root', database: 'forecourt' },
        { host: '127.0.0.1', port: servers[0].port },
      );
      const errors = Promise.all(Array.from({ length: 20 }, failure));

      expect(await Promise.race([errors, look])).to.equal(await errors);
      for (const error of await errors) expect(error).to.satisfy(isAway);
    } finally {
      for (const server of servers) server.signal('SIGCONT');
    }
  });

  it('stay in use while they are up and have no room for a new connection', async () => {
    const [{ port, database: own }] = servers;
    await own.knex.raw('SET GLOBAL max_connections = 10');
    const guests: Connection[] = [];
    try {
      await database.transaction(async ({ knex }) => {
        await knex.select(knex.raw('1'));
        const before = await fill(port, guests);
        const refused = await portOf(database).catch((reason: Error) => reason);
        // The looks of the timer are refused too.
        await until(async () => (await refusals(knex)) > before + 3);

        expect(refused).to.include({ code: 'ER_CON_COUNT_ERROR' }).and.to.satisfy(isAway);
        const report = await reportOf({ user: 'root', database: 'forecourt' }, { host: '127.0.0.1', port });
        expect(report.text).to.equal('full: Too many connections');
      });
    } finally {
      await own.knex.raw('SET GLOBAL max_connections = 151');
      for (const guest of guests) guest.destroy();
    }

    expect([await portOf(database), moves]).to.deep.equal([port, []]);
  });

  /** Connections that a server has refused because it has too many. */
  const refusals = async (knex: Knex): Promise<number> => {
    const [[row]] = await knex.raw("SHOW GLOBAL STATUS LIKE 'Connection_errors_max_connections'");
    return Number(row.Value);
  };

  /** Opens connections until the server refuses one. Answers how many it has refused until then. */
  const fill = async (port: number, guests: Connection[]): Promise<number> => {
    for (;;) {
      const guest = await createConnection({ port, host: '127.0.0.1', user: 'root' }).catch(() => undefined);
      if (!guest) return refusals(servers[0].database.knex);
      guests.push(guest);
    }
  };

  it('are away if none answers', async () => {
    for (const server of servers) await server.stop('SIGTERM');

    const error = await portOf(database).catch((reason: Error) => reason);

    expect(error).to.satisfy(isAway);
    for (const server of servers) await server.start();
    expect(await until(() => portOf(database).catch(() => undefined))).to.equal(servers[0].port);
  });
});

describe('a database server with TLS', function () {
  this.timeout(60_000);
  let folder: string;
  let server: DatabaseServer;
  let other: DatabaseServer;

  /** A server whose certificate bears that name. */
  const openNamed = async (name: string): Promise<DatabaseServer> => {
    const path = join(folder, name);
    await writeCertificates(path, [name]);
    return openDatabaseServer(join(path, 'database'), [
      `--ssl-cert=${join(path, 'cert.pem')}`,
      `--ssl-key=${join(path, 'key.pem')}`,
    ]);
  };
  const authorityOf = (name: string) => readFile(join(folder, name, 'ca.pem'), 'utf8');

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forecourt-tls-'));
    [server, other] = [await openNamed('localhost'), await openNamed('other.test')];
  });
  after(async () => {
    for (const one of [server, other]) await one.close();
    await rm(folder, { recursive: true });
  });

  const cipherWith = async (
    tls: ConnectionSettings['tls'],
    host = { host: 'localhost', port: server.port },
  ): Promise<unknown> => {
    const database = connectDatabase({ hosts: [host], user: 'root', database: 'forecourt', tls }, NO_FILES);
    try {
      const [[row]] = await database.knex.raw("SHOW STATUS LIKE 'Ssl_cipher'");
      return row.Value;
    } finally {
      await database.close();
    }
  };

  it('encrypts connections where the authority is the given one', async () => {
    expect(await cipherWith({ ca: await authorityOf('localhost') })).to.match(/^TLS_|AES/);
    expect(await cipherWith(undefined)).to.equal('');
  });

  it('is refused where another authority is given', async () => {
    const { ca } = await makeCertificates();

    const refused = await cipherWith({ ca }).catch((error: Error) => error.message);

    expect(refused).to.match(/certificate/);
  });

  it('is refused under a name that its certificate does not bear, and taken by its IP address', async () => {
    const tls = { ca: await authorityOf('other.test') };
    const { port } = other;

    const refused = await cipherWith(tls, { host: 'localhost', port }).catch((error: Error) => error.message);

    expect(refused).to.match(/does not match certificate's altnames/);
    expect(await cipherWith(tls, { host: '127.0.0.1', port })).to.match(/^TLS_|AES/);
  });
});
