// Starts mocha with the certificate authority of the test receivers in NODE_EXTRA_CA_CERTS, which Node reads only when a
// process starts. All tests run as two processes side by side, each with a service and a database of its own: one process
// would use one core only.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { prepareCertificates } from './support/certificates.ts';

const HALVES = 2;

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');
const folder = await mkdtemp(join(tmpdir(), 'forecourt-ca-'));
const children: ChildProcess[] = [];
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    for (const child of children) child.kill(signal);
  });
try {
  const given = process.argv.slice(2);
  const env = { ...process.env, DATABASE_URL: '', ...(await prepareCertificates(folder)) };
  const isWhole = given[0] !== '--endpoints' && !given.some((word) => word.endsWith('.js'));
  const codes = await (isWhole ? runHalves(given, env) : [runOne(given, env)]);
  process.exitCode = Math.max(...(await Promise.all(codes)));
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** `make docs`, or the tests of some files. */
function runOne(given: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const words = given[0] === '--endpoints' ? [here('./endpoints.js')] : mochaWords(given);
  return start(words, env, 'inherit').code;
}

/** All tests. The second half prints when the first one has ended, so that their lines do not mix. */
async function runHalves(given: readonly string[], env: NodeJS.ProcessEnv): Promise<Promise<number>[]> {
  const all = await readdir(here('.'), { recursive: true });
  const files = all.filter((file) => file.endsWith('.test.js')).sort();
  const half = (number: number) =>
    mochaWords([
      ...given,
      ...files.filter((_, index) => index % HALVES === number).map((file) => here(file)),
    ]);
  const first = start(half(0), env, 'inherit');
  const second = start(half(1), env, 'pipe');
  const printed = second.printed.then(async (output) => {
    await first.code;
    process.stdout.write(output);
    return second.code;
  });
  return [first.code, printed];
}

function mochaWords(words: readonly string[]): string[] {
  return [mocha, '--require', here('./support/service.js'), ...words];
}

function start(words: readonly string[], env: NodeJS.ProcessEnv, output: 'inherit' | 'pipe') {
  const child = spawn(process.execPath, [...words], { stdio: ['ignore', output, 'inherit'], env });
  children.push(child);
  const printed = child.stdout ? text(child.stdout) : Promise.resolve('');
  return { printed, code: once(child, 'exit').then(([code]) => Number(code ?? 1)) };
}
