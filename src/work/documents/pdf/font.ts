// The fonts of the documents. Each thread parses them once, because parsing takes as long as laying out a page.
// core/trade/identity/printable.ts says which characters they have.
import { createRequire } from 'node:module';
import { type Font, type GlyphRun, openSync } from 'fontkit';
import { LRUCache } from 'lru-cache';

const WORDS_REMEMBERED = 4_000;
/** The units per em that pdfkit uses. pdfkit does not rescale words of such fonts, so documents can share the words. */
const UNITS = 1_000;

/** A ligature must be read as its letters. */
const isLigature = (code: number) => code >= 0xfb00 && code <= 0xfb4f;

const { resolve } = createRequire(import.meta.url);
const read = (weight: string) =>
  withWordCache(
    withOwnLetters(
      openSync(resolve(`@expo-google-fonts/source-sans-3/${weight}/SourceSans3_${weight}.ttf`)) as Font,
    ),
  );

export const FONTS = { regular: read('400Regular'), bold: read('600SemiBold') };
export type FontName = keyof typeof FONTS;

/**
 * Loads every glyph by its own letter. fontkit caches a glyph with the letter it was first loaded for. The S of Š
 * would be loaded for no letter, and readers could not copy or search the S in a document.
 */
function withOwnLetters(font: Font): Font {
  for (const code of font.characterSet) if (!isLigature(code)) font.glyphForCodePoint(code);
  return font;
}

/** Caches words. Laying out words takes two thirds of a document's time, and most documents share their words. */
function withWordCache(font: Font): Font {
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
