// The content of an entry on its way into an archive. Its first piece decides what deflates it.
import { Transform, type TransformCallback } from 'node:stream';

/** Makes one deflate stream of the pieces of a content, in their order. */
export interface Deflation {
  /** CRC-32 of the content, once it has ended. */
  readonly crc: number;
  /** Resolves when the next piece may come; rejects where it can't be deflated. */
  put(piece: Buffer): Promise<void>;
  /** Resolves when all was handed on. */
  end(): Promise<void>;
  /** There is room again for what is handed on. */
  goOn?(): void;
}

export interface Takers {
  /** Takes what was deflated; false where the next should wait for `goOn`. */
  readonly handOn: (deflated: Buffer) => boolean;
  /** Gets the pieces that are of no use any more. */
  readonly giveBack: (piece: Uint8Array) => void;
}

type Begin = (first: Buffer, handOn: Takers['handOn']) => Deflation;

const NOTHING = Buffer.alloc(0);

export class DeflateContent extends Transform {
  /** Bytes of the content, before and after. */
  size = 0;
  deflatedSize = 0;
  private readonly begin: Begin;
  private deflation: Deflation | undefined;

  constructor(begin: Begin, highWaterMark: number) {
    super({ highWaterMark });
    this.begin = begin;
  }

  /** Of the content, once it has ended. */
  get crc(): number {
    return this.deflation?.crc ?? 0;
  }

  override _transform(piece: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.size += piece.length;
    this.begun(piece)
      .put(piece)
      .then(() => done(), done);
  }

  override _flush(done: TransformCallback): void {
    this.begun(NOTHING)
      .end()
      .then(() => done(), done);
  }

  override _read(bytes: number): void {
    this.deflation?.goOn?.();
    super._read(bytes);
  }

  private begun(first: Buffer): Deflation {
    this.deflation ??= this.begin(first, (deflated) => this.handOn(deflated));
    return this.deflation;
  }

  private handOn(deflated: Buffer): boolean {
    this.deflatedSize += deflated.length;
    return this.push(deflated);
  }
}
