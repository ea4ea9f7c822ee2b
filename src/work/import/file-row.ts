// A row of an import's file, and how each of the two formats is read into rows.
import { bodyLimitOf } from '../../core/model/bodies/body-limit.ts';
import type { Body } from '../../core/model/bodies/check.ts';
import type { Resource } from '../../core/model/records/record.ts';
import { csvHeader, csvRows } from './csv-file.ts';
import { ndjsonRows } from './ndjson-file.ts';

export type Format = 'csv' | 'ndjson';

export interface FileRow {
  /** The physical line at which the row begins, from 1. */
  readonly line: number;
  /** Its length in the file. */
  readonly bytes: number;
  /** Reads the record of the row. Undefined: the row is no JSON object. An empty cell is null. */
  readonly read: () => Body | undefined;
  /** The text of the row for the file of refused rows, without the end of its line. */
  readonly shown: () => string;
}

interface FileShape {
  readonly format: Format;
  readonly resource: Resource;
}

type Chunks = AsyncIterable<Buffer>;

/** The rows in their order. Throws a JobFailure with the physical line if the whole file is refused. */
export function readRows(chunks: Chunks, { format, resource }: FileShape): AsyncGenerator<FileRow> {
  const limit = bodyLimitOf(resource);
  return format === 'csv' ? csvRows(chunks, resource, limit) : ndjsonRows(chunks, resource, limit);
}

/** The line that a file of refused rows begins with. Empty if the format has none. */
export const headerOf = async (open: () => Promise<Chunks>, { format }: FileShape): Promise<string> =>
  format === 'csv' ? `${await csvHeader(await open())}\n` : '';
