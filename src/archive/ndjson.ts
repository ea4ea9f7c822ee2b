// Records as lines of JSON, copied byte by byte from what the server sent into large buffers: a backup is mostly
// this. What it writes is what model/serialize.ts makes of the same row, to the byte.
import { ENCODERS, type Kind } from '../model/encode.ts';
import type { Table } from '../model/table.ts';
import { BUFFER_BYTES, type LineBuffers } from './line-buffers.ts';
import { LONGEST_SHORT, lengthBytes, longLength, NULL, type RowBytes } from './row-bytes.ts';

/** So much is left free: that a row in the usual run of things needs no larger buffer. */
const SPARE_BYTES = 2 ** 14;
/** Added to a value that is no text: quotes and letters of an instant. */
const FRAME_BYTES = 8;
/** `\u001f`, the longest that one byte of a text becomes. */
const ESCAPE_BYTES = 6;
const WORD_BYTES = 4;
const INSTANT_BYTES = 23;

const NEWLINE = 0x0a;
const SPACE = 0x20;
const QUOTE = 0x22;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const LETTER_T = 0x54;
const LETTER_Z = 0x5a;
const BACKSLASH = 0x5c;
const BRACE = 0x7d;

/** What stands for a byte of a text that can not stand for itself. */
const ESCAPES: readonly Uint8Array[] = Array.from({ length: BACKSLASH + 1 }, (_, byte) =>
  Buffer.from(JSON.stringify(String.fromCharCode(byte)).slice(1, -1)),
);

/** How the value of a column becomes JSON. Numbers, since texts that came from another thread compare slowly. */
const WAYS: Readonly<Record<Kind, number>> = { integer: 0, text: 1, decimal: 2, timestamp: 3, json: 4 };

/** Whether one of four bytes may be a control character, a quote or a backslash; it may say so of others. */
const hasEscape = (word: number): boolean =>
  ((((word - 0x20202020) & ~word) | zeroIn(word ^ 0x22222222) | zeroIn(word ^ 0x5c5c5c5c)) & 0x80808080) !==
  0;

/** The highest bit of a byte of the answer is set where that of the word is 0. */
const zeroIn = (word: number): number => (word - 0x01010101) & ~word;

/** Four bytes that have to be looked at one by one. */
const NO_WORD = 0;

interface Column {
  readonly kind: Kind;
  readonly way: number;
  /** `,"name":` */
  readonly key: Words;
  /** `,"name":null` */
  readonly empty: Words;
}

/** Bytes that are copied four at a time; what is copied too much is overwritten by what follows. */
interface Words {
  readonly words: Int32Array;
  readonly length: number;
}

const NONE: Buffer<ArrayBuffer> = Buffer.alloc(0);

/** Collects lines of one table's records. */
export class LineWriter {
  private readonly columns: readonly Column[];
  /** What a row takes beside its values. */
  private readonly frameBytes: number;
  private readonly buffers: LineBuffers;
  private buffer = NONE;
  private view = viewOf(NONE);
  private at = 0;
  /** Where the last row was read from: many come in one piece. */
  private from: Uint8Array = NONE;
  private source = viewOf(NONE);

  /** `buffers` gets back what was taken and is of no use any more. */
  constructor({ columns }: Table, buffers: LineBuffers) {
    this.buffers = buffers;
    this.columns = columns.map(columnOf);
    this.frameBytes = this.columns.reduce(
      (sum, { empty }) => sum + empty.length + FRAME_BYTES,
      2 * WORD_BYTES,
    );
  }

  /** So much is written that it should be taken. */
  get isFull(): boolean {
    return this.at > BUFFER_BYTES - SPARE_BYTES;
  }

  /** What was written since it was last taken: whole lines, each with its line feed. */
  take(): Buffer {
    const taken = this.buffers.lend(this.buffer, this.at);
    this.renew(NONE);
    this.at = 0;
    return taken;
  }

  write({ buffer: from, offset, end }: RowBytes): void {
    this.makeRoom((end - offset) * ESCAPE_BYTES + this.frameBytes);
    if (from !== this.from) {
      this.from = from;
      this.source = viewOf(from);
    }
    const { columns } = this;
    let next = offset;
    for (let index = 0; index < columns.length; index += 1) {
      const { kind, way, key, empty } = columns[index] as Column;
      let length = from[next++] ?? NULL;
      if (length === NULL) {
        this.words(empty);
        continue;
      }
      if (length > LONGEST_SHORT) {
        const bytes = lengthBytes(length);
        length = longLength(from, next, bytes);
        next += bytes;
      }
      this.words(key);
      if (way === WAYS.integer) this.plain(from, next, length);
      else if (way === WAYS.text) this.text(from, next, length);
      else if (way === WAYS.decimal && from[next] !== MINUS) this.decimal(from, next, length);
      else if (way === WAYS.timestamp && length === INSTANT_BYTES) this.timestamp(next);
      else if (way === WAYS.json) this.object(from, next, length);
      else this.rare(kind, Buffer.from(from.buffer, from.byteOffset + next, length));
      next += length;
    }
    this.buffer[this.at++] = BRACE;
    this.buffer[this.at++] = NEWLINE;
  }

  private words({ words, length }: Words): void {
    const { view, at } = this;
    for (let index = 0; index < words.length; index += 1)
      view.setInt32(at + index * WORD_BYTES, words[index] as number, true);
    this.at = at + length;
  }

  private plain(from: Uint8Array, start: number, length: number): void {
    const { buffer, at } = this;
    for (let index = 0; index < length; index += 1) buffer[at + index] = from[start + index] as number;
    this.at = at + length;
  }

  private text(from: Uint8Array, start: number, length: number): void {
    const { buffer, view, source } = this;
    const end = start + length;
    let { at } = this;
    buffer[at++] = QUOTE;
    let index = start;
    while (index < end) {
      const word = index + WORD_BYTES <= end ? source.getInt32(index, true) : NO_WORD;
      if (!hasEscape(word)) {
        view.setInt32(at, word, true);
        at += WORD_BYTES;
        index += WORD_BYTES;
        continue;
      }
      const byte = from[index++] as number;
      if (byte >= SPACE && byte !== QUOTE && byte !== BACKSLASH) buffer[at++] = byte;
      else for (const unit of ESCAPES[byte] as Uint8Array) buffer[at++] = unit;
    }
    buffer[at++] = QUOTE;
    this.at = at;
  }

  /** `2026-05-01 10:30:00.000` as the database has it. */
  private timestamp(start: number): void {
    const { buffer, view, source, at } = this;
    buffer[at] = QUOTE;
    for (let index = 0; index + WORD_BYTES <= INSTANT_BYTES; index += WORD_BYTES)
      view.setInt32(at + 1 + index, source.getInt32(start + index, true), true);
    const last = INSTANT_BYTES - WORD_BYTES;
    view.setInt32(at + 1 + last, source.getInt32(start + last, true), true);
    buffer[at + 11] = LETTER_T;
    this.at = at + 1 + INSTANT_BYTES;
    buffer[this.at++] = LETTER_Z;
    buffer[this.at++] = QUOTE;
  }

  /** As a number shows itself: without the zeros at its end. None is below 0, where -0.00 shows itself as 0. */
  private decimal(from: Uint8Array, start: number, length: number): void {
    const { buffer, at } = this;
    let end = 0;
    let isFraction = false;
    for (let index = 0; index < length; index += 1) {
      const byte = from[start + index] as number;
      buffer[at + index] = byte;
      if (byte === POINT) isFraction = true;
      else if (byte !== ZERO || !isFraction) end = index + 1;
    }
    this.at = at + end;
  }

  /** Line feeds in an object that is stored as JSON are white space. Long ones, so not byte by byte. */
  private object(from: Uint8Array, start: number, length: number): void {
    const { buffer, at } = this;
    const end = at + length;
    buffer.set(from.subarray(start, start + length), at);
    // The search ends here; what follows takes its place.
    buffer[end] = NEWLINE;
    for (let found = buffer.indexOf(NEWLINE, at); found < end; found = buffer.indexOf(NEWLINE, found))
      buffer[found] = SPACE;
    this.at = end;
  }

  private rare(kind: Kind, stored: Buffer): void {
    this.at += this.buffer.write(ENCODERS[kind](stored.toString()), this.at);
  }

  private makeRoom(bytes: number): void {
    const needed = this.at + bytes;
    if (needed <= this.buffer.length) return;
    const larger = needed <= BUFFER_BYTES ? this.buffers.next() : Buffer.allocUnsafeSlow(2 * needed);
    this.buffer.copy(larger, 0, 0, this.at);
    this.renew(larger);
  }

  private renew(buffer: Buffer<ArrayBuffer>): void {
    this.buffer = buffer;
    this.view = viewOf(buffer);
  }
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  new DataView(buffer, byteOffset, byteLength);

function columnOf({ name, kind }: Table['columns'][number], index: number): Column {
  const key = `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`;
  return { kind, way: WAYS[kind], key: wordsOf(key), empty: wordsOf(`${key}null`) };
}

function wordsOf(text: string): Words {
  const { length } = text;
  const padded = Buffer.from(text.padEnd(Math.ceil(length / WORD_BYTES) * WORD_BYTES));
  const words = Int32Array.from({ length: padded.length / WORD_BYTES }, (_, index) =>
    padded.readInt32LE(index * WORD_BYTES),
  );
  return { words, length };
}
