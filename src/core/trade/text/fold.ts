// One way to fold texts, so that people find them as they type them: case and accents do not count, in codes spaces and
// punctuation do not count either, and a telephone number has one form. Each character folds by itself.

/** How the values of a field are folded. `contact`: an e-mail address, or else a telephone number or a website. */
export type Folding = 'text' | 'code' | 'phone' | 'contact';

type Range = readonly [first: number, last: number];
const between = ([first, last]: Range) => `${String.fromCharCode(first)}-${String.fromCharCode(last)}`;

/** Combining diacritical marks, as a part of a character class. */
export const MARKS: string = (
  [
    [0x300, 0x36f],
    [0x1ab0, 0x1aff],
    [0x1dc0, 0x1dff],
    [0x20d0, 0x20ff],
    [0xfe20, 0xfe2f],
  ] as const
)
  .map(between)
  .join('');

/** A character that does not count in a code: neither letter nor digit. */
export const PUNCTUATION = '[^\\p{L}\\p{N}]';

/**
 * Characters that change in other ways than from capital to small: Latin, Greek and Cyrillic, spaces and signs, joined
 * letters, and letters of double width.
 */
export const FOLDED_RANGES: readonly Range[] = [
  [0x1, 0x52f],
  [0x1c80, 0x1c88],
  [0x1e00, 0x206f],
  [0x2126, 0x212b],
  [0x2212, 0x2212],
  [0x3000, 0x3000],
  [0xfb00, 0xfb06],
  [0xff01, 0xff5e],
];

/** Letters that no accent tells apart from others, and signs that keyboards lack. */
const SPECIAL: ReadonlyMap<string, string> = new Map([
  ...Object.entries({ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ħ: 'h', ŧ: 't' }),
  ...Object.entries({ ı: 'i', ĳ: 'ij', ŀ: 'l', ŋ: 'n', ĸ: 'k', ſ: 's', ς: 'σ' }),
  ...Array.from('‘’‚‛ʼ′´', (quote): [string, string] => [quote, "'"]),
  ...Array.from('“”„‟″', (quote): [string, string] => [quote, '"']),
  ...Array.from('‐‑‒–—−', (dash): [string, string] => [dash, '-']),
]);
/** Other looks of the same characters: joined letters, double width, spaces of any width. */
const COMPATIBLE = /[\ufb00-\ufb06\uff01-\uff5e\u00a0\u2000-\u200a\u202f\u205f\u3000]/;
const ASCII = /^[\x20-\x7e]*$/;
const MARK = new RegExp(`[${MARKS}]`, 'g');
const NOT_IN_CODES = new RegExp(PUNCTUATION, 'gu');
/** `+31` or `0031` before a Dutch number, and a 0 that may stand behind it, often in brackets. */
const DUTCH_PREFIX = new RegExp(
  `^[^\\p{L}\\p{N}+]*(?:\\+|0${PUNCTUATION}*0)${PUNCTUATION}*3${PUNCTUATION}*1${PUNCTUATION}*0?`,
  'u',
);

/** The text as people may type it. */
const fold = (text: string): string =>
  ASCII.test(text) ? text.toLowerCase() : Array.from(text, foldCharacter).join('');

/** A code without spaces and punctuation. */
const foldCode = (text: string): string => fold(text).replace(NOT_IN_CODES, '');

/** A telephone number: `+31 (0)6 1234`, `0031 6-1234` and `06 1234` are `061234`. */
const foldPhone = (text: string): string => foldCode(fold(text).replace(DUTCH_PREFIX, '0'));

/** Whether a way to reach a contact is an e-mail address. */
export const isAddress = (text: string): boolean => text.includes('@');

export const FOLD: Readonly<Record<Folding, (text: string) => string>> = {
  text: fold,
  code: foldCode,
  phone: foldPhone,
  contact: (text) => (isAddress(text) ? fold(text) : foldPhone(text)),
};

export function foldCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20 || code === 0x7f) return ' ';
  const lower = (COMPATIBLE.test(character) ? character.normalize('NFKC') : character).toLowerCase();
  const bare = (isFolded(code) ? lower.normalize('NFD') : lower).replace(MARK, '');
  return Array.from(bare, (one) => SPECIAL.get(one) ?? one).join('');
}

const isFolded = (code: number) => FOLDED_RANGES.some(([first, last]) => code >= first && code <= last);
