// Long work on the thread that answers everybody goes in pieces. In a round of the event loop one piece is done,
// however many requests do long work at once. Between the pieces others are answered.
import { setImmediate } from 'node:timers/promises';

let last: Promise<void> = Promise.resolve();

/** Resolves in a later round, which no other long work has. */
export function nextRound(): Promise<void> {
  last = last.then(() => setImmediate());
  return last;
}

/** Counts the work of one request. */
export class Pieces {
  private readonly most: number;
  private done = 0;

  /** `most`: the work of a piece, about a millisecond. */
  constructor(most: number) {
    this.most = most;
  }

  /** Counts work that was done. If the piece is full: a promise to wait for before more is done. */
  add(amount = 1): Promise<void> | undefined {
    this.done += amount;
    if (this.done < this.most) return undefined;
    this.done = 0;
    return nextRound();
  }
}

/** Characters of JSON that are made in one piece. */
export const JSON_PIECE = 2 ** 19;
