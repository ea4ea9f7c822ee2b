// When a call that failed is made again. Callbacks and events have the same pauses.
import { type Delivery, delivered } from './exchange.ts';

/** Seconds until the next attempt, after the first, second, … failure. The last pause is followed by one attempt. */
export const PAUSES = [5, 30, 120, 600, 3_600, 21_600, 86_400];

/** Seconds until the next attempt after a failure, with so many tries before it; undefined: none follows. */
export const pauseAfter = (tries: number): number | undefined => PAUSES[tries];

/** How one attempt ended. `given_up`: it failed, and no other attempt follows. */
export type Outcome = (typeof OUTCOMES)[number];
export const OUTCOMES = ['delivered', 'failed', 'given_up'] as const;

/** How an attempt ended that had so many tries before it. */
export function outcomeOf(tries: number, delivery: Delivery): Outcome {
  if (delivered(delivery)) return 'delivered';
  return pauseAfter(tries) === undefined ? 'given_up' : 'failed';
}
