// The processes that a cluster script starts. Each has a process group and a log of its own. All of them end with the
// script, even if the script is interrupted.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';

export interface Child {
  readonly name: string;
  readonly pid: number;
  /** The text that the process has printed so far. */
  readonly output: () => string;
  readonly isRunning: () => boolean;
  /** Sends a signal and waits for the end. SIGKILL also ends all that it has started. */
  end(signal: NodeJS.Signals): Promise<void>;
}

interface Program {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Path of the file that gets the output. */
  readonly log: string;
  readonly env?: NodeJS.ProcessEnv;
}

const children = new Set<ChildProcess>();

export function startChild({ name, command, args, log, env = process.env }: Program): Child {
  const output = openSync(log, 'a', 0o600);
  // Detached: a Ctrl-C in the terminal reaches the script alone, and a signal to the group reaches grandchildren.
  const child = spawn(command, args, { detached: true, env, stdio: ['ignore', output, output] });
  closeSync(output);
  child.on('error', () => {});
  children.add(child);
  child.on('exit', () => children.delete(child));
  const isRunning = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  return {
    name,
    pid: child.pid ?? 0,
    output: () => readFileSync(log, 'utf8'),
    isRunning,
    end: async (signal) => {
      if (!isRunning()) return;
      const ended = once(child, 'exit');
      if (signal === 'SIGKILL') killGroup(child);
      else child.kill(signal);
      await ended;
    },
  };
}

/** Kills all that still runs. Synchronous, so that it works when the script exits. */
export function killAll(): void {
  for (const child of children) killGroup(child);
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has ended by itself.
  }
}

/** The end of a log, for the message of an error. */
export const lastLines = (child: Child): string => child.output().trimEnd().split('\n').slice(-15).join('\n');
