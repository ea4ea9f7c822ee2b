// The private database server with real folders and processes. Processes are found by the name of the folder on their
// command line, so that a forgotten server is found too.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { createConnection } from 'mysql2/promise';
import { readConfig } from '../../../src/platform/config.ts';
import { joinPrivateServer, type PrivateServer } from '../../../src/platform/database/private-server.ts';
import { PrivateServerError } from '../../../src/platform/database/private-server-folder.ts';
import { copyDatabase } from '../../support/database/private-server.ts';
import { until } from '../../support/service/until.ts';

/** A line that MariaDB, or MySQL, logs when it stops. */
const SHUTDOWN = 'normal shutdown|received SHUTDOWN';

/** The server that the tests run on. */
const kind = readConfig().databaseServer;

describe('private database server', function () {
  this.timeout(180_000);
  let root: string;
  let directory: string;
  let children: ChildProcess[];
  let joined: PrivateServer[];

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'forecourt-private-'));
    directory = join(root, 'database');
    children = [];
    joined = [];
  });

  afterEach(async () => {
    for (const child of children) child.kill('SIGKILL');
    for (const server of joined) await server.leave();
    for (const pid of processesOf(root)) process.kill(pid, 'SIGKILL');
    await until(async () => processesOf(root).length === 0);
    rmSync(root, { recursive: true });
  });

  it('starts with the first process, in a folder that nobody else can read, and stops with the last', async () => {
    const server = await joinHere();

    const [row] = await ask(
      server,
      'SELECT @@character_set_database AS charset, @@collation_database AS collation',
    );
    const running = processesOf(root);
    await server.leave();
    await server.leave();

    expect(row).to.deep.equal({ charset: 'utf8mb4', collation: 'utf8mb4_bin' });
    expect(running).to.have.lengthOf(1);
    expect(processesOf(root)).to.deep.equal([]);
    expect(statSync(directory).mode & 0o777).to.equal(0o700);
    expect(existsSync(server.connection.socketPath)).to.equal(false);
  });

  it('keeps its data from one run to the next', async () => {
    await copyDatabase(directory);
    const first = await joinHere();
    await ask(first, 'CREATE TABLE kept (a INT)');
    await first.leave();

    const second = await joinHere();
    const rows = await ask(second, 'SELECT * FROM kept');
    await second.leave();

    expect(rows).to.deep.equal([]);
  });

  it('stays when the first of two processes leaves, and stops with the second', async () => {
    await copyDatabase(directory);
    const first = await joinHere();
    const second = await joinHere();

    await first.leave();
    const rows = await ask(second, 'SELECT 1 AS one');
    await second.leave();

    expect(rows).to.deep.equal([{ one: 1 }]);
    expect(processesOf(root)).to.deep.equal([]);
  });

  it('is started once by processes that join at the same time', async () => {
    const [server] = await Promise.all([joinHere(), joinElsewhere(), joinElsewhere(), joinHere()]);

    expect(processesOf(root)).to.have.lengthOf(1);
    expect(logged('starting mariadb|starting as process')).to.equal(1);
    expect(await ask(server, 'SELECT 1 AS one')).to.deep.equal([{ one: 1 }]);
  });

  it('is stopped once by processes that leave at the same time', async () => {
    await copyDatabase(directory);
    const server = await joinHere();
    const others = await Promise.all([joinElsewhere(), joinElsewhere()]);

    const exits = others.map((other) => once(other, 'exit'));
    for (const other of others) other.send('leave');
    await Promise.all([server.leave(), ...exits]);

    expect(processesOf(root)).to.deep.equal([]);
    expect(logged(SHUTDOWN)).to.equal(1);
  });

  it('survives a kill of the process that started it, and stops with the next one that leaves', async () => {
    await copyDatabase(directory);
    const child = await joinElsewhere();
    const running = processesOf(root);
    child.kill('SIGKILL');
    await once(child, 'exit');

    const server = await joinHere();
    const found = processesOf(root);
    await server.leave();

    expect(found).to.deep.equal(running);
    expect(processesOf(root)).to.deep.equal([]);
  });

  it('is started again by the next process after a kill, with all committed data', async () => {
    await copyDatabase(directory);
    const first = await joinHere();
    await ask(first, 'CREATE TABLE kept AS SELECT 7 AS a');
    for (const pid of processesOf(root)) process.kill(pid, 'SIGKILL');

    const second = await joinHere();
    const rows = await ask(second, 'SELECT * FROM kept');
    await Promise.all([first.leave(), second.leave()]);

    expect(rows).to.deep.equal([{ a: 7 }]);
    expect(processesOf(root)).to.deep.equal([]);
  });

  it('is started again after a kill for the processes that stay, and stops with them', async () => {
    await copyDatabase(directory);
    const server = await joinHere();
    const [killed] = processesOf(root);
    process.kill(Number(killed), 'SIGKILL');

    const rows = await until(() => ask(server, 'SELECT 1 AS one').catch(() => undefined), 120_000);
    const running = processesOf(root);
    await server.leave();

    expect(rows).to.deep.equal([{ one: 1 }]);
    expect(running).to.have.lengthOf(1).and.not.include(killed);
    expect(processesOf(root)).to.deep.equal([]);
  });

  it('can be left when it is dead', async () => {
    await copyDatabase(directory);
    const server = await joinHere();
    for (const pid of processesOf(root)) process.kill(pid, 'SIGKILL');
    await until(async () => processesOf(root).length === 0);

    await server.leave();
  });

  it('waits for a server that is stopping, and starts it then', async () => {
    await copyDatabase(directory);
    const first = await joinHere();

    const leaving = first.leave();
    await until(async () => logged(SHUTDOWN) === 1);
    const second = await joinHere();
    await leaving;

    expect(await ask(second, 'SELECT 1 AS one')).to.deep.equal([{ one: 1 }]);
    await second.leave();
  });

  it('makes its data folder again if the first attempt was killed', async () => {
    const child = spawnJoiner();
    await until(async () => existsSync(directory) && files().some((name) => name.endsWith('ibdata1')));
    child.kill('SIGKILL');
    await once(child, 'exit');
    const left = readdirSync(directory);

    const server = await joinHere();
    await ask(server, 'SELECT 1');
    await server.leave();

    expect(left).to.include('starting').and.not.include('data');
    expect(readdirSync(directory).filter((name) => /^(data|starting)-|^starting$/.test(name))).to.deep.equal(
      [],
    );
  }).timeout(180_000);

  it('puts its socket elsewhere when the folder has a long name', async () => {
    directory = join(root, 'a'.repeat(60), 'b'.repeat(60), 'with a space');

    const server = await joinHere();
    const rows = await ask(server, 'SELECT 1 AS one');
    await server.leave();

    const folder = dirname(server.connection.socketPath);
    expect(rows).to.deep.equal([{ one: 1 }]);
    expect(folder).to.match(/forecourt-[0-9a-f]{16}$/);
    expect(statSync(folder).mode & 0o777).to.equal(0o700);
    rmSync(folder, { recursive: true });
  });

  it('refuses a data folder that another server made', async () => {
    await copyDatabase(directory);
    const server = await joinHere();
    await server.leave();
    const other = existsSync(join(directory, 'data', 'mysql.ibd')) ? 'mariadb' : 'mysql';

    const refused = await joinPrivateServer({ directory, kind: other }).catch((error) => error);

    expect(refused).to.be.instanceOf(PrivateServerError);
    expect(refused.message).to.match(/ made the data folder .*, but DATABASE_SERVER is /);
    expect(processesOf(root)).to.deep.equal([]);
  });

  it('says why the server does not start', async () => {
    await copyDatabase(directory);
    const refused = await joinPrivateServer({ directory, settings: ['--no-such-setting'], kind }).catch(
      (error) => error,
    );

    expect(refused).to.be.instanceOf(PrivateServerError);
    expect(refused.message).to.include('no-such-setting');
    expect(processesOf(root)).to.deep.equal([]);
  });

  const SETTINGS = ['--innodb-buffer-pool-size=32M', '--innodb-flush-log-at-trx-commit=0'];
  async function joinHere(): Promise<PrivateServer> {
    const server = await joinPrivateServer({ directory, settings: SETTINGS, kind });
    joined.push(server);
    return server;
  }

  /** A process of its own that joins. On a message it leaves, and it ends then if nothing keeps it alive. */
  function spawnJoiner(): ChildProcess {
    const script = `
      import { joinPrivateServer } from ${JSON.stringify(new URL('../../../src/platform/database/private-server.js', import.meta.url))};
      const server = await joinPrivateServer(${JSON.stringify({ directory, settings: SETTINGS, kind })});
      process.send('joined');
      process.once('message', () => { server.leave(); process.disconnect(); });`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    children.push(child);
    return child;
  }

  async function joinElsewhere(): Promise<ChildProcess> {
    const child = spawnJoiner();
    await once(child, 'message');
    return child;
  }

  const files = () => readdirSync(directory, { recursive: true, encoding: 'utf8' });

  const logged = (words: string) =>
    readFileSync(join(directory, 'error.log'), 'utf8').match(new RegExp(words, 'gi'))?.length ?? 0;
});

async function ask(server: PrivateServer, sql: string): Promise<unknown[]> {
  const connection = await createConnection(server.connection);
  const [rows] = await connection.query(sql);
  await connection.end();
  return rows as unknown[];
}

function processesOf(root: string): number[] {
  const named = (pid: string) => {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      return words.some((word) => word.startsWith(`--datadir=${root}`));
    } catch {
      return false;
    }
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && named(name))
    .map(Number);
}
