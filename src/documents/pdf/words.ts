// Chooses the language of a document and its words.
import { EN } from './words-en.ts';
import { NL, type Words } from './words-nl.ts';

export type { Words } from './words-nl.ts';
export type Language = 'nl' | 'en';

export const WORDS: Readonly<Record<Language, Words>> = { nl: NL, en: EN };

/** Dutch for Dutch or an unknown language, English for every other language. */
export const languageOf = (language: string | null): Language =>
  language === null || language === '' || /^nl\b/i.test(language) ? 'nl' : 'en';
