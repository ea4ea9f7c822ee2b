// The shape of a command of the command line and of its options, and checks that commands share. Help loads the files
// of all commands, so a command imports within `run` what its work needs (`test/cli/loaded.test.ts`).

import { access, constants, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Option } from 'commander';
import { INT4_MAX } from '../core/model/fields/int4.ts';
import { parseTimestamp } from '../core/trade/time/timestamp.ts';
import type { Base } from '../platform/base.ts';
import type { Config } from '../platform/config.ts';
import type { ShowProgress } from './progress.ts';

/** The result of a command: an object for scripts and lines for people. */
export interface Result {
  readonly json: object;
  readonly text: string;
  /** 1 if the command worked but found a problem (doctor). Default 0. */
  readonly exitCode?: number;
}

export interface CommandContext {
  readonly config: Config;
  /** Aborted when the command must end. */
  readonly signal: AbortSignal;
  /** Runs work that reports its progress, and shows the progress unless --json is given. */
  readonly showProgress: ShowProgress;
  /** Standard input. */
  readonly input: AsyncIterable<string | Uint8Array>;
  /** Prints one object with --json, or else lines, while the command goes on. */
  readonly print: (shown: Pick<Result, 'json' | 'text'>) => void;
  /** Prints one line on standard error. */
  readonly warn: (line: string) => void;
}

/** An option of commander, with the type of its value in `run`. */
type CliOption<T = unknown> = Option & { readonly value?: T };

/** Options by the names that commander derives from their flags. */
type CliOptions = Readonly<Record<string, CliOption>>;
type Values<O extends CliOptions> = {
  readonly [K in keyof O]: O[K] extends CliOption<infer T> ? T : never;
};

/** The values of a command's options, as commander has read them. All commands have --json. */
export type Given = Readonly<Record<string, unknown>> & { readonly json?: true };

/** One command. `words`: its name and its arguments. `run` gets the values of the options, then the arguments. */
export interface CliCommand<O extends CliOptions = CliOptions> {
  readonly words: string;
  readonly summary: string;
  readonly options?: O;
  readonly example: string;
  /** Whether the command works without a database. */
  readonly offline?: boolean;
  /** Whether migrations run first. Default true. */
  readonly migrate?: boolean;
  /** Whether the command prints objects until it is stopped. */
  readonly goesOn?: boolean;
  /** Whether the command cleans up and ends when its signal is aborted. Other commands are abandoned. */
  readonly handlesAbort?: boolean;
  run(base: Base, options: Values<O>, args: readonly string[], context: CommandContext): Promise<Result>;
}

/** Declares a command: TypeScript infers from `options` what `run` gets. */
export const command = <O extends CliOptions>(declared: CliCommand<O>): CliCommand<O> => declared;

export const optional = (flags: string, help: string): CliOption<string | undefined> =>
  new Option(flags, help);

export const required = (flags: string, help: string): CliOption<string> =>
  new Option(flags, help).makeOptionMandatory();

export const withDefault = (flags: string, help: string, value: string): CliOption<string> =>
  new Option(flags, help).default(value);

export const flag = (flags: string, help: string): CliOption<true | undefined> => new Option(flags, help);

/** An option that may be given several times. */
export const several = (flags: string, help: string): CliOption<string[]> =>
  new Option(flags, help).default([]);

export const optionalNumber = (flags: string, help: string): CliOption<number | undefined> => {
  const option = new Option(flags, help);
  return option.argParser((text) => parseWholeNumber(`${option.long}`, text));
};

export const requiredNumber = (flags: string, help: string): CliOption<number> =>
  optionalNumber(flags, help).makeOptionMandatory();

/** Wrong arguments: exit code 2. */
export class UsageError extends Error {}

/** Throws if there is no such owner. */
export async function requireOwner({ database }: Base, owner: number): Promise<void> {
  const { garageOf } = await import('../core/model/statements/garage.ts');
  const { Owner } = await import('../core/resources/owner.ts');
  const known = await Owner.of(garageOf(database, owner)).select('id').first();
  if (!known) throw new Error(`There is no owner ${owner}`);
}

/** For `catch`: throws a failure that jobs expect, too, with its plain text. */
export async function throwPlainly(error: unknown): Promise<never> {
  const { expectedFailure } = await import('../platform/job-failure.ts');
  throw expectedFailure(error) ?? error;
}

/**
 * The path of a file to write. Throws if something else is there, because a rename would fail on a folder and replace a
 * device, and if its folder can't be written to.
 */
export async function fileToWrite(file: string): Promise<string> {
  const path = resolve(file);
  const isNoFile = await stat(path).then(
    (found) => !found.isFile(),
    () => false,
  );
  if (isNoFile) throw new Error(`${file} exists and is not a file`);
  await access(dirname(path), constants.W_OK);
  return path;
}

/** Parses a whole number above 0. Throws a UsageError that names the option or the argument. */
export function parseWholeNumber(name: string, text = ''): number {
  if (!/^[1-9]\d*$/.test(text)) throw new UsageError(`${name} must be a whole number above 0, not "${text}"`);
  if (Number(text) > INT4_MAX) throw new UsageError(`${name} must be at most ${INT4_MAX}, not "${text}"`);
  return Number(text);
}

/** The value of an option that takes one of these words. Throws a UsageError. */
export function parseWord<T extends string>(name: string, words: readonly T[], text: string): T {
  const found = words.find((word) => word === text);
  if (found === undefined) throw new UsageError(`${name} must be one of ${words.join(', ')}, not "${text}"`);
  return found;
}

/** A day as `YYYY-MM-DD`. Throws a UsageError. */
function parseDay(name: string, text: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(text) && parseTimestamp(text) !== undefined) return text;
  throw new UsageError(`${name} must be a day such as 2026-01-31, not "${text}"`);
}

/** The days of `--from` and `--to`, both included. */
export function parseDays(first: string, last: string): { from: string; to: string } {
  const [from, to] = [parseDay('--from', first), parseDay('--to', last)];
  if (to < from) throw new UsageError(`--to must not be before --from, but is "${to}"`);
  return { from, to };
}

/** `1 row`, `2 rows`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** One line for each name and its number. */
export const numberLines = (numbers: Readonly<Record<string, number>>, width = 26): string =>
  Object.entries(numbers)
    .map(([name, number]) => `  ${name.padEnd(width)}${number}`)
    .join('\n');
