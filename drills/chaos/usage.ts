// Measures the use of processes and of the database server: processor time, memory, statements.
import { readFileSync } from 'node:fs';
import type { Session } from '../../src/core/model/statements/session.ts';
import { select } from '../../test/support/database/sql.ts';

/** Linux counts processor time in hundredths of a second on every machine. */
const TICKS = 100;
/** In the line of /proc/PID/stat behind the name in brackets, which may hold spaces. */
const [USER_TICKS, SYSTEM_TICKS] = [11, 12];

/** Processor time of a process so far, in seconds. */
export function processorSeconds(pid: number): number {
  const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const values = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return (Number(values[USER_TICKS]) + Number(values[SYSTEM_TICKS])) / TICKS;
}

/** Resident memory of a process now, in MiB. */
export const memoryOf = (pid: number): number => statusOf(pid, 'VmRSS');

/** The most resident memory that a process has had so far, in MiB. */
export const peakMemoryOf = (pid: number): number => statusOf(pid, 'VmHWM');

const statusOf = (pid: number, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) /
  2 ** 10;

/** Counts of a database server since its start. */
interface Counts {
  readonly statements: number;
  /** Rows and index entries that the statements read. */
  readonly rows: number;
}

/** MySQL and MariaDB count under the same names. The question itself is a statement, and reads rows of no table. */
export async function countsOf(session: Session): Promise<Counts> {
  const counters = await select(session, 'SHOW GLOBAL STATUS');
  const sum = (wanted: RegExp) =>
    counters.reduce(
      (total, { Variable_name, Value }) => total + (wanted.test(String(Variable_name)) ? Number(Value) : 0),
      0,
    );
  return { statements: sum(/^Questions$/), rows: sum(/^Handler_read_(first|key|last|next|prev|rnd)$/) };
}
