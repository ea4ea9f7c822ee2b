// Reads the headers of a JPEG without decoding it. A JPEG may describe its picture by scan upon scan: each scan costs
// time for every pixel and takes ten bytes of the file, so the scans are counted before anything decodes them.
import { isSmallProfile, type Picture } from './picture-parts.ts';

const MOST_SCANS = 50;

const EOI = 0xd9;
const SOS = 0xda;
const APP0 = 0xe0;
const EXIF = 0xe1;
const PROFILE = 0xe2;
const ADOBE = 0xee;
/** Baseline, extended and progressive, by Huffman codes. No logo needs arithmetic codes or hierarchies of frames. */
const FRAMES = [0xc0, 0xc1, 0xc2];
/** Huffman tables, quantisation tables, restart interval. */
const TABLES = [0xc4, 0xdb, 0xdd];
const COMMENT = 0xfe;

const ONE_PROFILE = Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1');
const ONE_EXIF = Buffer.from('Exif\0\0', 'latin1');

const isRestart = (marker: number) => marker >= 0xd0 && marker <= 0xd7;
const isApplication = (marker: number) => marker >= APP0 && marker <= 0xef;

/** The picture of a JPEG, without parts that no decoder needs. Undefined if it is no JPEG, or has too many scans. */
export function readJpeg(bytes: Buffer): Picture | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return undefined;
  const kept: Buffer[] = [bytes.subarray(0, 2)];
  const seen = new Set<number>();
  let size: { width: number; height: number } | undefined;
  let scans = 0;
  for (let at = 2; ; ) {
    // Fill bytes may stand before a marker.
    while (bytes[at] === 0xff && bytes[at + 1] === 0xff) at += 1;
    const marker = bytes[at + 1];
    if (bytes[at] !== 0xff || marker === undefined) return undefined;
    if (marker === EOI) {
      kept.push(bytes.subarray(at, at + 2));
      return size && scans > 0 ? { format: 'jpeg', ...size, bytes: Buffer.concat(kept) } : undefined;
    }
    const end = endOfSegment(bytes, at);
    if (end === undefined) return undefined;
    const content = bytes.subarray(at + 4, end);
    let next = end;
    if (FRAMES.includes(marker)) {
      if (size || content.length < 6) return undefined;
      size = { height: content.readUInt16BE(1), width: content.readUInt16BE(3) };
    } else if (marker === SOS) {
      scans += 1;
      if (!size || scans > MOST_SCANS) return undefined;
      next = endOfScan(bytes, end);
    } else if (!TABLES.includes(marker) && !isApplication(marker) && marker !== COMMENT) return undefined;
    if (
      FRAMES.includes(marker) ||
      TABLES.includes(marker) ||
      marker === SOS ||
      isNeeded(marker, content, seen)
    )
      kept.push(bytes.subarray(at, next));
    at = next;
  }
}

/** The end of the segment with its marker at `at`. Undefined if the file ends before. */
function endOfSegment(bytes: Buffer, at: number): number | undefined {
  if (at + 4 > bytes.length) return undefined;
  const length = bytes.readUInt16BE(at + 2);
  const end = at + 2 + length;
  return length < 2 || end > bytes.length ? undefined : end;
}

/** Where the data of a scan ends: at the next marker that is no restart. In the data, 0 follows each byte 0xff. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at)) {
    const next = bytes[at + 1] ?? 0;
    if (next === 0xff) at += 1;
    else if (next === 0 || isRestart(next)) at += 2;
    else return at;
  }
  return bytes.length;
}

/**
 * Whether a segment tells how the pixels are meant: the kind of colours, how the picture is turned. The first one
 * counts.
 */
function isNeeded(marker: number, content: Buffer, seen: Set<number>): boolean {
  const isWanted =
    marker === APP0 ||
    marker === ADOBE ||
    (marker === EXIF && startsWith(content, ONE_EXIF)) ||
    (marker === PROFILE &&
      startsWith(content, ONE_PROFILE) &&
      isSmallProfile(content.subarray(ONE_PROFILE.length)));
  if (!isWanted || seen.has(marker)) return false;
  seen.add(marker);
  return true;
}

const startsWith = (content: Buffer, begin: Buffer) => content.subarray(0, begin.length).equals(begin);
