// What a command of the command line is.
import type { Config } from '../config.ts';
import { modelNamed } from '../model/registry.ts';
import type { Base } from '../service.ts';

/** What a command answers: an object for scripts, lines for people. */
export interface Result {
  readonly json: object;
  readonly text: string;
  /** 1 where the command did its work and found something wrong (doctor). */
  readonly exitCode?: number;
}

/** What a command may need besides the database. */
export interface Around {
  readonly config: Config;
  /** Aborted where the command is to end. */
  readonly signal: AbortSignal;
}

/** One command: `words` is its name with arguments, `run` gets them in order, then the options. */
export interface CliCommand {
  readonly words: string;
  readonly summary: string;
  readonly options?: readonly (readonly [flags: string, description: string, fallback?: string])[];
  readonly required?: readonly (readonly [flags: string, description: string])[];
  readonly example: string;
  /** Whether it works without a database. */
  readonly offline?: boolean;
  /** Whether tables are brought up to date before; they are unless said otherwise. */
  readonly migrate?: boolean;
  /** Whether it ends by itself when its signal is aborted, having cleared away what it began; others are left. */
  readonly endsItself?: boolean;
  readonly run: (base: Base, options: Options, args: readonly string[], around: Around) => Promise<Result>;
}

export type Options = Readonly<Record<string, string | boolean | string[] | undefined>>;

const LARGEST_ID = 2147483647;

/** Arguments that make no sense: exit code 2. */
export class UsageError extends Error {}

/** Throws where there is no such garage. */
export async function demandOwner({ database }: Base, owner: number): Promise<void> {
  const known = await modelNamed('owner').query(database.knex).select('id').findById(owner);
  if (!known) throw new Error(`There is no owner ${owner}`);
}

/** A whole number above 0 that an ID can be, as options give it. */
export function count(name: string, value: unknown): number {
  const text = String(value);
  if (!/^[1-9]\d*$/.test(text)) throw new UsageError(`${name} must be a whole number above 0, not "${text}"`);
  if (Number(text) > LARGEST_ID) throw new UsageError(`${name} must be at most ${LARGEST_ID}, not "${text}"`);
  return Number(text);
}
