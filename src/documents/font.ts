// The fonts of the documents, read once a thread: parsing them takes as long as laying out a page. They have
// Latin, Greek and Cyrillic letters; what they lack is replaced here, so that no text can break a document.
import { createRequire } from 'node:module';
import { type Font, type GlyphRun, openSync } from 'fontkit';
import { LRUCache } from 'lru-cache';

const WORDS_REMEMBERED = 4_000;
/** As pdfkit counts; in such fonts it leaves a word's layout as it is, so that documents can share it. */
const UNITS = 1_000;

/** Two letters as one sign, which are to be read as two. */
const isLigature = (code: number) => code >= 0xfb00 && code <= 0xfb4f;

const { resolve } = createRequire(import.meta.url);
const read = (weight: string) =>
  remembering(
    knowing(
      openSync(resolve(`@expo-google-fonts/source-sans-3/${weight}/SourceSans3_${weight}.ttf`)) as Font,
    ),
  );

export const FONTS = { regular: read('400Regular'), bold: read('600SemiBold') };
export type FontName = keyof typeof FONTS;

const SIMPLE = /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u017e€–—‘’“”…]*$/;

/**
 * The text with what can be shown of it. Letters and digits that the fonts lack become `?`, emoji and marks
 * without a shape of their own go, white space becomes one space; line ends stay.
 */
export function printable(text: string): string {
  if (SIMPLE.test(text)) return text;
  return text
    .normalize('NFC')
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => shown(line).replace(/\s+/g, ' ').trim())
    .join('\n');
}

/**
 * fontkit keeps each glyph as it first met it: as a part of another one (the S of Š) it would stand for no letter,
 * and whoever copies or searches the text of a document would miss it. So each is met by its own letter first.
 */
function knowing(font: Font): Font {
  for (const code of font.characterSet) if (!isLigature(code)) font.glyphForCodePoint(code);
  return font;
}

/** Laying out words takes two thirds of the time of a document, and most are those of the one before. */
function remembering(font: Font): Font {
  if (font.unitsPerEm !== UNITS) return font;
  const layout = font.layout.bind(font);
  const known = new LRUCache<string, GlyphRun>({ max: WORDS_REMEMBERED });
  font.layout = (text, ...rest) => {
    if (rest.some((option) => option !== undefined)) return layout(text, ...rest);
    const run = known.get(text) ?? layout(text);
    known.set(text, run);
    return run;
  };
  return font;
}

const shown = (line: string) => Array.from(line, (character) => replacement(character)).join('');

function replacement(character: string): string {
  if (/\s/.test(character)) return ' ';
  // Joiners and marks of direction have no shape, and could make a text read otherwise than it is stored.
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Variation_Selector}]/u.test(character)) return '';
  if (hasGlyph(character)) return character;
  const plainer = character.normalize('NFKD');
  if (plainer !== character && Array.from(plainer).every(hasGlyph)) return plainer;
  return /[\p{L}\p{N}]/u.test(character) ? '?' : '';
}

function hasGlyph(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return Object.values(FONTS).every((font) => font.hasGlyphForCodePoint(code));
}
