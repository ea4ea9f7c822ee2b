// Prepares a logo for documents: once for many documents, because pdfkit would decode a transparent picture each time.
import { openPicture } from '../../trade/picture.ts';

/** The largest room of a logo, in points. */
export const LOGO_ROOM = { width: 200, height: 60 };
/** 216 pixels an inch: sharp on paper, and small enough to be in each document. */
const PIXELS_A_POINT = 3;
const QUALITY = 90;

/** A picture for documents. */
export interface Logo {
  /** A PNG without transparency, or a JPEG; sRGB. */
  readonly bytes: Buffer;
  /** In points. */
  readonly width: number;
  readonly height: number;
}

/**
 * The picture in the size of print: a JPEG stays a JPEG, a PNG a PNG. The same picture makes the same bytes. Undefined if
 * the picture can't be decoded: an invoice without a logo is better than none.
 */
export async function prepareLogo(bytes: Buffer): Promise<Logo | undefined> {
  try {
    const picture = await openPicture(bytes);
    const { format } = await picture.metadata();
    const flat = picture
      .autoOrient()
      .resize({
        width: LOGO_ROOM.width * PIXELS_A_POINT,
        height: LOGO_ROOM.height * PIXELS_A_POINT,
        fit: 'inside',
        withoutEnlargement: true,
      })
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb');
    const made = await (format === 'jpeg'
      ? flat.jpeg({ quality: QUALITY })
      : flat.png({ compressionLevel: 9 })
    ).toBuffer({ resolveWithObject: true });
    const { width, height } = made.info;
    // A small picture is printed at one pixel a point, not larger.
    const scale = Math.min(1, LOGO_ROOM.width / width, LOGO_ROOM.height / height);
    return { bytes: made.data, width: width * scale, height: height * scale };
  } catch {
    return undefined;
  }
}
