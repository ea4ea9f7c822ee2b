// Runs one command: opens what it needs, prints what it answers, and closes the database whatever happens.
import pino from 'pino';
import type { Config } from '../config.ts';
import { type Base, openBase } from '../service.ts';
import type { Execute, Output } from './program.ts';

interface Surroundings {
  /** Throws ConfigError. */
  readonly config: () => Config;
  readonly output: Output;
  /** Aborted where the command is to end; its reason says why. */
  readonly signal: AbortSignal;
}

export const executeIn =
  ({ config: read, output, signal }: Surroundings): Execute =>
  async (command, options, args) => {
    const config = read();
    const level = options.json ? 'silent' : 'warn';
    const log = pino({ level, base: undefined }, pino.destination({ fd: 2, sync: true }));
    const base = command.offline ? undefined : await openBase(config, log, { migrate: command.migrate });
    try {
      const work = command.run(base as Base, options, args, { config, signal });
      const result = await (command.endsItself ? work : Promise.race([work, aborted(signal)]));
      output.out(options.json ? `${JSON.stringify(result.json)}\n` : `${result.text}\n`);
      return result.exitCode ?? 0;
    } finally {
      await base?.close();
    }
  };

const aborted = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
