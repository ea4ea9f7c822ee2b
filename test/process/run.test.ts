// A test run that is ended from outside, even by kill -9, takes everything with it that it has started: processes and
// temporary files.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { COMPILED } from '../support/process/process.ts';
import { until } from '../support/service/until.ts';

const RUNNER = join(COMPILED, 'test/run.js');
const ENDLESS = join(COMPILED, 'test/support/process/endless.js');

/** The programs that run with this text in their environment. */
async function programsWith(text: string): Promise<string[]> {
  const found = (await readdir('/proc')).map(async (pid) => {
    const read = (name: string) => readFile(join('/proc', pid, name), 'utf8').catch(() => '');
    return (await read('environ')).includes(text) ? [(await read('cmdline')).replaceAll('\0', ' ')] : [];
  });
  return (await Promise.all(found)).flat();
}

describe('a test run', () => {
  let folder: string;
  beforeEach(async () => {
    // A short name: the path of a socket has at most 107 bytes, and these temporary folders lie in each other.
    folder = await mkdtemp(join(tmpdir(), 'run-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGKILL'] as const)
    it(`leaves nothing behind after ${signal}`, async () => {
      const env = { ...process.env, TMPDIR: folder };
      const runner = spawn(process.execPath, [RUNNER, ENDLESS], {
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const output: string[] = [];
      runner.stdout.setEncoding('utf8').on('data', (text: string) => output.push(text));
      await until(async () => {
        if (runner.exitCode !== null) throw new Error(`the runner ended by itself: ${output.join('')}`);
        return output.join('').includes('everything runs');
      }, 120_000);
      const before = (await programsWith(folder)).join('\n');

      runner.kill(signal);
      const [, endedBy] = await once(runner, 'exit');

      expect(endedBy).to.equal(signal);
      expect(before)
        .to.match(/src\/main\.js/)
        .and.match(/mariadbd|mysqld/)
        .and.match(/chrom/);
      await until(async () => (await programsWith(folder)).length === 0);
      await until(async () => (await readdir(folder)).length === 0);
    }).timeout(180_000);
});
