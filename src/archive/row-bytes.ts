// Rows as the server sends them, before values are made of them: in MySQL's text protocol every value is text
// behind its length. A backup copies them from there, three times as fast as by way of JavaScript's values.

/** A row, valid only while it is handed over. Values in the order of the columns; of what the server sent it is a part. */
export interface RowBytes {
  readonly buffer: Uint8Array;
  /** Where its first value begins, and where its last one has ended. */
  readonly offset: number;
  readonly end: number;
}

/** In place of a length: the value is null. */
export const NULL = 0xfb;
/** Lengths below stand in one byte. Above it the byte says in how many more: 2, 3 or 8. */
export const LONGEST_SHORT = 0xfa;

/** How many bytes after the first one hold a length. */
export const lengthBytes = (first: number): number => (first === 0xfc ? 2 : first === 0xfd ? 3 : 8);

/** A length of so many bytes, the lowest first. No value is longer than 2³² − 1. */
export function longLength(buffer: Uint8Array, at: number, bytes: number): number {
  let length = 0;
  for (let index = Math.min(bytes, 4) - 1; index >= 0; index -= 1)
    length = length * 256 + (buffer[at + index] ?? 0);
  return length;
}

/** The number that a row begins with. */
export function firstNumber({ buffer, offset }: RowBytes): number {
  let number = 0;
  for (let index = 1; index <= (buffer[offset] ?? 0); index += 1)
    number = number * 10 + (buffer[offset + index] ?? 0) - 0x30;
  return number;
}
