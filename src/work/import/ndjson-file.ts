// Reads a file of JSON lines. Only line feeds end a line: a JSON text may hold every other separator of lines.

import { type Body, isBody } from '../../core/model/bodies/check.ts';
import { isWithinLimits } from '../../core/model/bodies/json-scan.ts';
import type { Resource } from '../../core/model/records/record.ts';
import { failure } from '../../platform/job-failure.ts';
import type { FileRow } from './file-row.ts';
import { shownJson } from './write-only.ts';

const LINE_FEED = 0x0a;
const BYTE_ORDER_MARK = '\ufeff';

/** Throws a JobFailure if a line is longer than `limit` bytes, or the last line was cut off. */
export async function* ndjsonRows(
  chunks: AsyncIterable<Buffer>,
  resource: Resource,
  limit: number,
): AsyncGenerator<FileRow> {
  let line = 1;
  let begun: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      begun.push(chunk.subarray(start, end));
      refuseLong(line, length + end - start, limit);
      const row = readLine(resource, line, begun);
      if (row) yield row;
      line += 1;
      start = end + 1;
      begun = [];
      length = 0;
    }
    begun.push(chunk.subarray(start));
    length += chunk.length - start;
    refuseLong(line, length, limit);
  }
  const last = readLine(resource, line, begun);
  if (last && !last.read()) throw failure('file_refused', { line, reason: 'the file is cut off' });
  if (last) yield last;
}

function refuseLong(line: number, bytes: number, limit: number): void {
  if (bytes > limit)
    throw failure('file_refused', { line, reason: `the row is larger than [${limit}] bytes` });
}

/** Undefined for a blank line. */
function readLine(resource: Resource, line: number, parts: readonly Buffer[]): FileRow | undefined {
  const bytes = Buffer.concat(parts);
  const text = bytes.toString();
  const raw = (line === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text).trim();
  if (raw === '') return undefined;
  const read = () => (isWithinLimits(bytes) ? parsed(raw) : undefined);
  return { line, bytes: bytes.length, read, shown: () => shownJson(resource, raw, read()) };
}

function parsed(text: string): Body | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isBody(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
