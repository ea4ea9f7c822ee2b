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

/** More than cores: tests wait for databases, callbacks and leases. */
const PARTS = 4;
/**
 * How long the slowest files take, in seconds: the parts end together. All other files take about as long as each
 * other.
 */
const SLOW: Readonly<Record<string, number>> = {
  'client/generators': 120,
  'process/chaos-kill': 60,
  'process/clock-back': 60,
  'process/chaos-away': 50,
  'process/start': 40,
  'process/run': 40,
  'storage/service': 40,
  'import/batch': 35,
  'process/chaos-load': 30,
  'database/start-lock': 30,
  'database/private-server': 25,
  'process/clock-ahead': 20,
  'import/import-job': 20,
  'archive/restore': 15,
  'releases/rolling': 15,
  'process/jobs': 15,
  'process/kill': 15,
  'export/export': 15,
};
const USUAL = 2;
/** The line of mocha above the tests that failed, with or without colours. */
const FAILING = /^\W*(\d+m)?\s*\d+ failing\b/m;

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
  const isChecked = given[0] === '--check';
  const failed = isChecked ? await check() : 0;
  process.exitCode = failed || (await test(given.slice(isChecked ? 1 : 0)));
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
  const started = partsOf(files).map((part) =>
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

/** The slowest files first, each into the part that is the shortest so far. */
function partsOf(files: readonly string[]): string[][] {
  const parts = Array.from({ length: PARTS }, () => ({ seconds: 0, files: [] as string[] }));
  const secondsOf = (file: string) => SLOW[file.replace('.test.js', '')] ?? USUAL;
  for (const file of files.toSorted((one, other) => secondsOf(other) - secondsOf(one))) {
    const [shortest] = parts.toSorted((one, other) => one.seconds - other.seconds);
    shortest?.files.push(here(file));
    if (shortest) shortest.seconds += secondsOf(file);
  }
  return parts.map((part) => part.files);
}

function mochaWords(words: readonly string[]): string[] {
  return [mocha, '--require', here('./support/service/service.js'), ...words];
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
