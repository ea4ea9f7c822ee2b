// The colours of documents, and the contrast of the colour that a garage chooses. A light colour is darkened for text,
// so that everybody can read it (WCAG: a contrast of 4.5 to 1 on white).

export const INK = '#1c2430';
export const GREY = '#565f6b';
export const PALE = '#c9d0d8';
export const TINT = '#f2f5f8';

export const LEAST_CONTRAST = 4.5;
const DARKER = 0.95;

/** The contrast of a colour `#rrggbb` with another one, from 1 to 21. */
export function contrast(one: string, other = '#ffffff'): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

/** The colour itself, or a darker one of the same hue that can be read on white and on TINT. */
export function readable(color: string): string {
  let channels = channelsOf(color);
  while (contrast(hexOf(channels), TINT) < LEAST_CONTRAST) channels = channels.map((value) => value * DARKER);
  return hexOf(channels);
}

const channelsOf = (color: string): number[] =>
  [1, 3, 5].map((from) => Number.parseInt(color.slice(from, from + 2), 16));

const hexOf = (channels: readonly number[]): string =>
  `#${channels.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`;

/** As WCAG 2.2 defines the relative luminance. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
