// What a room removes because it is over. src/work/housekeeping.ts has the list of all rooms.
import type { Database } from './session.ts';

export interface Tidying {
  readonly database: Database;
  /** Now, by the clock of the database: all ages are judged at this instant. */
  readonly at: Date;
  /** Whether the service doubts the clock. */
  readonly waits: boolean;
  /** How long things are kept, as the configuration says. */
  readonly archiveDays: number;
  readonly changesDays: number;
  readonly auditDays: number;
}

/** `T`: the tidier needs more than each tidying has. */
export interface Tidier<T extends Tidying = Tidying> {
  /** Tidiers may share a name: their numbers are added. */
  readonly name: string;
  /** Whether an age decides: then nothing is removed while the service doubts the clock. */
  readonly byAge: boolean;
  /** Answers how many it has removed. */
  remove(tidying: T): Promise<number>;
}

/** Removes some until none are left: the first tidying may find the rows of years. Answers their number. */
export async function untilNone(removeSome: () => Promise<number>): Promise<number> {
  let removed = 0;
  for (;;) {
    const some = await removeSome();
    if (some === 0) return removed;
    removed += some;
  }
}
