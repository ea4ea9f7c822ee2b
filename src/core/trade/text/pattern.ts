// A regular expression that finds a value in texts as they are stored, by the one way to fold them: the database needs
// no folded copy of a text. PCRE (MariaDB) and ICU (MySQL) read it alike.
import { FOLD, FOLDED_RANGES, type Folding, foldCharacter, isAddress, MARKS, PUNCTUATION } from './fold.ts';

interface Pattern {
  readonly expression: string;
  /** Single letters that fold to several: the text must have them replaced before it is matched. */
  readonly replaced: readonly (readonly [letter: string, letters: string])[];
}

const BETWEEN: Readonly<Record<'text' | 'code', string>> = { text: `[${MARKS}]*`, code: `${PUNCTUATION}*` };
const ANYTHING = '[\\s\\S]*';

/** `value` has a letter or a digit. */
export function patternOf(folding: Folding, value: string): Pattern {
  const forms = folding === 'contact' ? [FOLD.text(value), FOLD.phone(value)] : [FOLD[folding](value)];
  return {
    expression: EXPRESSION[folding](value),
    replaced: expanded().filter(([, letters]) => forms.some((form) => overlaps(letters, form))),
  };
}

const EXPRESSION: Readonly<Record<Folding, (value: string) => string>> = {
  text: (value) => sequence(FOLD.text(value), 'text'),
  code: (value) => sequence(FOLD.code(value), 'code'),
  phone: (value) => `^${number(value)}`,
  contact: (value) =>
    isAddress(value)
      ? EXPRESSION.text(value)
      : `^(?:(?=[^@]*@)${ANYTHING}${EXPRESSION.text(value)}|(?![^@]*@)${number(value)})`,
};

/** A telephone number from its beginning: a Dutch prefix counts as the 0 before the rest. */
function number(value: string): string {
  const digits = FOLD.phone(value);
  const any = `(?:${prefix()})?+${ANYTHING}${sequence(digits, 'code')}`;
  return digits.startsWith('0') ? `(?:${any}|${prefix()}${sequence(digits.slice(1), 'code')})` : any;
}

const prefix = (): string => {
  const [zero, one, three, plus] = ['0', '1', '3', '+'].map(classOf);
  const skip = BETWEEN.code;
  return `[^\\p{L}\\p{N}+＋]*(?:${plus}|${zero}${skip}${zero})${skip}${three}${skip}${one}${skip}(?:${zero}${skip})?+`;
};

const sequence = (folded: string, kind: keyof typeof BETWEEN): string =>
  Array.from(folded, classOf).join(BETWEEN[kind]);

/** Whether a part of the value may stand for letters that one letter folds to. */
const overlaps = (letters: string, value: string): boolean =>
  value.includes(letters) || letters.includes(value) || meet(letters, value) || meet(value, letters);

/** Whether an end of `one` is a beginning of `other`. */
function meet(one: string, other: string): boolean {
  const longest = Math.min(one.length, other.length);
  return Array.from({ length: longest }, (_, at) => longest - at).some((length) =>
    other.startsWith(one.slice(-length)),
  );
}

/** All characters that fold to this one. */
function classOf(folded: string): string {
  const others =
    sources().get(folded) ?? [folded.toUpperCase()].filter((one) => foldCharacter(one) === folded);
  const members = [...new Set([folded, ...others])].map((one) =>
    /[!-/:-@[-`{-~ ]/.test(one) ? `\\${one}` : one,
  );
  return members.length === 1 ? members.join('') : `[${members.join('')}]`;
}

/** Made at first use, so that the import computes nothing. */
let known: ReadonlyMap<string, readonly string[]> | undefined;

function sources(): ReadonlyMap<string, readonly string[]> {
  if (known) return known;
  const made = new Map<string, string[]>();
  for (const [first, last] of FOLDED_RANGES)
    for (let code = first; code <= last; code += 1) {
      const character = String.fromCodePoint(code);
      const folded = foldCharacter(character);
      const same = made.get(folded);
      if (same) same.push(character);
      else made.set(folded, [character]);
    }
  known = made;
  return made;
}

let knownExpanded: readonly (readonly [letter: string, letters: string])[] | undefined;

/** Single letters, and the several letters that each folds to. */
function expanded(): readonly (readonly [letter: string, letters: string])[] {
  knownExpanded ??= [...sources()].flatMap(([letters, all]) =>
    Array.from(letters).length > 1 ? all.map((letter) => [letter, letters] as const) : [],
  );
  return knownExpanded;
}
