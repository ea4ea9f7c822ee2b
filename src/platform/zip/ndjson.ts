// Turns rows into lines of JSON, in the form in which the service shows the same records. The lines leave in
// large chunks: an archive takes 24 times as long for single lines.
import type { Stored } from '../../core/model/fields/field.ts';
import { JsonBytes } from '../../core/model/lists/json-bytes.ts';
import { rowSerializer, type ShownColumn } from '../../core/model/records/serialize.ts';
import type { Packer } from './rows.ts';

const CHUNK_BYTES = 2 ** 17;
/** Added to a chunk for its last line. */
const SPARE_BYTES = 2 ** 13;

/** Takes the rows of a table as arrays, gives chunks of NDJSON. */
export class Lines implements Packer<Buffer> {
  /** The rows taken so far. */
  count = 0;
  /** The first value of the last row. */
  last: Stored = null;
  private readonly serialize: (row: readonly Stored[]) => string;
  private bytes = new JsonBytes(CHUNK_BYTES + SPARE_BYTES);

  constructor(columns: readonly ShownColumn[]) {
    const serialize = rowSerializer(columns, (_, index) => index);
    // A line feed in a stored JSON object is white space; texts have theirs escaped.
    const mayBreak = columns.some(({ kind }) => kind === 'json');
    this.serialize = mayBreak ? (row) => serialize(row).replaceAll('\n', ' ') : serialize;
  }

  add(row: readonly Stored[]): Buffer | undefined {
    this.count += 1;
    this.last = row[0] ?? null;
    this.bytes.add(`${this.serialize(row)}\n`);
    return this.bytes.length < CHUNK_BYTES ? undefined : this.rest();
  }

  rest(): Buffer | undefined {
    if (this.bytes.length === 0) return undefined;
    const taken = this.bytes.take();
    this.bytes = new JsonBytes(CHUNK_BYTES + SPARE_BYTES);
    return taken;
  }
}
