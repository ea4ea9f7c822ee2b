// Turns rows into CSV: RFC 4180 with CR LF, UTF-8 without BOM: in most programs a BOM would become part of the first
// column's name. A cell has the value that JSON would show; an empty value and an empty text are both an empty cell.

import { ENCODERS, type Kind } from '../../core/model/fields/encode.ts';
import type { Stored } from '../../core/model/fields/field.ts';
import type { ShownColumn } from '../../core/model/records/serialize.ts';
import { disarmed } from '../../core/trade/formula.ts';
import { csvLines } from '../../platform/zip/csv-lines.ts';
import type { Packer } from '../../platform/zip/rows.ts';

const CHUNK_CHARACTERS = 2 ** 17;

/** Takes rows as arrays, gives chunks of CSV. The first line has the names of the columns. */
export class CsvLines implements Packer<Buffer> {
  /** The rows taken so far. */
  count = 0;
  private readonly kinds: readonly Kind[];
  private readonly textCell: (text: string) => string;
  private records: string[][];
  private characters = 0;

  /** `raw`: texts that look like formulas stay as they are. */
  constructor(columns: readonly ShownColumn[], raw: boolean) {
    this.kinds = columns.map(({ kind }) => kind);
    this.textCell = raw ? (text) => text : disarmed;
    this.records = [columns.map(({ name }) => name)];
  }

  add(row: readonly Stored[]): Buffer | undefined {
    const cells = this.kinds.map((kind, index) => this.cell(kind, row[index] ?? null));
    for (const cell of cells) this.characters += cell.length;
    this.records.push(cells);
    this.count += 1;
    return this.characters < CHUNK_CHARACTERS ? undefined : this.rest();
  }

  rest(): Buffer | undefined {
    if (this.records.length === 0) return undefined;
    const lines = csvLines(this.records);
    this.records = [];
    this.characters = 0;
    return Buffer.from(lines);
  }

  private cell(kind: Kind, stored: Stored): string {
    if (stored === null) return '';
    if (kind === 'text') return this.textCell(String(stored));
    const json = ENCODERS[kind](stored);
    return json.startsWith('"') ? String(JSON.parse(json)) : json;
  }
}
