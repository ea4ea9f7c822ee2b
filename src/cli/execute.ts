// Runs one command: opens the database, prints the result, and always closes the database.
import pino from 'pino';
import { type Base, openBase } from '../platform/base.ts';
import type { Config } from '../platform/config.ts';
import type { CommandContext, Result } from './command.ts';
import type { Execute, Output } from './program.ts';
import { noProgress, progressOnStderr } from './progress.ts';

interface ExecuteOptions {
  /** Throws ConfigError. */
  readonly config: () => Config;
  readonly output: Output;
  readonly input: CommandContext['input'];
  /** Aborted when the command must end. The reason is the error that the command throws. */
  readonly signal: AbortSignal;
  /** Called when the command has done its work and printed the result. */
  readonly onResult?: (exitCode: number) => void;
}

export const makeExecute =
  ({ config: read, output, input, signal, onResult }: ExecuteOptions): Execute =>
  async (command, options, args) => {
    const config = read();
    const level = options.json ? 'silent' : 'warn';
    const log = pino({ level, base: undefined }, pino.destination({ fd: 2, sync: true }));
    const base = command.offline ? undefined : await openBase(config, log, { migrate: command.migrate });
    try {
      const print = ({ json, text }: Result) =>
        output.out(options.json ? `${JSON.stringify(json)}\n` : `${text}\n`);
      const showProgress = options.json ? noProgress : progressOnStderr;
      const work = command.run(base as Base, options, args, {
        config,
        signal,
        showProgress,
        input,
        print,
        warn: (line) => output.err(`forecourt: ${line}\n`),
      });
      const result = await (command.handlesAbort ? work : Promise.race([work, aborted(signal)]));
      print(result);
      const { exitCode = 0 } = result;
      onResult?.(exitCode);
      return exitCode;
    } finally {
      await base?.close();
    }
  };

const aborted = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
