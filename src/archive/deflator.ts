// Deflates the pieces of an archive, some at once on the threads that node keeps for such work. Each piece is
// deflated by itself, ends on a whole byte and does not say that it is the last, so that together they are one
// stream, as pigz makes it. What repeats itself across a border is not found: 3 % more bytes where pieces are of
// 256 KiB. A thread of ours, with all that belongs to one, would take 40 MB more.
import type { TransformOptions } from 'node:stream';
import {
  constants,
  crc32,
  createDeflateRaw,
  type DeflateRaw,
  deflateRawSync,
  type ZlibOptions,
} from 'node:zlib';
import type { Deflation, Takers } from './deflate.ts';

/** What has to follow the last piece: an empty block of fixed codes that says it is the last. */
const LAST_BLOCK = Buffer.from([0x03, 0x00]);

/** Pieces under way at once. */
const AT_ONCE = 2;
/** Smaller ones are deflated in less time than another thread takes to hear of them. */
const LEAST_SENT_BYTES = 2 ** 16;
const DEFLATED_CHUNK_BYTES = 2 ** 15;
/** What one piece becomes may wait here as a whole. */
const WAITING_BYTES = 2 ** 24;

export class Deflator {
  private readonly level: number;
  private readonly lanes: Lane[] = [];
  private turn = 0;

  constructor(level: number) {
    this.level = level;
  }

  /** Neither reads nor needs the piece any more once it has resolved. */
  async deflate(piece: Buffer): Promise<Buffer> {
    const { level } = this;
    if (piece.length < LEAST_SENT_BYTES)
      return deflateRawSync(piece, { level, finishFlush: constants.Z_SYNC_FLUSH });
    this.lanes[this.turn] ??= new Lane(level);
    const lane = this.lanes[this.turn] as Lane;
    this.turn = (this.turn + 1) % AT_ONCE;
    return lane.deflate(piece);
  }

  /** What is still under way may never be answered. */
  close(): void {
    for (const lane of this.lanes) lane.close();
  }
}

/** Has the pieces of one content deflated, and puts them together. */
export class PieceDeflation implements Deflation {
  crc = 0;
  private readonly deflator: Deflator;
  private readonly takers: Takers;
  private readonly underWay: Promise<Buffer>[] = [];

  constructor(deflator: Deflator, takers: Takers) {
    this.deflator = deflator;
    this.takers = takers;
  }

  async put(piece: Buffer): Promise<void> {
    this.crc = crc32(piece, this.crc);
    const deflated = this.deflator.deflate(piece);
    // A failure is heard when its turn comes.
    deflated.then(
      () => this.takers.giveBack(piece),
      () => {},
    );
    this.underWay.push(deflated);
    if (this.underWay.length === AT_ONCE) await this.handOnNext();
  }

  async end(): Promise<void> {
    while (this.underWay.length > 0) await this.handOnNext();
    this.takers.handOn(LAST_BLOCK);
  }

  private async handOnNext(): Promise<void> {
    const deflated = await this.underWay.shift();
    if (deflated) this.takers.handOn(deflated);
  }
}

/** One piece after the other. */
class Lane {
  private readonly zlib: DeflateRaw;
  private last: Promise<unknown> = Promise.resolve();

  constructor(level: number) {
    const options: ZlibOptions & Pick<TransformOptions, 'highWaterMark'> = {
      level,
      flush: constants.Z_SYNC_FLUSH,
      chunkSize: DEFLATED_CHUNK_BYTES,
      highWaterMark: WAITING_BYTES,
    };
    this.zlib = createDeflateRaw(options);
    // Told to whoever waits for the piece.
    this.zlib.on('error', () => {});
  }

  deflate(piece: Buffer): Promise<Buffer> {
    const deflated = this.last.then(() => this.deflateNow(piece));
    this.last = deflated.catch(() => {});
    return deflated;
  }

  close(): void {
    this.zlib.close();
  }

  private deflateNow(piece: Buffer): Promise<Buffer> {
    this.zlib.reset();
    return new Promise((resolve, reject) => {
      this.zlib.write(piece, (error) => {
        if (error) reject(error);
        else resolve(this.zlib.read() as Buffer);
      });
    });
  }
}
