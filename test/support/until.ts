// Waits for a condition by polling; never for a fixed time.
import { setTimeout as pause } from 'node:timers/promises';

const PATIENCE_MS = 45_000;

/** The first answer that is neither undefined nor false. Throws if none comes in time. */
export async function until<T>(
  ask: () => Promise<T | undefined | false>,
  patience = PATIENCE_MS,
): Promise<T> {
  const end = Date.now() + patience;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (Date.now() > end) throw new Error('the condition did not come true in time');
    await pause(20);
  }
}
