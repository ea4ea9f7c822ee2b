// Chance that can be repeated: a small generator (mulberry32) over a hash of its seed. A fork has a stream
// of its own, so that what one part of the records draws does not shift what the next part gets.

export class Random {
  readonly #seed: string;
  #state: number;

  constructor(seed: number | string) {
    this.#seed = String(seed);
    this.#state = hash(this.#seed);
  }

  /** Another stream, the same for the same label however much was drawn from this one. */
  fork(label: string): Random {
    return new Random(`${this.#seed}/${label}`);
  }

  /** At least 0, below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  /** A whole number of this range, its ends included. */
  whole(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  /** True this often: 0 never, 1 always. */
  chance(share: number): boolean {
    return this.next() < share;
  }

  /** One of a list that is not empty; what stands there twice comes twice as often. */
  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new RangeError('Nothing to pick from');
    return list[this.whole(0, list.length - 1)] as T;
  }

  shuffled<T>(list: readonly T[]): T[] {
    const left = [...list];
    return list.map(() => left.splice(this.whole(0, left.length - 1), 1)[0] as T);
  }
}

/** FNV-1a over the code units, then mixed once more: seeds that differ little have nothing in common. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  return value ^ (value >>> 13);
}
