// Starts the processes that are measured, and reads their CPU time and memory from /proc.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '../src/platform/config.ts';

const CLOCK_TICKS = 100;
const POLL_MS = 20;

/** The path of a compiled file, given relative to bench/. */
export const compiled = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export interface Server {
  readonly pid: number;
  readonly url: string;
  stop(): Promise<void>;
}

export interface Program {
  /** A compiled file, relative to bench/. */
  readonly file: string;
  readonly args?: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
  /** Options for node itself. */
  readonly node?: readonly string[];
  /** The file for its output, as in production. */
  readonly log: string;
}

/** Starts a server on a free PORT and waits until it listens. */
export async function startServer(program: Program): Promise<Server> {
  const { file, args = [], environment = {}, node = [], log } = program;
  const port = await freePort();
  // Directly into a file: reading a pipe would cost this process CPU time during the measurement.
  const output = openSync(log, 'w');
  const child = spawn(process.execPath, [...node, compiled(file), ...args], {
    stdio: ['ignore', output, output],
    env: childEnvironment({ ...environment, PORT: String(port) }),
  });
  closeSync(output);
  const exited = once(child, 'exit');
  while (!(await listens(port))) {
    if (child.exitCode !== null) throw new Error(`${file} did not start; see ${log}`);
    await sleep(POLL_MS);
  }
  return { pid: child.pid ?? 0, url: `http://127.0.0.1:${port}`, stop: () => stop(child, exited) };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    }).on('error', () => resolve(false));
  });
}

async function stop(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  child.kill('SIGTERM');
  await exited;
}

/** Runs one of our programs with JSON as input and output. Throws if it fails. */
export async function runProgram<Answer>(file: string, input: unknown): Promise<Answer> {
  const child = spawn(process.execPath, [compiled(file)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  child.stdin.end(JSON.stringify(input));
  let text = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) text += chunk;
  const [code] = await closed;
  if (code !== 0) throw new Error(`${file} ended with ${code}`);
  return JSON.parse(text) as Answer;
}

/** Reads the input that runProgram sends. */
export async function readInput<Input>(): Promise<Input> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk;
  return JSON.parse(text) as Input;
}

/** One of our programs that answers one input after the other. */
interface Answerer<Input, Answer> {
  /** Throws if the program ended. */
  ask(input: Input): Promise<Answer>;
  stop(): Promise<void>;
}

export function startAnswerer<Input, Answer>(file: string): Answerer<Input, Answer> {
  const child = spawn(process.execPath, [compiled(file)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    ask: async (input) => {
      child.stdin.write(`${JSON.stringify(input)}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error(`${file} ended`);
      return JSON.parse(value) as Answer;
    },
    stop: async () => {
      child.stdin.end();
      await closed;
    },
  };
}

/** Answers the inputs that an Answerer sends, until they end. */
export async function answerInputs<Input, Answer>(answer: (input: Input) => Promise<Answer>): Promise<void> {
  for await (const line of createInterface({ input: process.stdin }))
    process.stdout.write(`${JSON.stringify(await answer(JSON.parse(line) as Input))}\n`);
}

/** Seconds of CPU time that all threads of a process have used so far. */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS;
}

/** Megabytes of memory: current (VmRSS) or peak (VmHWM). */
export function memory(pid: number, which: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return (Number(new RegExp(`${which}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) * 1024) / 1e6;
}
