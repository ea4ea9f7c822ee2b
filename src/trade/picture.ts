// Which picture may be a logo: a PNG or a JPEG that can be decoded. The library that decodes is loaded when it is first
// needed, because few processes see a picture.
import type { Sharp, SharpOptions } from 'sharp';

/** Pixels of a side. */
const FEWEST = 16;
const MOST = 3_000;
const SECONDS = 5;

/** As messages name the check. */
export const PICTURE = `PNG or JPEG, ${FEWEST} to ${MOST} pixels a side`;

// A small file can claim to hold a huge picture. The limit refuses the picture before anything is decoded.
const OPTIONS: SharpOptions = { limitInputPixels: MOST * MOST, failOn: 'error' };

/** Begins to decode a picture. What fails later rejects with an Error, also after too long a time. */
export async function openPicture(bytes: Buffer): Promise<Sharp> {
  const { default: sharp } = await import('sharp');
  return sharp(bytes, OPTIONS).timeout({ seconds: SECONDS });
}

/** Whether the base64 begins like a PNG or a JPEG. */
export function looksLikePicture(base64: string): boolean {
  const hex = Buffer.from(base64.slice(0, 12), 'base64').toString('hex');
  return hex.startsWith('89504e470d0a1a0a') || hex.startsWith('ffd8ff');
}

/** Whether a file that looks like a picture is one: every pixel is decoded. */
export async function isPicture(bytes: Buffer): Promise<boolean> {
  try {
    const picture = await openPicture(bytes);
    const { width, height } = await picture.metadata();
    if (Math.min(width, height) < FEWEST || Math.max(width, height) > MOST) return false;
    // Without fastShrinkOnLoad the decoder would skip parts of a JPEG.
    await picture.resize({ width: FEWEST, fastShrinkOnLoad: false }).toBuffer();
    return true;
  } catch {
    return false;
  }
}
