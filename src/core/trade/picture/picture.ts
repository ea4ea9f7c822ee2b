// Which picture may be a logo: a PNG or a JPEG that is decoded quickly. The headers bound the work, because nothing
// ends a decoder that has begun: the costliest logo takes half a second. The library that decodes is loaded when it is
// first needed: few processes see a picture.
import type { Sharp, SharpOptions } from 'sharp';
import { readJpeg } from './jpeg.ts';
import type { Picture } from './picture-parts.ts';
import { readPng } from './png.ts';

/** Pixels of a side. */
const FEWEST = 16;
const MOST = 3_000;

/** As messages name the check. */
export const PICTURE = `PNG or JPEG, ${FEWEST} to ${MOST} pixels a side`;

const OPTIONS: SharpOptions = { limitInputPixels: MOST * MOST, failOn: 'error' };

/** Whether the base64 begins like a PNG or a JPEG. */
export function looksLikePicture(base64: string): boolean {
  const hex = Buffer.from(base64.slice(0, 12), 'base64').toString('hex');
  return hex.startsWith('89504e470d0a1a0a') || hex.startsWith('ffd8ff');
}

/** The picture, if its headers can be read and do not make it slow. Only decoding tells whether it can be decoded. */
export const readPicture = (bytes: Buffer): Picture | undefined => readPng(bytes) ?? readJpeg(bytes);

/** Whether a picture has the size of a logo. */
export const isOfLogoSize = ({ width, height }: Picture): boolean =>
  Math.min(width, height) >= FEWEST && Math.max(width, height) <= MOST;

/** Begins to decode a picture. A later failure rejects with an Error. */
export async function openPicture({ bytes }: Picture): Promise<Sharp> {
  const { default: sharp } = await import('sharp');
  // Its cache keeps whole pictures, and no picture comes twice.
  sharp.cache(false);
  return sharp(bytes, OPTIONS);
}
