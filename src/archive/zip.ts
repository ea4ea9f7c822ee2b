// zip-stream, with entries that are deflated in pieces, some at once.
import type { Readable } from 'node:stream';
import ZipStream, { type ZipEntry } from 'zip-stream';
import { DeflateContent, type Deflation, type Takers } from './deflate.ts';
import { Deflator, PieceDeflation } from './deflator.ts';
import { HIGHEST_LEVEL, IgzipDeflation } from './igzip.ts';

/** A process of its own is worth its start from about here on. */
const LEAST_FOR_IGZIP_BYTES = 2 ** 17;

export interface ZipOptions {
  /** Of deflate, 1 (fastest) to 9 (smallest). */
  readonly level: number;
  /** Bytes that wait between two stages. */
  readonly highWaterMark: number;
  /** Deflates long contents at the lower levels, where there is such a program. */
  readonly igzip: string | undefined;
}

/** What goes into an archive, and how. */
export interface Content {
  readonly source: Readable;
  readonly name: string;
  /** It is long where its first piece is. */
  readonly mayBeLong?: boolean;
  readonly giveBack?: Takers['giveBack'];
}

export class Zip extends ZipStream {
  private readonly options: ZipOptions;
  private readonly deflator: Deflator;
  private igzip: IgzipDeflation | undefined;
  private content: Content | undefined;

  constructor(options: ZipOptions) {
    super({ highWaterMark: options.highWaterMark });
    this.options = options;
    this.deflator = new Deflator(options.level);
  }

  /** Puts an entry in, once the one before it is in. */
  put(content: Content, callback: (error: Error | null) => void): void {
    this.content = content;
    this.entry(content.source, { name: content.name }, callback);
  }

  /** To be called in any case. */
  close(): void {
    this.deflator.close();
    this.igzip?.close();
  }

  override _smartStream(entry: ZipEntry, callback: (error: Error | null) => void): DeflateContent {
    const content = new DeflateContent(
      (first, handOn) => this.deflation(first, handOn),
      this.options.highWaterMark,
    );
    content.on('error', callback);
    content.once('end', () => {
      entry.setCrc(content.crc);
      entry.setSize(content.size);
      entry.setCompressedSize(content.deflatedSize);
      this._afterAppend(entry);
      callback(null);
    });
    content.pipe(this, { end: false });
    return content;
  }

  private deflation(first: Buffer, handOn: Takers['handOn']): Deflation {
    const { igzip, level } = this.options;
    const { mayBeLong = false, giveBack = () => {} } = this.content ?? {};
    const isLong = mayBeLong && first.length >= LEAST_FOR_IGZIP_BYTES;
    if (!igzip || level > HIGHEST_LEVEL || !isLong)
      return new PieceDeflation(this.deflator, { giveBack, handOn });
    this.igzip = new IgzipDeflation(igzip, level, { giveBack, handOn });
    return this.igzip;
  }
}
