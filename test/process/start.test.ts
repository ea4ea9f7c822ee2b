// A service that can't start says why in one line and exits with 1. A service that stops ends everything it started.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { expect } from 'chai';
import { createConnection } from 'mysql2/promise';
import { mysqlOptions } from '../../src/platform/database/settings.ts';
import { joinServer } from '../support/database/private-server.ts';
import { runCertificateFolder } from '../support/process/certificates.ts';
import { freePort } from '../support/process/port.ts';
import {
  COMPILED,
  cli,
  processEnvironment,
  run,
  spawnProcess,
  startProcess,
} from '../support/process/process.ts';
import { theService } from '../support/service/service.ts';
import { until } from '../support/service/until.ts';

describe('the process of the service', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forecourt-start-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const refusal = async (changes: NodeJS.ProcessEnv) => {
    const { code, err } = await run('main.js', [], processEnvironment(join(folder, 'refused'), changes));
    expect(code).to.equal(1);
    return err.trim().split('\n');
  };

  it('refuses a DATABASE_URL if no server answers', async () => {
    expect(await refusal({ DATABASE_URL: 'mysql://root@127.0.0.1:1/forecourt' })).to.deep.equal([
      "forecourt: DATABASE_URL can't be used: connect ECONNREFUSED 127.0.0.1:1",
    ]);
  });

  it('refuses an invalid DATABASE_URL', async () => {
    expect(await refusal({ DATABASE_URL: 'postgres://x' })).to.deep.equal([
      'forecourt: DATABASE_URL must look like mysql://user:password@host:port,host:port/name?tls=1',
    ]);
    expect(await refusal({ DATABASE_URL: 'mysql://a:b@db.example:3306/forecourt?ssl=true' })).to.deep.equal([
      'forecourt: DATABASE_URL must look like mysql://user:password@host:port,host:port/name?tls=1',
    ]);
  });

  it('refuses a DATABASE_CA that is no certificate, or that nothing uses', async () => {
    const address = 'mysql://root@127.0.0.1:1/forecourt';
    const wrong = await refusal({ DATABASE_URL: `${address}?tls=1`, DATABASE_CA: join(folder, 'none.pem') });
    const unused = await refusal({
      DATABASE_URL: address,
      DATABASE_CA: join(runCertificateFolder(), 'ca.pem'),
    });

    expect(wrong[0]).to.match(/^forecourt: DATABASE_CA must be the path of a certificate in PEM: ENOENT/);
    expect(unused).to.deep.equal(['forecourt: DATABASE_URL needs ?tls=1 if DATABASE_CA is set']);
    expect(await refusal({ DATABASE_URL: `${address}?tls=1` })).to.deep.equal([
      'forecourt: DATABASE_URL needs DATABASE_CA if a host is an IP address: public authorities sign names',
    ]);
  });

  it('refuses a database that lacks a table of a resource', async () => {
    const storage = join(folder, 'lacking');
    const server = await joinServer(join(storage, 'database'));
    await run('cli/main.js', ['migrate'], processEnvironment(storage));
    const connection = await createConnection(mysqlOptions(server.connection));
    await connection.query('DROP TABLE payments');
    await connection.end();

    const { code, err } = await run('main.js', [], processEnvironment(storage));
    await server.leave();

    expect([code, err]).to.deep.equal([
      1,
      'forecourt: The database has no table `payments`: run `make migration NAME=payments`, then start again\n',
    ]);
  }).timeout(60_000);

  it('names every variable that is wrong', async () => {
    expect(
      await refusal({ PORT: '99999', WEBHOOK_ALLOW: 'everybody', MAIL_FROM: 'garage', LOG_LEVEL: 'loud' }),
    ).to.deep.equal([
      'forecourt: PORT must be a whole number from 0 to 65535, not "99999"',
      'forecourt: WEBHOOK_ALLOW must hold CIDRs such as 10.0.0.0/8, not "everybody"',
      'forecourt: MAIL_FROM must look like forecourt@garage.example or Garage <forecourt@garage.example>, not "garage"',
      'forecourt: LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not "loud"',
    ]);
  });

  it('refuses a STORAGE_DIR that is not writable', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');

    const lines = await refusal({ STORAGE_DIR: join(file, 'storage') });

    expect(lines).to.have.length(1);
    expect(lines[0]).to.match(/^forecourt: STORAGE_DIR .*\/storage can't be written to: ENOTDIR/);
  });

  it('refuses a port in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };

    const lines = await refusal({ PORT: String(port), STORAGE_DIR: join(folder, 'port') });
    taken.close();

    const way = `take another one: PORT=${port === 65_535 ? port - 1 : port + 1}`;
    expect(lines.at(-1)).to.equal(`forecourt: PORT ${port} is in use on 127.0.0.1, ${way}`);
  }).timeout(60_000);

  it('prints the credentials of the demo garage once, and stops its database last', async () => {
    const env = processEnvironment(join(folder, 'first'));
    const first = await startProcess(env);
    await first.kill('SIGTERM');
    const second = await startProcess(env);
    await second.kill('SIGINT');

    expect(first.output()).to.match(/API key {9}[0-9a-f-]{36}/);
    expect(second.output()).not.to.include('API key');
    expect([first.child.exitCode, second.child.exitCode]).to.deep.equal([0, 0]);
    expect(await readFile(join(folder, 'first/database/error.log'), 'utf8')).to.match(/shutdown complete/i);
  }).timeout(60_000);

  it('logs lines for people on a terminal, and JSON elsewhere', async () => {
    const program = fileURLToPath(new URL('../../src/main.js', import.meta.url));
    // `script` of util-linux runs a command on a terminal of its own.
    const child = spawn('script', ['-qefc', `${process.execPath} ${program}`, '/dev/null'], {
      env: processEnvironment(join(folder, 'terminal'), { TERM: 'xterm' }),
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    await until(async () => output.includes('listening'), 60_000);
    child.stdin.write('\x03');
    await once(child, 'exit');

    expect(stripVTControlCharacters(output)).to.match(/^\[\d\d:\d\d:\d\d\] INFO: listening \{"url":"http/m);
    expect(output).not.to.include('"level"');
    expect(stripVTControlCharacters(output)).to.include('INFO: stopped');
  }).timeout(60_000);

  it('serves on if its log lies on a full disk', async () => {
    const port = await freePort();
    const env = processEnvironment(join(folder, 'mute'), { PORT: String(port) });
    // Otherwise the first start would print the access to a demo garage.
    await cli(env, 'owner', 'create', '--name', 'Garage Jansen');
    const full = await open('/dev/full', 'w');
    const mute = spawnProcess(env, COMPILED, full.fd);
    const isReady = () => fetch(`http://127.0.0.1:${port}/health/ready`).then(({ status }) => status === 200);

    // The lines of the start have failed by then, and each answer makes another one.
    await until(() => isReady().catch(() => false), 60_000);
    for (let times = 0; times < 3; times += 1) expect(await isReady()).to.equal(true);
    await mute.kill('SIGTERM');
    await full.close();

    expect(mute.child.exitCode).to.equal(0);
  }).timeout(90_000);

  it('ends although lines wait for the full disk of its log', async () => {
    const file = JSON.stringify(new URL('../../src/platform/log.js', import.meta.url));
    // With one thread for all writes, the first write of the log has failed when the one behind it has.
    const script = `
      import { write } from 'node:fs';
      import { createLog } from ${file};
      const log = createLog({ logLevel: 'info' });
      const fill = () => { for (let line = 0; line < 200; line += 1) log.info('x'.repeat(100)); };
      fill();
      write(1, 'x', () => { fill(); process.exit(0); });`;
    const full = await open('/dev/full', 'w');
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      env: processEnvironment(folder, { UV_THREADPOOL_SIZE: '1' }),
      stdio: ['ignore', full.fd, 'inherit'],
      timeout: 20_000,
      killSignal: 'SIGKILL',
    });
    const [code, signal] = await once(child, 'exit');
    await full.close();

    expect([code, signal]).to.deep.equal([0, null]);
  }).timeout(30_000);

  it('runs beside another service on the same machine', async () => {
    const other = await startProcess(processEnvironment(join(folder, 'beside')));

    const answers = await Promise.all(
      [other.url, theService().url].map((url) => fetch(`${url}/health/ready`)),
    );
    await other.kill('SIGTERM');

    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200]);
  }).timeout(60_000);
});
