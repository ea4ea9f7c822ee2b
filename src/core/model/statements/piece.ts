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

/** Comparisons of a piece, and items that are sorted at once. */
const COMPARISONS = 4_096;
const RUN = 256;

/** The items sorted as `toSorted` does, in pieces. */
export async function sortedInPieces<T extends object>(
  items: readonly T[],
  compare: (one: T, other: T) => number,
): Promise<T[]> {
  const pieces = new Pieces(COMPARISONS);
  let runs: T[][] = [];
  for (let from = 0; from < items.length; from += RUN) {
    const run = items.slice(from, from + RUN).sort(compare);
    runs.push(run);
    const pause = pieces.add(run.length * Math.log2(RUN));
    if (pause) await pause;
  }
  while (runs.length > 1) {
    const longer: T[][] = [];
    for (let at = 0; at < runs.length; at += 2)
      longer.push(await merged(runs[at] ?? [], runs[at + 1] ?? [], compare, pieces));
    runs = longer;
  }
  return runs[0] ?? [];
}

/** Two sorted runs as one. Of equal items those of the first run come first. */
async function merged<T extends object>(
  one: readonly T[],
  other: readonly T[],
  compare: (one: T, other: T) => number,
  pieces: Pieces,
): Promise<T[]> {
  const all: T[] = [];
  let [left, right] = [0, 0];
  for (;;) {
    const first = one[left];
    const second = other[right];
    if (!first || !second) return all.concat(one.slice(left), other.slice(right));
    const isFirst = compare(first, second) <= 0;
    all.push(isFirst ? first : second);
    if (isFirst) left += 1;
    else right += 1;
    const pause = pieces.add();
    if (pause) await pause;
  }
}

/** Characters of JSON that are made in one piece. */
export const JSON_PIECE = 2 ** 19;
