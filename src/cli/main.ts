// The command line. Each command is one file that says what it takes and answers a result; how results,
// refusals and wrong usage are shown, and with which exit code, is decided here once.
import { Command, CommanderError } from 'commander';
import pino from 'pino';
import manifest from '../../package.json' with { type: 'json' };
import { ConfigError, readConfig } from '../config.ts';
import { Problem } from '../errors.ts';
import { type Base, openBase } from '../service.ts';
import { type CliCommand, type Options, UsageError } from './command.ts';
import { COMMANDS } from './commands.ts';

const REFUSED = 1;
const WRONG_USAGE = 2;

function build(): Command {
  const program = new Command('forecourt')
    .description('Operates Forecourt, the dealership and workshop service')
    .version(manifest.version)
    .exitOverride()
    .configureOutput({ writeErr: (text) => process.stderr.write(text) });
  const groups = new Map<string, Command>();
  for (const command of COMMANDS) {
    const [first = '', second, ...rest] = command.words.split(' ');
    const grouped = second !== undefined && /^[a-z]/.test(second);
    const parent = grouped ? groupNamed(program, groups, first) : program;
    const leaf = parent.command(grouped ? [second, ...rest].join(' ') : command.words);
    leaf
      .description(command.summary)
      .option('--json', 'print one JSON object and nothing else')
      .addHelpText('after', `\nExample:\n  forecourt ${command.example}`)
      .exitOverride();
    for (const [flags, description] of command.required ?? []) leaf.requiredOption(flags, description);
    for (const [flags, description, fallback] of command.options ?? []) {
      if (flags.includes('...')) leaf.option(flags, description, []);
      else leaf.option(flags, description, fallback);
    }
    leaf.action(async (...given: unknown[]) => {
      const args = given.slice(0, -2).map(String);
      await execute(command, given.at(-2) as Options, args);
    });
  }
  return program;
}

function groupNamed(program: Command, groups: Map<string, Command>, name: string): Command {
  const known = groups.get(name);
  if (known) return known;
  const group = program.command(name).description(`Commands about ${name}s`).exitOverride();
  groups.set(name, group);
  return group;
}

async function execute(command: CliCommand, options: Options, args: readonly string[]): Promise<void> {
  const config = readConfig();
  const level = options.json ? 'silent' : 'warn';
  const log = pino({ level, base: undefined }, pino.destination({ fd: 2, sync: true }));
  const base = command.offline ? undefined : await openBase(config, log, { migrate: command.migrate });
  try {
    const result = await command.run(base as Base, options, args);
    process.stdout.write(options.json ? `${JSON.stringify(result.json)}\n` : `${result.text}\n`);
    process.exitCode = result.exitCode ?? 0;
  } finally {
    await base?.close();
  }
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) {
    // Commander has said already what is wrong; asking for help is not wrong.
    return error.exitCode === 0 || error.code === 'commander.help' ? 0 : WRONG_USAGE;
  }
  const lines =
    error instanceof Problem
      ? error.violations.map(({ message }) => message)
      : error instanceof ConfigError
        ? error.message.split('\n')
        : [error instanceof Error ? error.message : String(error)];
  for (const line of lines) process.stderr.write(`forecourt: ${line}\n`);
  return error instanceof UsageError ? WRONG_USAGE : REFUSED;
}

build()
  .parseAsync()
  .catch((error) => {
    process.exitCode = exitCodeOf(error);
  });
