// Chooses the language of a document and its words.
import type { Language } from '../../../../core/trade/language.ts';
import { EN } from './words-en.ts';
import { NL, type Words } from './words-nl.ts';

export { type Language, languageOf } from '../../../../core/trade/language.ts';
export type { Words } from './words-nl.ts';

export const WORDS: Readonly<Record<Language, Words>> = { nl: NL, en: EN };
