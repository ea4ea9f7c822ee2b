// Runs work again that a conflict with another transaction has undone. A Galera cluster reports conflicts with other
// nodes in the same way, at any statement and at COMMIT. A MySQL group has an error of its own for them, at COMMIT.
import { setTimeout } from 'node:timers/promises';

/** Enough if ten transactions of an owner meet at each of three nodes: one of them succeeds at each try. */
const TRIES = 30;
/** Each of these tries has waited for a lock until the server gave up. */
const TRIES_AT_LOCKS = 2;
const PAUSE_MS = 20;
/** Later pauses grow no further, so that a request ends within seconds. */
const LONGEST_PAUSE_MS = 200;

const MOST_TRIES = new Map([
  ['ER_LOCK_DEADLOCK', TRIES],
  ['ER_CHECKREAD', TRIES],
  ['ER_TRANSACTION_ROLLBACK_DURING_COMMIT', TRIES],
  ['ER_LOCK_WAIT_TIMEOUT', TRIES_AT_LOCKS],
]);

/** Whether another transaction has undone this one, or kept a row for too long. */
export const isConflict = (error: unknown): boolean => MOST_TRIES.has(codeOf(error));

/**
 * `attempt` must undo its own changes when it fails, and read everything anew. Random pauses keep attempts apart.
 * `most`: how many attempts there are; without it, as many as a request makes.
 */
export async function retried<T>(attempt: () => PromiseLike<T>, most?: number): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      const usual = MOST_TRIES.get(codeOf(error));
      if (usual === undefined || tries >= (most ?? usual)) throw error;
      await setTimeout(Math.random() * Math.min(tries * PAUSE_MS, LONGEST_PAUSE_MS));
    }
  }
}

const codeOf = (error: unknown) => String((error as { code?: unknown } | undefined)?.code);
