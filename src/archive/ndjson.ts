// Turns rows into lines of JSON, in the form in which the service shows the same records. The lines leave in
// large chunks: an archive takes 24 times as long for single lines.
import { Transform, type TransformCallback } from 'node:stream';
import type { Stored } from '../model/field.ts';
import { JsonBytes } from '../model/json-bytes.ts';
import { rowSerializer } from '../model/serialize.ts';
import type { Table } from '../model/table.ts';

const CHUNK_BYTES = 2 ** 17;
/** Added to a chunk for its last line. */
const SPARE_BYTES = 2 ** 13;
const WAITING_CHUNKS = 2;

/** Takes the rows of a table as arrays, gives NDJSON. */
export class Lines extends Transform {
  /** The rows taken so far. */
  count = 0;
  private readonly serialize: (row: readonly Stored[]) => string;
  private readonly onChunk: (id: number) => void;
  private bytes = new JsonBytes(CHUNK_BYTES + SPARE_BYTES);

  /** `onChunk` gets the ID of the last row of each chunk. */
  constructor({ columns }: Table, onChunk: (id: number) => void = () => {}) {
    super({ objectMode: true, readableHighWaterMark: WAITING_CHUNKS });
    const serialize = rowSerializer(columns, (_, index) => index);
    // A line feed in a stored JSON object is white space; texts have theirs escaped.
    const mayBreak = columns.some(({ kind }) => kind === 'json');
    this.serialize = mayBreak ? (row) => serialize(row).replaceAll('\n', ' ') : serialize;
    this.onChunk = onChunk;
  }

  override _transform(row: readonly Stored[], _encoding: BufferEncoding, done: TransformCallback): void {
    this.count += 1;
    this.bytes.add(`${this.serialize(row)}\n`);
    if (this.bytes.length >= CHUNK_BYTES) {
      this.push(this.chunk());
      this.onChunk(Number(row[0]));
    }
    done();
  }

  override _flush(done: TransformCallback): void {
    if (this.bytes.length > 0) this.push(this.chunk());
    done();
  }

  private chunk(): Buffer {
    const taken = this.bytes.take();
    this.bytes = new JsonBytes(CHUNK_BYTES + SPARE_BYTES);
    return taken;
  }
}
