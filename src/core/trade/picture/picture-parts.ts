// The common parts of the readers of PNG and JPEG.

/** A picture that has not been decoded. */
export interface Picture {
  readonly format: 'jpeg' | 'png';
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** The file without parts that no decoder needs: texts, previews, large colour profiles. */
  readonly bytes: Buffer;
}

/** Bytes. A profile may hold a program for each pixel. The profiles of screens have 4 KiB at most. */
export const LARGEST_PROFILE = 16 * 1024;

export const isSmallProfile = (profile: Buffer | undefined): boolean =>
  profile !== undefined && profile.length <= LARGEST_PROFILE;
