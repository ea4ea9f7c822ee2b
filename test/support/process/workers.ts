// The workers of a service that runs with WORKERS, as the system knows them.
import { readFile } from 'node:fs/promises';

/** The process of each worker by its number. */
export async function workersOf(primary: number): Promise<Map<number, number>> {
  const found = new Map<number, number>();
  const children = await readFile(`/proc/${primary}/task/${primary}/children`, 'utf8');
  for (const pid of children.trim().split(' ').map(Number)) {
    const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    const [, slot] = /\0worker\0(\d+)\0$/.exec(words) ?? [];
    if (slot !== undefined) found.set(Number(slot), pid);
  }
  return found;
}
