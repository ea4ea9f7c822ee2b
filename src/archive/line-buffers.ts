// Buffers that go round: left to the garbage collector, which sees only small objects in them, they would pile up
// to 30 MB while a backup is written.

export const BUFFER_BYTES = 2 ** 18;

export class LineBuffers {
  /** How much of each buffer was lent. */
  private readonly away = new WeakMap<ArrayBuffer, number>();
  private readonly free: Buffer<ArrayBuffer>[] = [];

  /** One of 256 KiB, with anything in it. */
  next(): Buffer<ArrayBuffer> {
    return this.free.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES);
  }

  /** The first bytes of a buffer, for others to read until they give them back. */
  lend(buffer: Buffer<ArrayBuffer>, bytes: number): Buffer {
    this.away.set(buffer.buffer, bytes);
    return buffer.subarray(0, bytes);
  }

  /** Takes back what is of no use any more. Ignores what was not lent just so, and lets larger ones go. */
  giveBack({ buffer, byteLength }: Uint8Array): void {
    if (!(buffer instanceof ArrayBuffer) || this.away.get(buffer) !== byteLength) return;
    this.away.delete(buffer);
    if (buffer.byteLength === BUFFER_BYTES) this.free.push(Buffer.from(buffer));
  }
}
