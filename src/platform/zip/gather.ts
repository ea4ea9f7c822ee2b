// Joins small chunks to large ones. At the end of an archive, archiver writes the directory in pieces of two and four
// bytes and ignores backpressure. Unjoined, the pieces take 5 kB of memory an entry.
import { Transform, type TransformCallback } from 'node:stream';

const CHUNK_BYTES = 2 ** 16;
/** 16 MiB: the directory of 100,000 entries fits. While there is room, every piece is joined at once. */
const WAITING_CHUNKS = 256;

export class Gather extends Transform {
  private chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  private used = 0;

  constructor() {
    // Object mode on this side: a reader gets one chunk at a time, not all of them joined to one.
    super({ readableObjectMode: true, readableHighWaterMark: WAITING_CHUNKS });
  }

  override _transform(piece: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    if (this.used + piece.length > CHUNK_BYTES) this.pass();
    if (piece.length > CHUNK_BYTES) this.push(piece);
    else this.used += piece.copy(this.chunk, this.used);
    done();
  }

  override _flush(done: TransformCallback): void {
    this.pass();
    done();
  }

  private pass(): void {
    if (this.used === 0) return;
    this.push(this.chunk.subarray(0, this.used));
    this.chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    this.used = 0;
  }
}
