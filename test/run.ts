// Starts mocha with the certificate authority of the test receivers in NODE_EXTRA_CA_CERTS, which Node reads only when
// a process starts, and with a data folder that the database servers copy. All tests run as several processes side by
// side, each with a service and a database of its own: one process would use one core only. Whatever ends the run ends
// everything that it has started.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { prepareDatabase } from './support/database/private-server.ts';
import { prepareCertificates } from './support/process/certificates.ts';
import { endRun, openRunFolder } from './support/process/run-folder.ts';
import { keepSeconds, partsOf } from './support/process/seconds.ts';

/** More than cores: tests wait for databases, callbacks and leases. */
const PARTS = 4;
/** The line of mocha above the tests that failed, with or without colours. */
const FAILING = /^\W*(\d+m)?\s*\d+ failing\b/m;

/** Runs the checks first. */
const CHECK = '--check';
/** Writes test/seconds.json after all tests have passed. */
const KEEP_SECONDS = '--keep-seconds';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');
const folder = openRunFolder();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    endRun(folder);
    process.kill(process.pid, signal);
  });
try {
  const given = process.argv.slice(2);
  const words = given.filter((word) => word !== CHECK && word !== KEEP_SECONDS);
  const failed = given.includes(CHECK) ? await check() : 0;
  process.exitCode = failed || (await test(words));
  if (given.includes(KEEP_SECONDS) && process.exitCode === 0) keepSeconds(folder);
} finally {
  for (const command of endRun(folder)) console.error(`forecourt: the tests left this running: ${command}`);
}

/** The checks of scripts/check.sh, here so that they end with the run. */
function check(): Promise<number> {
  return start('sh', [here('../../scripts/check.sh')], process.env).code;
}

/** `make docs`, the tests of some files, or all tests. */
async function test(given: readonly string[]): Promise<number> {
  const env = {
    ...process.env,
    DATABASE_URL: '',
    ...(await prepareCertificates(folder)),
    ...(await prepareDatabase(folder)),
  };
  const isWhole = given[0] !== '--endpoints' && !given.some((word) => word.endsWith('.js'));
  const codes = await (isWhole ? runParts(given, env) : [runOne(given, env)]);
  return Math.max(...(await Promise.all(codes)));
}

/** `make docs`, or the tests of some files. */
function runOne(given: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const words = given[0] === '--endpoints' ? [here('./endpoints.js')] : mochaWords(given);
  return start(process.execPath, words, env).code;
}

/**
 * All tests. The first part prints at once. Each other part prints when the parts before it have ended, so that lines
 * do not mix. Failed tests are printed again at the end, where a reader looks first.
 */
async function runParts(given: readonly string[], env: NodeJS.ProcessEnv): Promise<Promise<number>[]> {
  const all = await readdir(here('.'), { recursive: true });
  const files = all.filter((file) => file.endsWith('.test.js')).sort();
  const started = partsOf(files.map(here), PARTS).map((part) =>
    start(process.execPath, mochaWords([...given, ...part]), env, 'pipe'),
  );
  const ended = started.map(({ stdout, code }, number) => {
    const copy = new PassThrough();
    stdout?.pipe(copy);
    if (number === 0) stdout?.pipe(process.stdout, { end: false });
    return { code, printed: text(copy) };
  });
  const failures: string[] = [];
  for (const [number, { printed, code }] of ended.entries()) {
    const output = await printed;
    if (number > 0) process.stdout.write(output);
    if ((await code) === 0) continue;
    const at = output.search(FAILING);
    failures.push(
      `part ${number + 1} of ${PARTS} failed:\n${at < 0 ? '  It ended without a report: its error stands further up.' : output.slice(at).trimEnd()}\n`,
    );
  }
  process.stdout.write(failures.join('\n'));
  return ended.map(({ code }) => code);
}

function mochaWords(words: readonly string[]): string[] {
  const reporter = here('./support/process/seconds-reporter.js');
  return [mocha, '--require', here('./support/service/service.js'), '--reporter', reporter, ...words];
}

function start(
  program: string,
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  output: 'inherit' | 'pipe' = 'inherit',
) {
  const child = spawn(program, words, { stdio: ['ignore', output, 'inherit'], env });
  return { stdout: child.stdout, code: once(child, 'exit').then(([code]) => Number(code ?? 1)) };
}
