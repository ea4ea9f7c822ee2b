// Serves from the sources, for who changes them: compiles on each change, and starts the service again. The private
// database runs on meanwhile, so a restart takes a second or two. Words behind it are options of Node: `--inspect`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { resolve } from 'node:path';

const FOLDERS = ['dist/src', 'dist/workers', 'dist/migrations'];
/** The compiler writes several files for one change. */
const QUIET_MS = 200;

const { readConfig } = await import('../dist/src/platform/config.js');
const { joinPrivateServer } = await import('../dist/src/platform/database/private-server.js');

const say = (line) => process.stderr.write(`forecourt: ${line}\n`);
const { database, storageDir, databaseServer: kind } = readConfig();
const server = database
  ? undefined
  : await joinPrivateServer({ directory: resolve(storageDir, 'database'), kind });
// A group of its own: the compiler starts a program, which would outlive it.
const compiler = spawn('node_modules/.bin/tsc', ['--watch', '--preserveWatchOutput'], {
  stdio: 'inherit',
  detached: true,
});
let service;
let isStopping = false;
let restarting = Promise.resolve();
let timer;

start();
for (const folder of FOLDERS)
  watch(folder, { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      restarting = restarting.then(restart);
    }, QUIET_MS);
  });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void stop());

function start() {
  service = spawn(process.execPath, [...process.argv.slice(2), 'dist/src/main.js'], { stdio: 'inherit' });
  service.once('exit', (code) => {
    if (!isStopping && code) say('the service has ended; the next change starts it again');
  });
}

async function restart() {
  if (isStopping) return;
  const begun = Date.now();
  await end(service);
  start();
  say(`started again, the old process took ${Date.now() - begun} ms to end`);
}

async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function stop() {
  if (isStopping) return;
  isStopping = true;
  await restarting;
  if (compiler.exitCode === null) process.kill(-compiler.pid, 'SIGTERM');
  await end(service);
  await server?.leave();
  process.exit(0);
}
