// An operator uses the command line beside a running service on the same database. The service sees each change at
// once.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Client, newClient, send } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { execute, select } from '../support/database/sql.ts';
import { forecourt, forecourtJson } from '../support/process/forecourt.ts';
import { processEnvironment, run } from '../support/process/process.ts';
import { makeArchive } from '../support/service/job.ts';
import { database, inStorage, PASSWORD, serviceEnvironment } from '../support/service/service.ts';
import { until } from '../support/service/until.ts';

const MAIN = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));

describe('an operator at the command line', () => {
  let client: Client;
  let env: NodeJS.ProcessEnv;
  before(async () => {
    client = await newClient();
    env = serviceEnvironment();
  });

  const login = (password: string, { garage }: Client = client) =>
    send('POST', '/authenticate', {
      body: JSON.stringify({ api_key: garage.apiKey, username: garage.username, password }),
      headers: { 'content-type': 'application/json' },
    });

  it('lists keys without their secrets, and revokes a key with its tokens', async () => {
    const doomed = await newClient();
    const listed = async () =>
      (await forecourtJson(env, 'key', 'list')).keys as { id: number; revoked_at: unknown }[];
    const { id } = (await listed()).at(-1) ?? { id: 0 };

    const revoked = await forecourtJson(env, 'key', 'revoke', String(id));
    await until(async () => (await doomed.get('/order')).status === 401);
    const again = await forecourt(env, ['key', 'revoke', String(id)]);
    const { out } = await forecourt(env, ['key', 'list']);

    expect(revoked).to.deep.equal({ id, revoked: true, blocked_subscriptions: [] });
    expect(again).to.deep.include({
      code: 1,
      err: `forecourt: There is no active key ${id}\n`,
    });
    expect((await listed()).at(-1)?.revoked_at).to.be.a('string');
    expect(out).to.match(new RegExp(`^ +${id} +tests +REVOKED +\\*$`, 'm'));
    expect(out).not.to.match(/[0-9a-f]{8}-[0-9a-f]{4}/);
  }).timeout(60_000);

  it('sets a given or generated password, and ends earlier tokens', async () => {
    const { username } = client.garage;

    const made = await forecourtJson(env, 'employee', 'password', username);
    await until(async () => (await client.get('/order')).status === 401);
    const answers = [await login(PASSWORD), await login(String(made.password))];
    const words = ['employee', 'password', username.toUpperCase(), '--json'];
    const given = await forecourt(env, [...words, '--password', PASSWORD]);

    expect(made).to.have.all.keys('username', 'password');
    expect(answers.map(({ status }) => status)).to.deep.equal([401, 200]);
    expect(JSON.parse(given.out), 'what was given is not shown').to.deep.equal({ username: words[2] });
    expect(given.err).to.equal(
      'forecourt: other users of this machine can see the value of --password: use --password-stdin\n',
    );
    expect((await login(PASSWORD)).status).to.equal(200);
  }).timeout(60_000);

  it('reads a password from standard input, without one line feed at its end', async () => {
    const { username } = client.garage;
    const typed = (text: string | Buffer) =>
      forecourt(env, ['employee', 'password', username, '--password-stdin', '--json'], undefined, text);

    const given = await typed(`${PASSWORD} \n\n`);
    const logins = [await login(PASSWORD), await login(`${PASSWORD} \n`)];

    expect(given).to.deep.equal({ code: 0, out: `${JSON.stringify({ username })}\n`, err: '' });
    expect(logins.map(({ status }) => status)).to.deep.equal([401, 200]);
    for (const [text, says] of [
      ['short\n', 'Field: [password] has an invalid value: [...] for validation: [minimum 12 characters]'],
      ['\n', 'Field: [password] is required and cannot be empty'],
      ['', 'Field: [password] is required and cannot be empty'],
      ['x'.repeat(5_000), 'the password on standard input is longer than 4096 bytes'],
      [Buffer.from('een lang wachtwoord \xe9', 'latin1'), 'the password on standard input is not UTF-8'],
    ] as const)
      expect(await typed(text)).to.deep.equal({ code: 1, out: '', err: `forecourt: ${says}\n` });
    expect((await typed(`${PASSWORD}\n`)).code).to.equal(0);
    expect((await login(PASSWORD)).status).to.equal(200);
  }).timeout(60_000);

  it('gives a restored employee a username, unique over all owners', async () => {
    const [other, { garage }] = [await newClient(), client];
    const [employee] = await select(database(), 'SELECT id FROM employees WHERE username = ?', [
      other.garage.username,
    ]);
    const id = String(employee?.id);
    await execute(database(), 'UPDATE employees SET username = NULL WHERE id = ?', [id]);
    const name = `Back-${other.garage.username}`;
    const username = name.toLowerCase();
    const refusal = async (given: string) => {
      const { code, out, err } = await forecourt(env, ['employee', 'username', id, given]);
      return [code, out, err];
    };

    const taken = await refusal(garage.username.toUpperCase());
    const long = await refusal('x'.repeat(61));
    const empty = await refusal(' ');
    const given = await forecourtJson(env, 'employee', 'username', id, ` ${name} `);

    expect(taken).to.deep.equal([
      1,
      '',
      `forecourt: Field: [username] Value: [${garage.username.toUpperCase()}] has a duplicate illegal value\n`,
    ]);
    expect(long[2]).to.include('Field: [username] valuelength: [61] too long for datatype: varchar: [60]');
    expect(empty[2]).to.equal('forecourt: Field: [username] is required and cannot be empty\n');
    expect(given).to.deep.equal({ id: Number(id), username });
    expect((await login(PASSWORD, { ...other, garage: { ...other.garage, username } })).status).to.equal(200);
  }).timeout(60_000);

  it('sees in doctor that all is well, except perhaps the internet', async () => {
    const migrated = await forecourtJson(env, 'migrate');
    const { code, out } = await forecourt(env, ['doctor', '--json']);
    const { ok, findings } = JSON.parse(out) as { ok: boolean; findings: { check: string; ok: boolean }[] };

    expect(migrated).to.deep.equal({ migrations: [] });
    expect(findings.filter((one) => !one.ok && one.check !== 'outgoing HTTPS')).to.deep.equal([]);
    expect(code).to.equal(ok ? 0 : 1);
  }).timeout(60_000);

  it('sees in doctor what is wrong', async () => {
    const there = { ...env, DATABASE_URL: 'mysql://root@127.0.0.1:1/forecourt' };

    const { code, out } = await forecourt(there, ['doctor']);

    expect(code).to.equal(1);
    expect(out).to.match(/^ {2}ok {4}storage /m);
    expect(out).to.match(/^ {2}WRONG database +DATABASE_URL can't be used: connect ECONNREFUSED/m);
  }).timeout(60_000);

  it('blames the storage in doctor where the private server has no place', async () => {
    const there = { ...env, DATABASE_URL: '', STORAGE_DIR: '/dev/null/storage' };

    const { code, out } = await forecourt(there, ['doctor', '--offline']);

    expect(code).to.equal(1);
    expect(out).to.match(/^ {2}WRONG storage +STORAGE_DIR \/dev\/null\/storage can't be used: ENOTDIR/m);
    expect(out).to.match(/^ {2}WRONG database +needs the storage, where the private server is$/m);
  }).timeout(60_000);

  it('purges expired things, and nothing else', async () => {
    await execute(database(), 'UPDATE tokens SET expires_at = ? WHERE owner_id = ?', [
      '2020-01-01 00:00:00.000',
      client.garage.owner,
    ]);
    const stays = await newClient();
    const archive = await makeArchive(stays, Buffer.from('young'));

    const removed = await forecourtJson(env, 'purge');

    // The service's own tidying may have come first.
    expect(removed.tokens).to.be.a('number');
    const ended = 'SELECT 1 FROM tokens WHERE owner_id = ? AND expires_at < UTC_TIMESTAMP(3)';
    expect(await select(database(), ended, [client.garage.owner])).to.deep.equal([]);
    expect(existsSync(inStorage('archives', archive.name))).to.equal(true);
    expect((await stays.get('/order')).status).to.equal(200);
  }).timeout(60_000);

  it('sees no progress bar without a terminal, and may close the pipe', async () => {
    const seeded = await run(
      'cli/main.js',
      ['seed', '--owner', String(client.garage.owner), '--orders', '5'],
      env,
    );
    const reading = spawn(process.execPath, [MAIN, 'openapi'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    reading.stdout.destroy();
    const err = await reading.stderr.toArray();

    expect(seeded.code).to.equal(0);
    // Without a terminal, a line every two seconds.
    expect(seeded.err).to.match(/^(seeding: \d+% \(\d of 5\)\n)*$/);
    expect(seeded.out)
      .to.match(/^Rows made:\n/)
      .and.match(/^ {2}order +5$/m);
    expect([reading.exitCode ?? (await once(reading, 'exit'))[0], err.join('')]).to.deep.equal([0, '']);
  }).timeout(60_000);

  it('writes no address if Ctrl-C comes before the end', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'forecourt-addresses-'));
    const file = join(folder, 'addresses.csv');
    await writeFile(file, 'postcode,huisnummer,toevoeging,street,city\n9999ZZ,1,,Kade,Nergens\n');
    const stopped = AbortSignal.abort(new Error('interrupted by SIGINT'));

    const said = await forecourt(env, ['import-addresses', file, '--json'], stopped);
    await rm(folder, { recursive: true });

    expect(said).to.deep.equal({ code: 1, out: '', err: 'forecourt: interrupted by SIGINT\n' });
    const written = await select(database(), "SELECT street FROM addresses WHERE city = 'Nergens'");
    expect(written).to.deep.equal([]);
  }).timeout(60_000);

  it('ends well if Ctrl-C comes behind the result', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'forecourt-closing-'));
    const creating = spawn(process.execPath, [MAIN, 'owner', 'create', '--name', 'Garage'], {
      env: processEnvironment(folder),
    });
    // The database is still to be closed.
    await once(creating.stdout, 'data');
    creating.kill('SIGINT');
    const [code] = await once(creating, 'exit');
    await rm(folder, { recursive: true, force: true });

    expect(code).to.equal(0);
  }).timeout(90_000);

  it('leaves no database running after Ctrl-C', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'forecourt-interrupted-'));
    const own = processEnvironment(folder);
    await forecourtJson(own, 'owner', 'create', '--name', 'Garage');

    const seeding = spawn(process.execPath, [MAIN, 'seed', '--owner', '1', '--orders', '1000000'], {
      env: own,
    });
    await once(seeding.stderr, 'data');
    seeding.kill('SIGINT');
    const [code] = await once(seeding, 'exit');

    expect(code).to.equal(130);
    expect(existsSync(join(folder, 'database/mysql.pid'))).to.equal(false);
    await rm(folder, { recursive: true, force: true });
  }).timeout(90_000);
});
