// Records as lines of JSON, written byte by byte into large buffers: several times as fast as joining strings,
// and a backup is mostly this. What it writes is what model/serialize.ts makes of the same row, to the byte.
import { ENCODERS, type Kind } from '../model/encode.ts';
import type { Stored } from '../model/field.ts';
import type { Table } from '../model/table.ts';

/** A row as the database has it: the values of the table's columns, in their order. */
export type Values = readonly Stored[];

const BUFFER_BYTES = 2 ** 18;
/** Of what is no text: 20 digits and a sign, or an instant in quotes. */
const SHORT_VALUE_BYTES = 32;
/** `\u001f`, the longest that one unit of a text becomes. */
const CHARACTER_BYTES = 6;

const NEWLINE = 0x0a;
const QUOTE = 0x22;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const LETTER_T = 0x54;
const LETTER_Z = 0x5a;
const BACKSLASH = 0x5c;
const LETTER_N = 0x6e;
const BRACE = 0x7d;

interface Column {
  readonly kind: Kind;
  /** `,"name":` */
  readonly key: Uint8Array;
  /** `,"name":null` */
  readonly empty: Uint8Array;
}

/** Collects lines of one table's records. */
export class LineWriter {
  private readonly columns: readonly Column[];
  /** What a row takes at most, its texts left out. */
  private readonly rowBytes: number;
  private buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  private at = 0;

  constructor({ columns }: Table) {
    this.columns = columns.map(columnOf);
    this.rowBytes = this.columns.reduce((sum, { empty }) => sum + empty.length + SHORT_VALUE_BYTES, 2);
  }

  /** So much is written that it should be taken. */
  get isFull(): boolean {
    return this.at > BUFFER_BYTES - 2 * this.rowBytes;
  }

  /** What was written since it was last taken: whole lines, each with its line feed. */
  take(): Buffer {
    const taken = this.buffer.subarray(0, this.at);
    this.buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
    this.at = 0;
    return taken;
  }

  write(row: Values): void {
    this.makeRoom(0);
    const { columns } = this;
    for (let index = 0; index < columns.length; index += 1) {
      const column = columns[index] as Column;
      const value = row[index] ?? null;
      if (value === null) this.bytes(column.empty);
      else {
        this.bytes(column.key);
        this.value(column, value);
      }
    }
    this.buffer[this.at++] = BRACE;
    this.buffer[this.at++] = NEWLINE;
  }

  private value({ kind }: Column, value: string | number): void {
    if (kind === 'text' && typeof value === 'string') this.text(value);
    else if (kind === 'integer' && typeof value === 'number' && value >= 0) this.integer(value);
    else if (kind === 'timestamp' && typeof value === 'string' && value.length === 23) this.timestamp(value);
    else if (kind === 'decimal' && typeof value === 'string' && isPlain(value)) this.decimal(value);
    // Line feeds in an object that is stored as JSON are white space.
    else this.rare(ENCODERS[kind](value).replaceAll('\n', ' '));
  }

  private bytes(bytes: Uint8Array): void {
    this.buffer.set(bytes, this.at);
    this.at += bytes.length;
  }

  private text(text: string): void {
    this.makeRoom(text.length * CHARACTER_BYTES);
    if (!this.commonText(text)) this.rare(JSON.stringify(text));
  }

  /** False, and nothing is written, where the text has surrogates or rare control characters. */
  private commonText(text: string): boolean {
    const { buffer } = this;
    let at = this.at;
    buffer[at++] = QUOTE;
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index);
      if (unit < 0x80) {
        if (unit < 0x20 || unit === QUOTE || unit === BACKSLASH) {
          if (unit < 0x20 && unit !== NEWLINE) return false;
          buffer[at++] = BACKSLASH;
        }
        buffer[at++] = unit === NEWLINE ? LETTER_N : unit;
      } else if (unit < 0x800) {
        buffer[at++] = 0xc0 | (unit >> 6);
        buffer[at++] = 0x80 | (unit & 0x3f);
      } else {
        if (unit >= 0xd800 && unit < 0xe000) return false;
        buffer[at++] = 0xe0 | (unit >> 12);
        buffer[at++] = 0x80 | ((unit >> 6) & 0x3f);
        buffer[at++] = 0x80 | (unit & 0x3f);
      }
    }
    buffer[at++] = QUOTE;
    this.at = at;
    return true;
  }

  private integer(value: number): void {
    let digits = 1;
    for (let left = value; left >= 10; left = Math.trunc(left / 10)) digits += 1;
    let left = value;
    for (let place = this.at + digits - 1; place >= this.at; place -= 1) {
      const rest = Math.trunc(left / 10);
      this.buffer[place] = ZERO + left - rest * 10;
      left = rest;
    }
    this.at += digits;
  }

  /** `2026-05-01 10:30:00.000` as the database has it. */
  private timestamp(text: string): void {
    const { buffer, at } = this;
    buffer[at] = QUOTE;
    for (let index = 0; index < 23; index += 1) buffer[at + 1 + index] = text.charCodeAt(index);
    buffer[at + 11] = LETTER_T;
    buffer[at + 24] = LETTER_Z;
    buffer[at + 25] = QUOTE;
    this.at = at + 26;
  }

  /** As a number shows itself: without the zeros at its end. */
  private decimal(text: string): void {
    const { buffer, at } = this;
    let end = 0;
    let isFraction = false;
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index);
      buffer[at + index] = unit;
      if (unit === POINT) isFraction = true;
      else if (unit !== ZERO || !isFraction) end = index + 1;
    }
    this.at = at + end;
  }

  private rare(json: string): void {
    this.makeRoom(json.length * 3);
    this.at += this.buffer.write(json, this.at);
  }

  /** Sees to it that `bytes` and the rest of the row fit. */
  private makeRoom(bytes: number): void {
    const needed = this.at + bytes + this.rowBytes;
    if (needed <= this.buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * needed);
    this.buffer.copy(larger, 0, 0, this.at);
    this.buffer = larger;
  }
}

/** -0.00 shows itself without its sign, and so negative ones are left to the encoder. */
const isPlain = (decimal: string) =>
  decimal.length < SHORT_VALUE_BYTES && decimal.charCodeAt(0) !== MINUS && decimal.includes('.');

function columnOf({ name, kind }: Table['columns'][number], index: number): Column {
  const key = `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`;
  return { kind, key: Buffer.from(key), empty: Buffer.from(`${key}null`) };
}
