// Texts as XML can hold them. XML 1.0 has no way to write most control characters, so they are left out.

/** Control characters except tab and line feed, halves of surrogate pairs, and two code points without a character. */
const FORBIDDEN = /[^\t\n\P{Cc}]|[\p{Cs}\uFFFE\uFFFF]/gu;

/** The text without forbidden characters. A line ends with a line feed, as an XML parser reads it. */
export const xmlText = (text: string): string => text.replace(/\r\n?/g, '\n').replace(FORBIDDEN, '');

/** The text for an element. Undefined if only blanks are left: UBL has no empty elements. */
export function clean(text: string | number | null | undefined): string | undefined {
  const cleaned = xmlText(String(text ?? ''));
  return cleaned.trim() === '' ? undefined : cleaned;
}

/** The texts that say something, one on each line. */
export const joined = (texts: readonly (string | null | undefined)[], separator = '\n'): string | undefined =>
  texts.flatMap((text) => clean(text) ?? []).join(separator) || undefined;
