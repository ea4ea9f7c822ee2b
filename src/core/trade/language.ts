// The language in which a contact gets documents.

export const LANGUAGES = ['nl', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Dutch for Dutch or an unknown language, English for every other language. */
export const languageOf = (language: string | null): Language =>
  language === null || language === '' || /^nl\b/i.test(language) ? 'nl' : 'en';
