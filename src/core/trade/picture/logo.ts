// Makes of a logo the small picture that documents print. This is done once for each logo, when the garage sends it.
import { createHash } from 'node:crypto';
import { isOfLogoSize, openPicture, readPicture } from './picture.ts';

/** The largest room of a logo on a document, in points. */
export const LOGO_ROOM = { width: 200, height: 60 };
/** 216 pixels an inch: sharp on paper, and small enough to be in each document. */
const PIXELS_A_POINT = 3;
const QUALITY = 90;

/** A logo for documents. */
export interface Logo {
  /** A PNG without transparency, or a JPEG; sRGB. */
  readonly bytes: Buffer;
  /** In points. */
  readonly width: number;
  readonly height: number;
}

/** The columns of a garage that keep the printed logo. */
export interface PrintedLogo {
  /** In base64. Null: the garage has no logo, or one that can't be decoded. */
  readonly printed_logo: string | null;
  /** The SHA-256 of the logo that it was made from, because a restore brings another logo. */
  readonly printed_logo_of: string | null;
}

/**
 * The picture in the size of print: a JPEG stays a JPEG, a PNG a PNG. The same picture makes the same bytes. Undefined
 * if its headers forbid it, or if it can't be decoded.
 */
export async function printLogo(bytes: Buffer): Promise<Buffer | undefined> {
  const picture = readPicture(bytes);
  if (!picture || !isOfLogoSize(picture)) return undefined;
  try {
    const flat = (await openPicture(picture))
      .autoOrient()
      .resize({
        width: LOGO_ROOM.width * PIXELS_A_POINT,
        height: LOGO_ROOM.height * PIXELS_A_POINT,
        fit: 'inside',
        withoutEnlargement: true,
        // The decoder would skip parts of a JPEG, and accept one that is broken there.
        fastShrinkOnLoad: false,
      })
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb');
    return await (picture.format === 'jpeg'
      ? flat.jpeg({ quality: QUALITY })
      : flat.png({ compressionLevel: 9 })
    ).toBuffer();
  } catch {
    return undefined;
  }
}

/** A printed logo with its size on paper. Undefined if the bytes are no picture. */
export function placeLogo(bytes: Buffer): Logo | undefined {
  const picture = readPicture(bytes);
  if (!picture) return undefined;
  const { width, height } = picture;
  // A small picture is printed at one pixel a point, not larger.
  const scale = Math.min(1, LOGO_ROOM.width / width, LOGO_ROOM.height / height);
  return { bytes, width: width * scale, height: height * scale };
}

/** `logo` in base64, as the column has it. */
export const digestOfLogo = (logo: string): string => createHash('sha256').update(logo).digest('hex');
