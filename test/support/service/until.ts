// Waits for a condition by polling; never for a fixed time. A long wait polls less often: the machine is busy then, and
// most conditions are requests.
import { setTimeout as pause } from 'node:timers/promises';

const PATIENCE_MS = 45_000;
const LEAST_PAUSE_MS = 20;
const MOST_PAUSE_MS = 100;
/** Each pause is this share of the time so far. */
const PAUSE_SHARE = 0.05;

/** The first answer that is neither undefined nor false. Throws if none comes in time. */
export async function until<T>(
  ask: () => Promise<T | undefined | false>,
  patience = PATIENCE_MS,
): Promise<T> {
  const began = performance.now();
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    const waited = performance.now() - began;
    if (waited > patience) throw new Error('the condition did not come true in time');
    await pause(Math.min(Math.max(LEAST_PAUSE_MS, waited * PAUSE_SHARE), MOST_PAUSE_MS));
  }
}
