// `forecourt import`: what POST /import does, with a file of the machine. Killed again and again, it always goes on
// where it stopped.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Client, type Json, newClient } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { select } from '../support/database/sql.ts';
import { forecourt, forecourtJson } from '../support/process/forecourt.ts';
import { processEnvironment } from '../support/process/process.ts';
import { database, theService } from '../support/service/service.ts';
import { until } from '../support/service/until.ts';

const PROGRAM = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));
/** Seconds of work: a test that stands still for a moment must still find the command at work. */
const ROWS = 12_000;

describe('forecourt import', function () {
  this.timeout(180_000);
  let folder: string;
  let file: string;
  let client: Client;
  let env: NodeJS.ProcessEnv;
  let words: string[];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forecourt-import-'));
    file = join(folder, 'contacts.csv');
    client = await newClient();
    env = processEnvironment(theService().base.storage.directory);
    words = ['import', file, '--owner', String(client.garage.owner), '--resource', 'contact'];
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const total = async () => (await client.get('/contact?count=1&page_size=1')).body.total as number;
  const write = (rows: number) =>
    writeFile(
      file,
      `contact_kind,last_name,country_id\n${Array.from({ length: rows }, (_, n) => `1,Jansen ${n},1\n`).join('')}`,
    );

  it('goes on behind its last rows after each kill, and doubles none of them', async () => {
    await write(ROWS);
    for (let kill = 1; kill <= 3; kill += 1) {
      const before = await total();
      const child = spawn(process.execPath, [PROGRAM, ...words], { env, stdio: 'ignore' });
      const ended = once(child, 'exit');
      await until(async () => (await total()) > before);
      child.kill('SIGKILL');
      expect((await ended)[1]).to.equal('SIGKILL');
      expect(await total()).to.be.lessThan(ROWS);
    }

    const { report: _, ...summary } = await forecourtJson(env, ...words);

    expect(summary).to.include({ rows: ROWS, created: ROWS, refused: 0 });
    const names = await select(
      database(),
      'SELECT COUNT(*) AS n, COUNT(DISTINCT last_name) AS different FROM contacts WHERE owner_id = ?',
      [client.garage.owner],
    );
    expect(names).to.deep.equal([{ n: ROWS, different: ROWS }]);
  });

  it('writes the report beside the file, and nothing else in a dry run', async () => {
    await write(3);

    const dry = await forecourtJson(env, ...words, '--dry-run', '--mode', 'upsert');
    const { out } = await forecourt(env, [...words, '--mode', 'upsert']);

    expect(dry).to.include({ dry_run: 1, mode: 'upsert', created: 3 });
    await access(`${file}.report.zip`);
    expect(out).to.match(/contacts.csv was imported: 3 rows\n {2}created {5}3\n/);
    expect(await total()).to.equal(3);
    const audit = (await client.get('/audit?filter=resource:contact')).data as Json[];
    expect(audit.map(({ employee_id }) => employee_id)).to.deep.equal([null, null, null]);
  });

  it('says "1 row" for one row', async () => {
    await write(1);

    const { out } = await forecourt(env, [...words, '--dry-run']);

    expect(out).to.include('contacts.csv was checked, nothing was written: 1 row\n');
  });

  it('refuses a report that it can not write before it reads a row', async () => {
    await write(2);
    const said = async (report: string) => (await forecourt(env, [...words, '--report', report])).err;

    expect(await said(folder)).to.equal(`forecourt: ${folder} exists and is not a file\n`);
    expect(await said(join(folder, 'no', 'report.zip'))).to.match(/^forecourt: ENOENT: [^\n]+\n$/);
    expect(await total()).to.equal(0);
  });

  it('tells in one line what is wrong', async () => {
    await write(1);
    const bad = async (...other: string[]) => {
      const { code, err } = await forecourt(env, other);
      return [code, err.trim().split('\n')[0]];
    };

    expect(await bad(...words, '--mode', 'replace')).to.deep.equal([
      2,
      'forecourt: --mode must be one of insert, update, upsert, not "replace"',
    ]);
    expect((await bad('import', file, '--owner', '1', '--resource', 'country'))[0]).to.equal(2);
    expect((await bad('import', `${file}.txt`, ...words.slice(2)))[0]).to.equal(2);
    expect((await bad('import', join(folder, 'none.csv'), ...words.slice(2)))[0]).to.equal(1);
    await writeFile(file, 'colour\nred\n');
    expect(await bad(...words)).to.deep.equal([1, 'forecourt: Line 1: column [1] not found in model']);
  });
});
