// Names processes by number and start time, because numbers are used again. In a container, a new process often has
// the number that a killed process left in a file.
import { existsSync, readFileSync } from 'node:fs';

/** Whether the process with this name runs. */
export const isRunning = (name: string) => processName(Number.parseInt(name, 10)) === name;

/** The name of a process. Undefined if there is no such process or it is a zombie. */
export function processName(pid: number): string | undefined {
  if (!existsSync('/proc/self/stat')) return signalReaches(pid) ? `${pid}-` : undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The 2nd field, the program's name, may contain spaces. The 3rd is the state, the 22nd the start time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : `${pid}-${fields[19]}`;
  } catch {
    return undefined;
  }
}

function signalReaches(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
