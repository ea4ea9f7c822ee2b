// The shape of a command of the command line, and checks that commands share.

import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Config } from '../config.ts';
import { Owner } from '../resources/owner.ts';
import type { Base } from '../service.ts';

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
}

/** One command. `words` is its name and its arguments. `run` gets the options, and the arguments in order. */
export interface CliCommand {
  readonly words: string;
  readonly summary: string;
  readonly options?: readonly (readonly [flags: string, description: string, fallback?: string])[];
  readonly required?: readonly (readonly [flags: string, description: string])[];
  readonly example: string;
  /** Whether the command works without a database. */
  readonly offline?: boolean;
  /** Whether migrations run first. Default true. */
  readonly migrate?: boolean;
  /** Whether the command cleans up and ends when its signal is aborted. Other commands are abandoned. */
  readonly handlesAbort?: boolean;
  readonly run: (
    base: Base,
    options: Options,
    args: readonly string[],
    context: CommandContext,
  ) => Promise<Result>;
}

export type Options = Readonly<Record<string, string | boolean | string[] | undefined>>;

const LARGEST_ID = 2147483647;

/** Wrong arguments: exit code 2. */
export class UsageError extends Error {}

/** Throws if there is no such owner. */
export async function requireOwner({ database }: Base, owner: number): Promise<void> {
  const known = await Owner.of(database, owner).select('id').first();
  if (!known) throw new Error(`There is no owner ${owner}`);
}

/** The path of a file to write. Throws where something else is there: a rename would fail on a folder and replace a device. */
export async function fileToWrite(file: string): Promise<string> {
  const path = resolve(file);
  const isNoFile = await stat(path).then(
    (found) => !found.isFile(),
    () => false,
  );
  if (isNoFile) throw new Error(`${file} exists and is not a file`);
  return path;
}

/** Parses a whole number above 0. Throws a UsageError that names the option. */
export function parseWholeNumber(name: string, value: unknown): number {
  const text = String(value);
  if (!/^[1-9]\d*$/.test(text)) throw new UsageError(`${name} must be a whole number above 0, not "${text}"`);
  if (Number(text) > LARGEST_ID) throw new UsageError(`${name} must be at most ${LARGEST_ID}, not "${text}"`);
  return Number(text);
}
