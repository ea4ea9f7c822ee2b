// Random choices that can be repeated: a small generator (mulberry32) that starts from the hash of a seed.
import { createHash } from 'node:crypto';

export class Random {
  #state: number;

  constructor(seed: string) {
    this.#state = createHash('sha256').update(seed).digest().readInt32LE();
  }

  /** At least 0, below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  /** A whole number of this range, both ends included. */
  whole(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  /** True with this probability, 0 to 1. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** One item of a list that is not empty. */
  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new RangeError('Nothing to pick from');
    return list[this.whole(0, list.length - 1)] as T;
  }

  /** One item with this probability, else null. */
  maybe<T>(probability: number, list: readonly T[]): T | null {
    return this.chance(probability) ? this.pick(list) : null;
  }

  /** The text with a digit in the place of each `#`. */
  filled(text: string): string {
    return text.replace(/#+/g, ({ length }) => String(this.whole(0, 10 ** length - 1)).padStart(length, '0'));
  }
}

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** The items of a list in turn. */
export const inTurn = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;
