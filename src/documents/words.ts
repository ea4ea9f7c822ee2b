// Which language a document is in, and its words.
import { EN } from './words-en.ts';
import { NL, type Words } from './words-nl.ts';

export type { Words } from './words-nl.ts';
export type Language = 'nl' | 'en';

export const WORDS: Readonly<Record<Language, Words>> = { nl: NL, en: EN };

/** Dutch where the reader's language is not known, English where it is another one. */
export const languageOf = (language: string | null): Language =>
  language === null || language === '' || /^nl\b/i.test(language) ? 'nl' : 'en';
