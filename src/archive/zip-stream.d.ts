// What is used of zip-stream, which comes without types.
declare module 'zip-stream' {
  import type { Readable, Transform } from 'node:stream';

  export interface ZipEntry {
    setCrc(crc: number): void;
    setSize(bytes: number): void;
    setCompressedSize(bytes: number): void;
  }

  /** A zip as it is made: one entry after the other goes in, its bytes come out. */
  export default class ZipStream extends Transform implements AsyncIterable<Buffer> {
    constructor(options: { highWaterMark: number });
    /** Bytes written so far; the directory at the end records its own place by it. */
    offset: number;
    /** Calls back when the entry is in. */
    entry(source: Readable, data: { name: string }, callback: (error: Error | null) => void): this;
    /** Makes what the content of an entry is written to; it goes on into the archive, and its end is told. */
    protected _smartStream(entry: ZipEntry, callback: (error: Error | null) => void): Transform;
    /** To be called when the content of an entry is in, and its sizes and checksum are noted. */
    protected _afterAppend(entry: ZipEntry): void;
    /** Writes the directory. */
    finalize(): void;
    [Symbol.asyncIterator](): AsyncIterator<Buffer>;
  }
}
