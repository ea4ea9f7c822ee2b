// The options that give a password to a command. Every user of the machine can read the arguments of a process, so
// scripts pass a password through standard input.

import { problem } from '../core/errors.ts';
import { type CommandContext, flag, optional } from './command.ts';

/** Far more than the longest password has. */
const MOST_BYTES = 4_096;

export const PASSWORD_OPTIONS = {
  password: optional(
    '--password <password>',
    'at least 12 characters; other users of the machine can see it',
  ),
  passwordStdin: fromStdin(),
};

function fromStdin() {
  const option = flag('--password-stdin', 'read the password from standard input');
  option.conflicts('password');
  return option;
}

interface Given {
  readonly password: string | undefined;
  readonly passwordStdin: true | undefined;
}

/** The password as one of the two options gives it; undefined if none does. Throws Problem if it is empty. */
export async function givenPassword(
  { password, passwordStdin }: Given,
  { input, warn }: Pick<CommandContext, 'input' | 'warn'>,
): Promise<string | undefined> {
  if (password !== undefined)
    warn('other users of this machine can see the value of --password: use --password-stdin');
  const given = passwordStdin ? await readPassword(input) : password;
  if (given === '') throw problem('field_empty', { field: 'password' });
  return given;
}

/** All of the input without one line feed at its end, which `echo` and editors add. */
async function readPassword(input: CommandContext['input']): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    if (bytes > MOST_BYTES)
      throw new Error(`the password on standard input is longer than ${MOST_BYTES} bytes`);
    chunks.push(part);
  }
  return textOf(Buffer.concat(chunks)).replace(/\n$/, '');
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error('the password on standard input is not UTF-8');
  }
}
