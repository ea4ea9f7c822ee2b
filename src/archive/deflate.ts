// The content of an entry on its way into an archive: deflated in pieces, while the next ones are made.
import { Transform, type TransformCallback } from 'node:stream';
import { crc32 } from 'node:zlib';
import { LAST_BLOCK } from './deflate-piece.ts';
import type { Deflator } from './deflator.ts';

const MOST_UNDER_WAY = 4;

export class DeflateContent extends Transform {
  /** Of the content. */
  crc = 0;
  /** Bytes of the content, before and after. */
  size = 0;
  deflatedSize = 0;
  private readonly deflator: Deflator;
  private readonly underWay: Promise<Buffer>[] = [];

  constructor(deflator: Deflator, highWaterMark: number) {
    super({ highWaterMark });
    this.deflator = deflator;
  }

  override _transform(piece: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.crc = crc32(piece, this.crc);
    this.size += piece.length;
    const deflated = this.deflator.deflate(piece);
    // Heard when its turn comes.
    deflated.catch(() => {});
    this.underWay.push(deflated);
    if (this.underWay.length < MOST_UNDER_WAY) done();
    else this.handOn().then(() => done(), done);
  }

  override _flush(done: TransformCallback): void {
    const finish = async () => {
      while (this.underWay.length > 0) await this.handOn();
      this.handOnBytes(LAST_BLOCK);
    };
    finish().then(() => done(), done);
  }

  /** Hands on the piece whose turn it is. */
  private async handOn(): Promise<void> {
    const deflated = await this.underWay.shift();
    if (deflated) this.handOnBytes(deflated);
  }

  private handOnBytes(bytes: Buffer): void {
    this.deflatedSize += bytes.length;
    this.push(bytes);
  }
}
