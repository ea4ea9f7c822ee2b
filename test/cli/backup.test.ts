// forecourt backup as an operator uses it: a whole file, or no file and one line that says why.
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { verifyArchive } from '../../src/work/archive/verify.ts';
import { expect } from '../support/client/expect.ts';
import { forecourt, forecourtJson } from '../support/process/forecourt.ts';
import { processEnvironment, run } from '../support/process/process.ts';
import { makeGarage, theService } from '../support/service/service.ts';

const PROGRAM = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));

describe('forecourt backup', () => {
  let folder: string;
  let file: string;
  let owner: string;
  let environment: NodeJS.ProcessEnv;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forecourt-cli-backup-'));
    file = join(folder, 'garage.zip');
    owner = String((await makeGarage()).owner);
    environment = processEnvironment(theService().base.storage.directory);
  });

  after(() => rm(folder, { recursive: true, force: true }));

  const backup = (...words: string[]) => forecourt(environment, ['backup', ...words]);

  it('replaces a file of the same name, and prints what the backup contains', async () => {
    await writeFile(file, 'of last week');

    const { rows, ...answer } = await forecourtJson(environment, 'backup', '--owner', owner, '--out', file);

    const summary = await verifyArchive(file);
    expect(rows).to.deep.equal(summary.rows);
    expect(rows).to.include({ owner: 1, employee: 1 });
    expect(answer).to.have.all.keys('file', 'size', 'sha256');
    expect(await readdir(folder)).to.deep.equal(['garage.zip']);
  });

  it('prints the result, and no progress of a short backup without a terminal', async () => {
    const words = ['backup', '--owner', owner, '--out', file];

    const { code, out, err } = await run('cli/main.js', words, environment);

    expect(code).to.equal(0);
    expect(out).to.match(
      /^\S+garage\.zip was written, \d+ bytes, SHA-256 [0-9a-f]{64}\n(?: {2}\w+ +\d+\n)+$/,
    );
    // A line every two seconds.
    expect(err).to.match(/^(backing up: \d+% \(\d+ of 100\)\n)*$/);
  });

  for (const [what, words, line] of [
    [
      'an owner that does not exist',
      () => ['--owner', '999999', '--out', file],
      /Owner: \[999999\] not found/,
    ],
    ['a folder that is not there', () => ['--owner', owner, '--out', join(folder, 'no', 'a.zip')], /ENOENT/],
    ['a path that is not a file', () => ['--owner', owner, '--out', folder], /exists and is not a file/],
  ] as const) {
    it(`refuses ${what} in one line`, async () => {
      const before = await readdir(folder);

      const { code, out, err } = await backup(...words(), '--json');

      expect({ code, out }).to.deep.equal({ code: 1, out: '' });
      expect(err)
        .to.match(line)
        .and.match(/^forecourt: [^\n]+\n$/);
      expect(await readdir(folder)).to.deep.equal(before);
    });
  }

  it('says that the disk is full, and leaves no half file', async () => {
    const before = await readdir(folder);
    // No file may grow beyond one block, which is a full disk to the program.
    const script = 'ulimit -f 1; exec "$@"';
    const words = [
      process.execPath,
      PROGRAM,
      'backup',
      '--owner',
      owner,
      '--out',
      join(folder, 'b.zip'),
      '--json',
    ];

    const failed = promisify(execFile)('sh', ['-c', script, 'sh', ...words], { env: environment });

    const { code, stdout, stderr } = await failed.catch((error) => error);
    expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
    expect(stderr).to.equal('forecourt: No space left on the disk for the archive\n');
    expect(await readdir(folder)).to.deep.equal(before);
  });

  it('refuses wrong usage without an owner, and with an invalid one', async () => {
    const [without, none] = [await backup('--out', file), await backup('--owner', 'x', '--out', file)];

    expect([without.code, none.code]).to.deep.equal([2, 2]);
    expect(none.err).to.equal('forecourt: --owner must be a whole number above 0, not "x"\n');
  });
});
