// Pictures for tests: PNG files made byte by byte, so that a test can also make wrong ones.
import { crc32, deflateSync } from 'node:zlib';

type Color = readonly [red: number, green: number, blue: number];

interface Wrong {
  /** The size that the header claims, if it is not the real one. */
  readonly claimed?: number;
  /** Bytes in place of the pixels. */
  readonly pixels?: Buffer;
}

/** A PNG of one colour. */
export function pngOf(
  width: number,
  height: number,
  [red, green, blue]: Color = [200, 30, 40],
  { claimed, pixels }: Wrong = {},
): Buffer {
  const row = Buffer.concat([Buffer.of(0), Buffer.alloc(3 * width, Buffer.of(red, green, blue))]);
  const data = pixels ?? deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(claimed ?? width, 0);
  header.writeUInt32BE(claimed ?? height, 4);
  // 8 bits, RGB.
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

export function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
