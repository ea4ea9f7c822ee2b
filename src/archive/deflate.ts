// The content of an entry on its way into an archive: deflated in pieces, while the next ones are made.
import { Transform, type TransformCallback } from 'node:stream';
import { crc32 } from 'node:zlib';
import { AT_ONCE, type Deflator, LAST_BLOCK } from './deflator.ts';

export class DeflateContent extends Transform {
  /** Of the content. */
  crc = 0;
  /** Bytes of the content, before and after. */
  size = 0;
  deflatedSize = 0;
  private readonly deflator: Deflator;
  private readonly giveBack: (piece: Uint8Array) => void;
  private readonly underWay: Promise<Buffer>[] = [];

  /** `giveBack` gets the pieces that were deflated. */
  constructor(deflator: Deflator, giveBack: (piece: Uint8Array) => void, highWaterMark: number) {
    super({ highWaterMark });
    this.deflator = deflator;
    this.giveBack = giveBack;
  }

  override _transform(piece: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.crc = crc32(piece, this.crc);
    this.size += piece.length;
    const deflated = this.deflator.deflate(piece);
    // A failure is heard when its turn comes.
    deflated.then(
      () => this.giveBack(piece),
      () => {},
    );
    this.underWay.push(deflated);
    if (this.underWay.length < AT_ONCE) done();
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
