// What was done is not to be lost with a database that is away for a while.
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isAway, isBusy } from '../database/away.ts';

const PAUSE_MS = 1_000;

export interface Waiting {
  readonly log: Logger;
  /** Ends the waiting: what fails then, fails. */
  readonly draining: AbortSignal;
}

/** Does what needs the database, again and again while that is away. */
export async function untilBack<T>({ log, draining }: Waiting, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (draining.aborted || !(isAway(error) || isBusy(error))) throw error;
      log.warn({ err: error }, 'waiting for the database');
      await pause(PAUSE_MS, undefined, { signal: draining }).catch(() => {});
    }
  }
}
