// Starts the service as a process, with a private database and a storage of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Json } from '../client/client.ts';
import { until } from '../service/until.ts';

/** The folder of the compiled project. */
export const COMPILED = fileURLToPath(new URL('../../../', import.meta.url));

export interface StartedProcess {
  readonly child: ChildProcess;
  readonly url: string;
  /** The text that the process has printed so far. */
  readonly output: () => string;
  kill(signal: NodeJS.Signals): Promise<void>;
}

/** The settings of memory of bin/forecourt. */
const MEMORY = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '4194304' };

/** Environment of a process that shares nothing with the test run but the certificates. */
export const processEnvironment = (storage: string, changes: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  ...process.env,
  ...MEMORY,
  DATABASE_URL: '',
  PORT: '0',
  STORAGE_DIR: storage,
  WEBHOOK_ALLOW: '127.0.0.0/8,::1/128',
  ...changes,
});

/** Runs a program to its end. `compiled`: the folder of another version of the project. */
export async function run(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  compiled = COMPILED,
) {
  const child = spawn(process.execPath, [join(compiled, 'src', program), ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const out: string[] = [];
  const err: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => out.push(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => err.push(text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out: out.join(''), err: err.join('') };
}

/** A command of the command line with --json; its object. Throws if it fails. */
export async function cli(env: NodeJS.ProcessEnv, ...words: string[]): Promise<Json> {
  const { code, out, err } = await run('cli/main.js', [...words, '--json'], env);
  if (code !== 0) throw new Error(`forecourt ${words.join(' ')} ended with ${code}: ${err}`);
  return JSON.parse(out) as Json;
}

/** The services that were started and have not ended. */
const running = new Set<ChildProcess>();

/** Ends the services that tests have left running, since mocha waits for them for ever. Answers how many there were. */
export function endLeftServices(): number {
  const left = [...running];
  for (const child of left) child.kill('SIGKILL');
  return left.length;
}

/** Starts the service, and does not wait until it listens. `stdout`: an open file in place of a pipe. */
export function spawnProcess(
  env: NodeJS.ProcessEnv,
  compiled = COMPILED,
  stdout: 'pipe' | number = 'pipe',
): Omit<StartedProcess, 'url'> {
  const child = spawn(process.execPath, [join(compiled, 'src/main.js')], {
    env,
    stdio: ['ignore', stdout, 'pipe'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => output.push(text));
  return {
    child,
    output: () => output.join(''),
    kill: async (signal) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    },
  };
}

/** `onSpawn`: what is done with the process before it has read its first file. */
export async function startProcess(
  env: NodeJS.ProcessEnv,
  compiled = COMPILED,
  onSpawn?: (child: ChildProcess) => Promise<void>,
): Promise<StartedProcess> {
  const spawned = spawnProcess(env, compiled);
  const { child, output } = spawned;
  await onSpawn?.(child);
  const url = await until(async () => {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}: ${output()}`);
    return /"url":"([^"]+)","msg":"listening"/.exec(output())?.[1];
  }, 60_000);
  return { ...spawned, url };
}
