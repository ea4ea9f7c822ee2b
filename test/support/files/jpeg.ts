// JPEG files for tests, made marker by marker, so that a test can also make wrong ones.

/** One scan of a progressive JPEG: a component, the first and the last coefficient, the bit before and the bit. */
type Scan = readonly [component: number, first: number, last: number, high: number, low: number];

interface Shape {
  /** Pixels of a side. */
  readonly side?: number;
  /** Scans besides the first three, which each component needs. */
  readonly scans?: number;
  /** Segments before the first scan, and behind all scans. */
  readonly before?: readonly Buffer[];
  readonly behind?: readonly Buffer[];
}

const HIGHEST_BIT = 13;
const COMPONENTS = [1, 2, 3];
/** A code of one bit for a run of blocks without coefficients: 14 bits behind the code tell its length. */
const RUN = 0xe0;
const RUN_BITS = '010101010101010';
const BLOCKS_OF_RUN = 2 ** 14 + 0b10101010101010;

export function segment(marker: number, ...parts: (Buffer | readonly number[])[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const head = Buffer.of(0xff, marker, 0, 0);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

/** The head of a progressive picture. */
export function frame(width: number, height: number): Buffer {
  const head = Buffer.alloc(6);
  head[0] = 8;
  head.writeUInt16BE(height, 1);
  head.writeUInt16BE(width, 3);
  head[5] = COMPONENTS.length;
  return segment(0xc2, head, ...COMPONENTS.map((id) => [id, 0x11, 0]));
}

const huffmanOfOneCode = (kind: number, symbol: number) =>
  segment(0xc4, [kind << 4, 1, ...Array<number>(15).fill(0), symbol]);

/** A grey progressive JPEG. Decoding takes time for each scan; all scans but the first three hold nothing. */
export function progressiveJpeg({ side = 64, scans = 0, before = [], behind = [] }: Shape = {}): Buffer {
  const blocks = Math.ceil(side / 8) ** 2;
  const grey = Buffer.alloc(Math.ceil(blocks / 8));
  const bits = RUN_BITS.repeat(Math.ceil(blocks / BLOCKS_OF_RUN)).match(/.{1,8}/g) ?? [];
  const empty = Buffer.from(bits.map((eight) => Number.parseInt(eight.padEnd(8, '1'), 2)));
  return Buffer.concat([
    Buffer.of(0xff, 0xd8),
    segment(0xdb, [0, ...Array<number>(64).fill(1)]),
    frame(side, side),
    huffmanOfOneCode(0, 0),
    huffmanOfOneCode(1, RUN),
    ...before,
    ...COMPONENTS.flatMap((id) => [segment(0xda, [1, id, 0, 0, 0, 0]), grey]),
    ...emptyScans(scans).flatMap(([id, first, last, high, low]) => [
      segment(0xda, [1, id, 0, first, last, (high << 4) | low]),
      empty,
    ]),
    ...behind,
    Buffer.of(0xff, 0xd9),
  ]);
}

/** Few scans go over all coefficients of a component. Many go over each coefficient by itself. */
function emptyScans(count: number): Scan[] {
  const bits = Array.from({ length: HIGHEST_BIT + 1 }, (_, index) => HIGHEST_BIT - index);
  const bands =
    count <= bits.length * COMPONENTS.length
      ? [[1, 63] as const]
      : Array.from({ length: 63 }, (_, index) => [index + 1, index + 1] as const);
  return bits
    .flatMap((low) =>
      bands.flatMap(([first, last]) =>
        COMPONENTS.map((id): Scan => [id, first, last, low === HIGHEST_BIT ? 0 : low + 1, low]),
      ),
    )
    .slice(0, count);
}
