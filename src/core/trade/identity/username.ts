// The form of a username: letters and digits of one script, so that no name passes for another by a letter of another
// script that looks the same. Names are compared after NFKC and in lower case.

/**
 * The scripts in use today, by Unicode's UAX 31. Scripts that are written together count as one, as in UTS 39. No
 * property of JavaScript names the script of a letter, so the list does.
 */
const SCRIPTS: readonly (readonly string[])[] = [
  ...'Latin Greek Cyrillic Armenian Hebrew Arabic Thaana Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada'
    .split(' ')
    .map((script) => [script]),
  ...'Malayalam Sinhala Thai Lao Tibetan Myanmar Georgian Ethiopic Khmer'
    .split(' ')
    .map((script) => [script]),
  ['Han', 'Hiragana', 'Katakana'],
  ['Han', 'Hangul'],
  ['Han', 'Bopomofo'],
];

const lettersOf = (scripts: readonly string[]) =>
  `[[\\p{L}\\p{Nd}]&&[${scripts.map((script) => `\\p{scx=${script}}`).join('')}]]`;

const NAME = new RegExp(
  `^(?:${SCRIPTS.map((scripts) => `(?:[0-9._\\-@+]|${lettersOf(scripts)})+`).join('|')})$`,
  'v',
);

/** Code units. A name has 60 characters. NFKC of a million accents would take minutes. */
const LONGEST = 250;

/**
 * The form in which names are compared. ß and ss, ı and i stay different letters: the contract compares in lower case,
 * not by case folding. A text that is too long for a name is only put in lower case.
 */
export function comparableUsername(text: string): string {
  const lower = text.toLowerCase();
  // Lower case of a letter may be no NFKC.
  return text.length > LONGEST ? lower : text.normalize('NFKC').toLowerCase().normalize('NFKC');
}

/** The text that the database compares. A regular expression would take the square of the blanks in time. */
export function withoutLastBlanks(text: string): string {
  let end = text.length;
  while (text[end - 1] === ' ') end -= 1;
  return text.slice(0, end);
}

/** The form to store. Undefined: it is no username. */
export function normaliseUsername(text: string): string | undefined {
  const name = comparableUsername(text);
  return NAME.test(name) ? name : undefined;
}

/**
 * The stored names that a text may mean, the likelier first: version 1.0.0 took names of any characters, and stored
 * them in lower case only.
 */
export const usernamesOf = (text: string): string[] => [
  ...new Set([text.toLowerCase(), comparableUsername(text)]),
];
