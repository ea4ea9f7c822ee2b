// Collects JSON text as UTF-8, piece by piece. Joining the pieces first and encoding the whole would copy the text
// several times, which is a fifth of the work for a page of a list.

/** The most bytes of one UTF-16 unit. */
const UNIT_BYTES = 3;

export class JsonBytes {
  private buffer: Buffer;
  private at = 0;

  /** Allocates `expected` bytes, and more when they are needed. */
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

  /** The bytes added so far. Nothing may be added afterwards. */
  take(): Buffer {
    return this.buffer.subarray(0, this.at);
  }
}
