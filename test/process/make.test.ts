// The messages of `make` while npm and the compiler are silent. It calls empty programs, in a folder of the
// test's own.
import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

describe('make', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forecourt-make-'));
    for (const name of ['Makefile', 'bin', 'scripts', 'package-lock.json'])
      await cp(join(ROOT, name), join(folder, name), { recursive: true });
    for (const path of ['bin/npm', 'node_modules/.bin/tsc', 'dist/src/main.js']) {
      const file = join(folder, path);
      await mkdir(join(file, '..'), { recursive: true });
      await writeFile(file, path.endsWith('.js') ? '' : '#!/bin/sh\n');
      await chmod(file, 0o755);
    }
  });
  afterEach(() => rm(folder, { recursive: true }));

  const run = async () => {
    // Under `make test`, make would take this one for its child and say which folder it enters.
    const { MAKELEVEL, MAKEFLAGS, MFLAGS, ...outside } = process.env;
    const env = { ...outside, PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}` };
    const { stdout, stderr } = await promisify(execFile)('make', ['run'], { cwd: folder, env });
    return { stdout, lines: stderr.trim().split('\n') };
  };

  it('says what it is doing', async () => {
    const { stdout, lines } = await run();

    expect(lines).to.deep.equal([
      'forecourt: installing npm packages (up to a minute)',
      'forecourt: compiling',
      'forecourt: starting',
    ]);
    expect(stdout).to.equal('');
  });

  it('installs nothing a second time', async () => {
    await run();

    expect((await run()).lines).to.deep.equal(['forecourt: compiling', 'forecourt: starting']);
  });
});
