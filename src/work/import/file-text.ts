// Checks that a file is UTF-8 text before its first row is read, so that a spreadsheet, a zip or UTF-16 is refused with
// the place at which it goes wrong, and nothing is written. Joins the first chunks of a file, too.
import { isUtf8 } from 'node:buffer';
import { failure, type JobFailure } from '../../platform/job-failure.ts';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;
/** A text may hold it, and no file of a garage does: it tells UTF-16 and binary files. */
const NUL = 0;
const LONGEST_CHARACTER = 4;
const HEAD_BYTES = 64 * 1024;

/**
 * The same bytes. The first chunk has at least 64 KiB, or the whole file: the header in it tells the separator and the
 * line ends of a CSV, and a bucket sends chunks of any size.
 */
export async function* withHead(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head: Buffer[] | undefined = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    head?.push(chunk);
    if (length < HEAD_BYTES) continue;
    yield head ? Buffer.concat(head) : chunk;
    head = undefined;
  }
  if (head) yield Buffer.concat(head);
}

/**
 * The same chunks. Throws a JobFailure at the first line that is no UTF-8 text. `separatorIn`: finds the separator of
 * columns in the first chunk; it is missing if the file has no columns.
 */
export async function* checkedText(
  chunks: AsyncIterable<Buffer>,
  separatorIn?: (first: Buffer) => string,
): AsyncGenerator<Buffer> {
  let place: Place | undefined;
  let cut: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    place ??= new Place(separatorIn?.(chunk).charCodeAt(0));
    const bytes = cut.length > 0 ? Buffer.concat([cut, chunk]) : chunk;
    const end = endOfCharacters(bytes);
    const whole = bytes.subarray(0, end);
    if (!isText(whole)) throw place.behind(whole.subarray(0, goodBytes(whole))).refusal();
    place = place.behind(whole);
    cut = bytes.subarray(end);
    yield chunk;
  }
  if (cut.length > 0 && place) throw place.refusal();
}

/** Where a byte of the file stands. */
class Place {
  private readonly separator: number | undefined;
  private readonly line: number;
  private readonly column: number;
  private readonly isQuoted: boolean;
  /** The byte before. */
  private readonly last: number;

  /** `separator`: the byte; undefined: the file has no columns. */
  constructor(separator: number | undefined, line = 1, column = 1, isQuoted = false, last = 0) {
    this.separator = separator;
    this.line = line;
    this.column = column;
    this.isQuoted = isQuoted;
    this.last = last;
  }

  /** The place behind these bytes. With columns a carriage return, a line feed or both end a line, in a cell too. */
  behind(bytes: Buffer): Place {
    let { line, column, isQuoted, last } = this;
    const { separator } = this;
    if (separator === undefined) return new Place(separator, line + linesIn(bytes));
    for (const byte of bytes) {
      const isLineEnd = byte === LINE_FEED || byte === CARRIAGE_RETURN;
      if (isLineEnd && !(byte === LINE_FEED && last === CARRIAGE_RETURN)) line += 1;
      last = byte;
      if (byte === QUOTE) isQuoted = !isQuoted;
      else if (isQuoted) continue;
      else if (isLineEnd) column = 1;
      else if (byte === separator) column += 1;
    }
    return new Place(separator, line, column, isQuoted, last);
  }

  refusal(): JobFailure {
    const column = this.separator === undefined ? '' : `column [${this.column}]: `;
    return failure('file_refused', { line: this.line, reason: `${column}the bytes are not UTF-8 text` });
  }
}

const isText = (bytes: Buffer) => isUtf8(bytes) && !bytes.includes(NUL);

/** Where the last character begins if its bytes may go on in the next chunk; else the end. */
function endOfCharacters(bytes: Buffer): number {
  for (let back = 1; back < LONGEST_CHARACTER && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) return bytes.length - back;
  }
  return bytes.length;
}

/** The number of bytes before the first byte that is no text. */
function goodBytes(bytes: Buffer): number {
  let start = 0;
  for (;;) {
    const end = bytes.indexOf(LINE_FEED, start);
    const line = bytes.subarray(start, end < 0 ? bytes.length : end);
    if (end >= 0 && isText(line)) start = end + 1;
    else return start + Buffer.byteLength(line.toString().split(/[\0\ufffd]/, 1)[0] ?? '');
  }
}

function linesIn(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) lines += 1;
  return lines;
}
