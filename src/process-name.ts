// Names processes of this machine by number and time of birth, because numbers are given out again: in a
// container the next run often has the very number that a killed one left in a file.
import { existsSync, readFileSync } from 'node:fs';

/** Whether the process of that name lives. */
export const lives = (name: string) => nameOf(Number.parseInt(name, 10)) === name;

/** The name of a process. Undefined: there is none, or only what's left of one that nobody has buried. */
export function nameOf(pid: number): string | undefined {
  if (!existsSync('/proc/self/stat')) return signalReaches(pid) ? `${pid}-` : undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field, the program's name, may hold spaces; the 3rd is the state, the 22nd the birth.
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
