// Runs the command line in the process of the tests, because a process for each command takes too long.

import { Readable } from 'node:stream';
import { makeExecute } from '../../../src/cli/execute.ts';
import { type Execute, runProgram } from '../../../src/cli/program.ts';
import { readConfig } from '../../../src/platform/config.ts';
import type { Json } from '../client/client.ts';
import { expect } from '../client/expect.ts';

interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/**
 * Runs the command of these words in that environment, or by that function. `signal`: ends a command that goes on.
 * `typed`: standard input.
 */
export async function forecourt(
  where: NodeJS.ProcessEnv | Execute,
  words: readonly string[],
  signal = new AbortController().signal,
  typed: string | Buffer = '',
): Promise<Said> {
  const said = { out: '', err: '' };
  const output = {
    out: (text: string) => {
      said.out += text;
    },
    err: (text: string) => {
      said.err += text;
    },
  };
  const execute =
    typeof where === 'function'
      ? where
      : makeExecute({ config: () => readConfig(where), output, input: Readable.from([typed]), signal });
  return { code: await runProgram(words, execute, output), ...said };
}

/** The object of a command with --json, which must succeed. */
export async function forecourtJson(env: NodeJS.ProcessEnv, ...words: string[]): Promise<Json> {
  const { code, out, err } = await forecourt(env, [...words, '--json']);
  expect([code, err], out).to.deep.equal([0, '']);
  return JSON.parse(out);
}
