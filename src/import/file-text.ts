// Checks that a file is UTF-8 text before its first row is read, so that a spreadsheet, a zip or UTF-16 is refused with the
// line at which it goes wrong, and nothing is written.
import { isUtf8 } from 'node:buffer';
import { failure } from '../job-failure.ts';

const LINE_FEED = 0x0a;
/** A text may hold it, and no file of a garage does: it tells UTF-16 and binary files. */
const NUL = 0;
const LONGEST_CHARACTER = 4;

/** The same chunks. Throws a JobFailure at the first line that is no UTF-8 text. */
export async function* checkedText(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let line = 1;
  let cut: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = cut.length > 0 ? Buffer.concat([cut, chunk]) : chunk;
    const end = endOfCharacters(bytes);
    const whole = bytes.subarray(0, end);
    if (!isText(whole)) throw failure('file_refused', { line: line + linesBefore(whole), reason: NO_TEXT });
    line += linesIn(whole);
    cut = bytes.subarray(end);
    yield chunk;
  }
  if (cut.length > 0) throw failure('file_refused', { line, reason: NO_TEXT });
}

const NO_TEXT = 'the bytes are not UTF-8 text';

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

/** How many whole lines come before the first line that is no text. */
function linesBefore(bytes: Buffer): number {
  let lines = 0;
  let start = 0;
  for (;;) {
    const end = bytes.indexOf(LINE_FEED, start);
    if (end < 0 || !isText(bytes.subarray(start, end))) return lines;
    lines += 1;
    start = end + 1;
  }
}

function linesIn(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) lines += 1;
  return lines;
}
