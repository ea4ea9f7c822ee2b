// The command line as a process: opens what a command needs, prints what it answers, and closes the database
// also where Ctrl-C ends it.
import { constants } from 'node:os';
import pino from 'pino';
import { readConfig } from '../config.ts';
import { type Base, openBase } from '../service.ts';
import type { CliCommand, Options } from './command.ts';
import { runProgram } from './program.ts';

class Interrupted extends Error {
  readonly exitCode: number;

  constructor(signal: NodeJS.Signals) {
    super(`interrupted by ${signal}`);
    this.exitCode = 128 + constants.signals[signal];
  }
}

/** Aborted by Ctrl-C and the like; the database is closed before the process ends. A second one does not wait. */
const interruption = new AbortController();
let stopped: Interrupted | undefined;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    if (stopped) process.exit(stopped.exitCode);
    stopped = new Interrupted(signal);
    interruption.abort(stopped);
  });
const interrupted = new Promise<never>((_resolve, reject) => {
  interruption.signal.addEventListener('abort', () => reject(stopped));
});
interrupted.catch(() => {});

async function execute(command: CliCommand, options: Options, args: readonly string[]): Promise<number> {
  const config = readConfig();
  const level = options.json ? 'silent' : 'warn';
  const log = pino({ level, base: undefined }, pino.destination({ fd: 2, sync: true }));
  const base = command.offline ? undefined : await openBase(config, log, { migrate: command.migrate });
  try {
    const work = command.run(base as Base, options, args, interruption.signal);
    const result = await (command.endsItself ? work : Promise.race([work, interrupted]));
    process.stdout.write(options.json ? `${JSON.stringify(result.json)}\n` : `${result.text}\n`);
    return result.exitCode ?? 0;
  } finally {
    await base?.close();
  }
}

// Whoever reads no further (`| head`) has had what they wanted.
process.stdout.on('error', () => {});
process.exitCode = await runProgram(process.argv.slice(2), execute, {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
// What was left unfinished would keep the process alive.
if (stopped) process.exit(stopped.exitCode);
