// What is used of zip-stream, which comes without types.
declare module 'zip-stream' {
  import type { Readable, Transform } from 'node:stream';
  import type { ZlibOptions } from 'node:zlib';

  /** A zip as it is made: one entry after the other goes in, its bytes come out. */
  export default class ZipStream extends Transform implements AsyncIterable<Buffer> {
    constructor(options: { zlib: ZlibOptions; highWaterMark: number });
    /** Bytes written so far; the directory at the end records its own place by it. */
    offset: number;
    /** Calls back when the entry is in. */
    entry(source: Readable, data: { name: string }, callback: (error: Error | null) => void): this;
    /** Writes the directory. */
    finalize(): void;
    [Symbol.asyncIterator](): AsyncIterator<Buffer>;
  }
}
