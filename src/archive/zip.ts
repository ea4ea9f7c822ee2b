// zip-stream, with entries that are deflated in pieces, some at once.
import type { Readable } from 'node:stream';
import ZipStream, { type ZipEntry } from 'zip-stream';
import { DeflateContent } from './deflate.ts';
import { Deflator } from './deflator.ts';

export interface ZipOptions {
  /** Of deflate, 1 (fastest) to 9 (smallest). */
  readonly level: number;
  /** Bytes that wait between two stages. */
  readonly highWaterMark: number;
}

export class Zip extends ZipStream {
  private readonly deflator: Deflator;
  private readonly highWaterMark: number;
  private giveBack: (chunk: Uint8Array) => void = () => {};

  constructor({ level, highWaterMark }: ZipOptions) {
    super({ highWaterMark });
    this.deflator = new Deflator(level);
    this.highWaterMark = highWaterMark;
  }

  /** Puts an entry in, once the one before it is in; `giveBack` gets the chunks of it that are of no use any more. */
  put(
    source: Readable,
    name: string,
    giveBack: (chunk: Uint8Array) => void,
    callback: (error: Error | null) => void,
  ): void {
    this.giveBack = giveBack;
    this.entry(source, { name }, callback);
  }

  /** To be called in any case. */
  close(): void {
    this.deflator.close();
  }

  override _smartStream(entry: ZipEntry, callback: (error: Error | null) => void): DeflateContent {
    const content = new DeflateContent(this.deflator, this.giveBack, this.highWaterMark);
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
}
