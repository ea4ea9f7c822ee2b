// Texts as XML can hold them. XML 1.0 has no way to write most control characters, so they are left out.

/** All control characters but the tab and the end of a line, halves of surrogate pairs, and two that are no characters. */
const FORBIDDEN = /[^\t\n\P{Cc}]|[\p{Cs}\uFFFE\uFFFF]/gu;

/** The text without forbidden characters and without blanks around it. Undefined if nothing is left. */
export const clean = (text: string | number | null | undefined): string | undefined =>
  String(text ?? '')
    .replace(/\r\n?/g, '\n')
    .replace(FORBIDDEN, '')
    .trim() || undefined;

/** The texts that say something, one on each line. */
export const joined = (texts: readonly (string | null | undefined)[], separator = '\n'): string | undefined =>
  texts.flatMap((text) => clean(text) ?? []).join(separator) || undefined;
