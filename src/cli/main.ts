// The command line as a process: its words, its streams, and Ctrl-C.
import { constants } from 'node:os';
import { readConfig } from '../config.ts';
import { executeIn } from './execute.ts';
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

// Whoever reads no further (`| head`) has had what they wanted.
process.stdout.on('error', () => {});
const output = {
  out: (text: string) => process.stdout.write(text),
  err: (text: string) => process.stderr.write(text),
};
const execute = executeIn({ config: readConfig, output, signal: interruption.signal });
process.exitCode = await runProgram(process.argv.slice(2), execute, output);
// What was left unfinished would keep the process alive.
if (stopped) process.exit(stopped.exitCode);
