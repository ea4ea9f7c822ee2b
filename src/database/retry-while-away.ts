// Repeats work that failed because the database was away or busy, so that a short outage loses no result.
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isAway, isBusy } from './away.ts';

const PAUSE_MS = 1_000;

export interface RetryOptions {
  readonly log: Logger;
  /** Ends the retries: the next failure is thrown. */
  readonly draining: AbortSignal;
}

/** Runs `work` until it succeeds, or fails for another reason than the database. */
export async function retryWhileAway<T>({ log, draining }: RetryOptions, work: () => Promise<T>): Promise<T> {
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
