// Builds the command line from the list of commands: names, options, and help with examples. Prints all errors and
// chooses all exit codes.
import { Command, CommanderError } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { Problem } from '../core/errors.ts';
import { ConfigError } from '../platform/config.ts';
import { type CliCommand, type Given, UsageError } from './command.ts';
import { COMMANDS } from './commands.ts';

const REFUSED = 1;
const WRONG_USAGE = 2;

const FIRST_STEPS = ['owner create', 'key create', 'employee create'];

/** Runs one command and returns its exit code. Throws if the command fails. */
export type Execute = (command: CliCommand, options: Given, args: readonly string[]) => Promise<number>;

/** Standard output and standard error. */
export interface Output {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** Runs the command line and returns the exit code: 0, 1 (refused) or 2 (wrong usage). */
export async function runProgram(
  words: readonly string[],
  execute: Execute,
  output: Output,
): Promise<number> {
  let exitCode = 0;
  const program = buildProgram(async (...asked) => {
    exitCode = await execute(...asked);
    return exitCode;
  }, output);
  try {
    await program.parseAsync(words, { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has already printed its error. Requested help also ends with an error, but with exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE;
    for (const line of await linesOf(error)) output.err(`forecourt: ${line}\n`);
    return error instanceof UsageError ? WRONG_USAGE : REFUSED;
  }
}

async function linesOf(error: unknown): Promise<string[]> {
  if (error instanceof Problem) return error.violations.map(({ message }) => message);
  if (error instanceof ConfigError) return error.message.split('\n');
  const { errorLine } = await import('./error-line.ts');
  return [errorLine(error)];
}

/** Builds the whole command line. `execute` gets the chosen command. */
export function buildProgram(execute: Execute, { out, err }: Output): Command {
  const program = new Command('forecourt')
    .description('Operates Forecourt, the dealership and workshop service')
    .version(manifest.version)
    .exitOverride()
    .configureOutput({
      writeOut: out,
      writeErr: err,
      outputError: (text, write) => write(text.replace(/^error:/, 'forecourt:')),
    })
    .showHelpAfterError('forecourt: --help shows the usage');
  for (const command of COMMANDS) {
    const [first = '', second, ...rest] = command.words.split(' ');
    const grouped = second !== undefined && /^[a-z]/.test(second);
    const parent = grouped ? groupNamed(program, first) : program;
    const leaf = parent.command(grouped ? [second, ...rest].join(' ') : command.words);
    leaf
      .description(command.summary)
      .option(
        '--json',
        `print ${command.goesOn ? 'JSON objects, one a line,' : 'one JSON object'} and nothing else`,
      )
      .addHelpText('after', examples([command]));
    for (const option of Object.values(command.options ?? {})) leaf.addOption(option);
    leaf.action(async (...given: unknown[]) => {
      await execute(command, given.at(-2) as Given, given.slice(0, -2).map(String));
    });
  }
  const first = FIRST_STEPS.flatMap((words) => COMMANDS.find((command) => command.words === words) ?? []);
  // bin/forecourt starts the service; this program is the command line only.
  return program.addHelpText('after', `\nThe service itself: forecourt serve\n${examples(first)}`);
}

function groupNamed(program: Command, name: string): Command {
  const known = program.commands.find((one) => one.name() === name);
  if (known) return known;
  const members = COMMANDS.filter(({ words }) => words.startsWith(`${name} `));
  return program.command(name).description(`Commands about ${name}s`).addHelpText('after', examples(members));
}

function examples(commands: readonly CliCommand[]): string {
  const lines = commands.map(({ example }) => `  forecourt ${example}`);
  return `\n${lines.length > 1 ? 'Examples' : 'Example'}:\n${lines.join('\n')}`;
}
