// Collects JSON text as UTF-8, piece by piece. To join the pieces first and encode the whole would flatten,
// measure and copy it several times over, which for a page of a list is a fifth of all its work.

/** The longest that one unit of a text becomes. */
const UNIT_BYTES = 3;

export class JsonBytes {
  private buffer: Buffer;
  private at = 0;

  /** `expected` bytes are had at once; more are found when they are needed. */
  constructor(expected: number) {
    this.buffer = Buffer.allocUnsafe(expected);
  }

  /** Bytes added so far. */
  get length(): number {
    return this.at;
  }

  add(text: string): void {
    const needed = this.at + text.length * UNIT_BYTES;
    if (needed > this.buffer.length) {
      const larger = Buffer.allocUnsafe(2 * needed);
      this.buffer.copy(larger, 0, 0, this.at);
      this.buffer = larger;
    }
    this.at += this.buffer.write(text, this.at);
  }

  /** All that was added. Nothing may be added afterwards. */
  take(): Buffer {
    return this.buffer.subarray(0, this.at);
  }
}
