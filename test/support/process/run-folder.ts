// The temporary folder of a test run. TMPDIR names it, so all temporary files of the run lie in it, and all processes
// of the run are known by it.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const GUARD = fileURLToPath(new URL('../../run-guard.js', import.meta.url));
const PAUSE_MS = 20;

/** Makes the folder. Whatever ends this process, the guard ends the run. */
export function openRunFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'forecourt-run-'));
  // The guard starts before TMPDIR changes, so it is no process of the run. Detached: a Ctrl-C does not reach it.
  const guard = spawn(process.execPath, [GUARD, folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.unref();
  process.env.TMPDIR = folder;
  return folder;
}

/**
 * Kills all processes of the run and removes its folder. Returns the commands that were running. Synchronous, so that
 * nothing else happens meanwhile.
 */
export function endRun(folder: string): string[] {
  const commands = new Map<string, string>();
  for (let left = processesOf(folder); left.length > 0; left = processesOf(folder)) {
    for (const pid of left) {
      commands.set(pid, readProcess(pid, 'cmdline').replaceAll('\0', ' '));
      kill(Number(pid));
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  return [...commands.values()];
}

/** The processes that were started with this folder, or one in it, as TMPDIR. None on a system without /proc. */
function processesOf(folder: string): string[] {
  const all = existsSync('/proc/self/environ') ? readdirSync('/proc') : [];
  return all.filter((pid) =>
    readProcess(pid, 'environ')
      .split('\0')
      .some((variable) => `${variable}/`.startsWith(`TMPDIR=${folder}/`)),
  );
}

/** Empty if the process has ended or belongs to another user, and for the other names in /proc. */
function readProcess(pid: string, file: 'environ' | 'cmdline'): string {
  try {
    return /^\d+$/.test(pid) ? readFileSync(join('/proc', pid, file), 'utf8') : '';
  } catch {
    return '';
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
