// Reads a file of CSV. csv-parse judges quotes and counts cells; this file finds the separator, knows the columns, and
// tells in which physical line a row begins. A row with another number of cells refuses the whole file: its neighbours
// are probably shifted too, and their values would go into wrong columns.
import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import type { Field } from '../../core/model/fields/field.ts';
import type { Resource } from '../../core/model/records/record.ts';
import { failure, type JobFailure } from '../../platform/job-failure.ts';
import type { FileRow } from './file-row.ts';
import { withHead } from './file-text.ts';
import { referenceByExternalId } from './reference.ts';
import { isWriteOnly, shownCsv } from './write-only.ts';

type Chunks = AsyncIterable<Buffer>;

interface CsvRecord {
  readonly line: number;
  readonly raw: string;
  readonly cells: readonly string[];
  readonly separator: string;
}

/** As JSON writes it: no leading zero, no comma. */
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
const LINE_END = /\r\n|\r|\n/;
const HEADER_BYTES = 1024 * 1024;
/** Rows may be large, so they don't wait in memory. An option of streams that csv-parse takes and its types lack. */
const ONE_BY_ONE = { readableHighWaterMark: 1 };

/** The rows behind the header. Throws a JobFailure if the file is broken or has an unknown column. */
export async function* csvRows(chunks: Chunks, resource: Resource, limit: number): AsyncGenerator<FileRow> {
  let columns: readonly Column[] | undefined;
  let hidden: ReadonlySet<number> = new Set();
  for await (const { line, raw, cells, separator } of records(chunks, limit)) {
    if (!columns) {
      columns = columnsOf(resource, line, cells);
      hidden = new Set(columns.flatMap(({ name }, index) => (isWriteOnly(resource, name) ? [index] : [])));
      continue;
    }
    const known = columns;
    const shown = hidden.size === 0 ? () => raw : () => shownCsv(cells, hidden, separator);
    yield { line, bytes: Buffer.byteLength(raw), read: () => bodyOf(known, cells), shown };
  }
  if (!columns) throw failure('file_refused', { line: 1, reason: 'the header is missing' });
}

/** The text of the header. */
export async function csvHeader(chunks: Chunks): Promise<string> {
  for await (const { raw } of records(chunks, HEADER_BYTES)) return raw;
  return '';
}

const bodyOf = (columns: readonly Column[], cells: readonly string[]) =>
  Object.fromEntries(columns.map(({ name, read }, index) => [name, read(cells[index] ?? '')]));

/** A row of csv-parse with the option `raw`. */
interface Parsed {
  readonly raw: string;
  readonly record: string[];
}

async function* records(chunks: Chunks, limit: number): AsyncGenerator<CsvRecord> {
  const { first, all, close } = await withFirst(withHead(chunks));
  const counter = new LineCounter();
  /** The lines of the rows that are parsed and not yet taken. */
  const lines: number[] = [];
  const separator = separatorOf(first);
  const parser = parse({
    bom: true,
    delimiter: separator,
    record_delimiter: lineEndsOf(first),
    ...ONE_BY_ONE,
    raw: true,
    skip_empty_lines: true,
    max_record_size: limit,
    on_record: (parsed: string[], { empty_lines }) => {
      // The types do not know that `raw` changes the result.
      const { record } = parsed as string[] & Parsed;
      lines.push(counter.next(record, empty_lines));
      return parsed;
    },
  });
  const source = Readable.from(all, { objectMode: false });
  source.on('error', (error) => parser.destroy(error));
  try {
    for await (const { raw, record } of source.pipe(parser) as AsyncIterable<Parsed>) {
      yield {
        line: lines.shift() ?? 0,
        raw: withoutLineEnds(raw.replace(/^\ufeff/, '')),
        cells: record,
        separator,
      };
    }
  } catch (error) {
    throw error instanceof CsvError ? refusal(error, counter, limit) : error;
  } finally {
    source.destroy();
    await close();
  }
}

/** Cuts the line ends around a row. A regular expression would begin anew at each line end within a cell. */
function withoutLineEnds(row: string): string {
  const isLineEnd = (at: number) => row[at] === '\n' || row[at] === '\r';
  let [from, to] = [0, row.length];
  while (isLineEnd(from)) from += 1;
  while (to > from && isLineEnd(to - 1)) to -= 1;
  return row.slice(from, to);
}

/** Counts physical lines while rows are parsed. csv-parse counts a line that ends within quotes twice. */
class LineCounter {
  private line = 1;
  private blank = 0;

  /** The line at which a row begins. `blank`: the blank lines of the file so far. */
  begin(blank: number): number {
    this.line += blank - this.blank;
    this.blank = blank;
    return this.line;
  }

  /** The same for a row that is whole. */
  next(cells: readonly string[], blank: number): number {
    const begun = this.begin(blank);
    this.line += 1;
    for (const cell of cells) if (cell.includes('\n') || cell.includes('\r')) this.line += linesIn(cell);
    return begun;
  }
}

const linesIn = (cell: string) => cell.split(LINE_END).length - 1;

/** The first chunk, and all chunks. `close`: closes the file, also if nobody has read further. */
async function withFirst(
  chunks: Chunks,
): Promise<{ first: Buffer; all: AsyncGenerator<Buffer>; close: () => Promise<unknown> }> {
  const source = chunks[Symbol.asyncIterator]();
  const { value: first = Buffer.alloc(0), done } = await source.next();
  async function* all() {
    yield first;
    if (!done) yield* { [Symbol.asyncIterator]: () => source };
  }
  return { first, all: all(), close: async () => source.return?.() };
}

/**
 * All that end a row. csv-parse by itself knows the first line end of the file only, and a file may mix two kinds. A
 * line feed within quotes is a part of its cell; the last quote may be cut off.
 */
function lineEndsOf(first: Buffer): string[] {
  const bare = first.toString().replace(/"[^"]*("|$)/g, '');
  return bare.includes('\n') ? ['\r\n', '\n'] : ['\r'];
}

/** `;` or `,`: the sign that occurs more often in the header, outside quotes. */
export function separatorOf(first: Buffer): string {
  const [header = ''] = first
    .toString()
    .trimStart()
    .split(/[\r\n]/, 1);
  const bare = header.replace(/"[^"]*"/g, '');
  const count = (separator: string) => bare.split(separator).length;
  return count(';') > count(',') ? ';' : ',';
}

/** Names the column of a broken cell, and no cell's text. */
function refusal(error: CsvError, counter: LineCounter, limit: number): JobFailure {
  const line = counter.begin(Number(error.empty_lines ?? 0));
  const refuse = (reason: string) => failure('file_refused', { line, reason });
  const column = `column [${Number(error.column) + 1}]`;
  switch (error.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return refuse(`${column}: a quote is never closed, or the file is cut off`);
    case 'CSV_MAX_RECORD_SIZE':
      return refuse(`${column}: the row is larger than [${limit}] bytes, perhaps a quote is never closed`);
    case 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH': {
      const [cells, columns] = [(error.record as string[]).length, expectedCells(error)];
      return refuse(
        `the row has [${cells}] cells, and the header has [${columns}], perhaps the file is cut off`,
      );
    }
    default:
      return refuse(
        `${column}: a quote stands inside a cell: a cell with a quote is written in quotes, and the quote twice`,
      );
  }
}

const expectedCells = ({ message }: CsvError) => /expect (\d+)/.exec(message)?.[1] ?? '?';

/** A column is a field of the resource, or one of its references by external_id. */
interface Column {
  readonly name: string;
  /** The value as JSON has it; a cell that is no number stays a text, which the checks refuse. */
  readonly read: (cell: string) => unknown;
}

/** Throws a JobFailure: unknown, repeated and nameless columns. A header may hold data, so no message shows a name. */
function columnsOf(resource: Resource, line: number, header: readonly string[]): Column[] {
  const names = header.map((name) => name.trim());
  const refuse = (column: number, reason: string) =>
    failure('file_refused', { line, reason: `column [${column + 1}] ${reason}` });
  const nameless = names.indexOf('');
  if (nameless >= 0) throw refuse(nameless, 'has no name');
  const unknown = names.findIndex(
    (name) => !resource.fields.has(name) && !referenceByExternalId(resource, name),
  );
  if (unknown >= 0) throw refuse(unknown, 'not found in model');
  const repeated = names.findIndex((name, index) => names.indexOf(name) !== index);
  if (repeated >= 0)
    throw refuse(repeated, `has the name of column [${names.indexOf(names[repeated] ?? '') + 1}]`);
  return names.map((name) => ({ name, read: reader(resource.fields.get(name)) }));
}

function reader(field: Field | undefined): Column['read'] {
  const type = field?.schema.type;
  if (type === 'integer' || type === 'number')
    return (cell) => (cell === '' ? null : NUMBER.test(cell) ? Number(cell) : cell);
  if (type === 'array' || type === 'object') return (cell) => (cell === '' ? null : parsedOr(cell));
  return (cell) => (cell === '' ? null : cell);
}

function parsedOr(cell: string): unknown {
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}
