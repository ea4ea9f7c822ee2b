// The process of the command line: arguments, output streams and Ctrl-C.
import { constants } from 'node:os';
import { readConfig } from '../platform/config.ts';
import { type Execute, runProgram } from './program.ts';

class Interrupted extends Error {
  readonly exitCode: number;

  constructor(signal: NodeJS.Signals) {
    super(`interrupted by ${signal}`);
    this.exitCode = 128 + constants.signals[signal];
  }
}

/** Aborted by the first signal. Then the database is closed and the process ends. A second signal ends it at once. */
const interruption = new AbortController();
let stopped: Interrupted | undefined;
/** The exit code of a command that has printed its result. Work that is done is not to be done again by a script. */
let done: number | undefined;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    if (stopped) process.exit(done ?? stopped.exitCode);
    stopped = new Interrupted(signal);
    interruption.abort(stopped);
  });

// A reader such as `| head` may close the pipe early.
process.stdout.on('error', () => {});
const output = {
  out: (text: string) => process.stdout.write(text),
  err: (text: string) => process.stderr.write(text),
};
// Help and wrong usage need neither the database nor what leads there.
const execute: Execute = async (...asked) => {
  const { makeExecute } = await import('./execute.ts');
  const { signal } = interruption;
  const onResult = (exitCode: number) => {
    done = exitCode;
  };
  return makeExecute({ config: readConfig, output, input: process.stdin, signal, onResult })(...asked);
};
process.exitCode = await runProgram(process.argv.slice(2), execute, output);
// An abandoned command would keep the process alive.
if (stopped) process.exit(done ?? stopped.exitCode);
