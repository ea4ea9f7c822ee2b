// Reads the headers of a PNG without decoding it. Texts and colour profiles of a PNG are compressed and may be huge, so
// only the chunks stay that the pixels need.
import { inflateSync } from 'node:zlib';
import { isSmallProfile, LARGEST_PROFILE, type Picture } from './picture-parts.ts';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
/** Length, type and check of a chunk. */
const FRAME = 12;
const PIXELS = ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'];

/** The picture of a PNG, without parts that no decoder needs. Undefined if it is no PNG. */
export function readPng(bytes: Buffer): Picture | undefined {
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return undefined;
  const kept: Buffer[] = [SIGNATURE];
  const seen = new Set<string>();
  let size: { width: number; height: number } | undefined;
  for (let at = SIGNATURE.length; at + FRAME <= bytes.length; ) {
    const end = at + FRAME + bytes.readUInt32BE(at);
    if (end > bytes.length) return undefined;
    const type = bytes.toString('latin1', at + 4, at + 8);
    const content = bytes.subarray(at + 8, end - 4);
    if (type === 'IHDR') {
      if (size || content.length !== 13) return undefined;
      size = { width: content.readUInt32BE(0), height: content.readUInt32BE(4) };
    }
    if (!size) return undefined;
    if (PIXELS.includes(type) || (!seen.has(type) && isNeeded(type, content)))
      kept.push(bytes.subarray(at, end));
    seen.add(type);
    if (type === 'IEND') return { format: 'png', ...size, bytes: Buffer.concat(kept) };
    at = end;
  }
  return undefined;
}

/** Whether a chunk tells how the pixels are meant: how the picture is turned, or its colours. */
const isNeeded = (type: string, content: Buffer): boolean =>
  type === 'eXIf' || (type === 'iCCP' && isSmallProfile(profileOf(content)));

/** The colour profile of a chunk iCCP: a name, the byte 0, the method, and the compressed profile. */
function profileOf(content: Buffer): Buffer | undefined {
  try {
    return inflateSync(content.subarray(content.indexOf(0) + 2), { maxOutputLength: LARGEST_PROFILE + 1 });
  } catch {
    return undefined;
  }
}
