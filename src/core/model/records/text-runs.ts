// A search reads the texts of an owner on an index. The first character of each text tells how many letters and digits
// stand in a row in it, so the search skips the texts that are too short: a word of four letters is in no telephone
// number, in no plate and in no order number.

/** How many letters and digits stand in a row, at most: each as a step, 0 to 2. */
export interface Runs {
  /** Letters of the names alone. No more than `letters`. */
  readonly named: number;
  /** Letters, and all other characters but digits. */
  readonly letters: number;
  readonly digits: number;
}

/** Where the steps begin: a plate has up to 3 letters, and a telephone number 10 digits and no letter. */
const STEPS = { letters: [1, 4], digits: [5, 10] } as const;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they stand around the texts
const BETWEEN = { letters: /[0-9\n\x11-\x13]+/, digits: /[^0-9]+/ } as const;

/** All runs that texts have, each with the character that such texts begin with. No folded text has a capital. */
const KINDS: readonly (Runs & { readonly begin: string })[] = (
  [
    [0, 0],
    [0, 1],
    [0, 2],
    [1, 1],
    [1, 2],
    [2, 2],
  ] as const
)
  .flatMap(([named, letters]) => [0, 1, 2].map((digits) => ({ named, letters, digits })))
  .map((runs, at) => ({ ...runs, begin: String.fromCharCode('A'.charCodeAt(0) + at) }));
/** The texts that a word may be in lie in as many ranges of kinds, at most. */
export const MOST_RANGES = 6;

const stepOf = (of: keyof typeof STEPS, text: string): number => {
  const longest = Math.max(...text.split(BETWEEN[of]).map(({ length }) => length));
  return STEPS[of].filter((first) => longest >= first).length;
};

/** The runs of a text. `names`: the parts of the text that name a record. */
export const runsOf = (text: string, names: string): Runs => ({
  named: stepOf('letters', names),
  letters: stepOf('letters', text),
  digits: stepOf('digits', text),
});

const isAtLeast = (runs: Runs, other: Runs) =>
  runs.named >= other.named && runs.letters >= other.letters && runs.digits >= other.digits;

/** The character that a text with these runs begins with. */
export const beginOf = (runs: Runs): string => KINDS.find((kind) => isAtLeast(kind, runs))?.begin ?? '';

/** Each text with one of several words has these runs at least. `all`: the runs of each word. */
export const leastOf = (all: readonly Runs[]): Runs => ({
  named: Math.min(...all.map(({ named }) => named)),
  letters: Math.min(...all.map(({ letters }) => letters)),
  digits: Math.min(...all.map(({ digits }) => digits)),
});

/**
 * The ranges of the index that hold the texts with at least these runs. There are always MOST_RANGES, some of them
 * twice if there are fewer.
 */
export function rangesOf(runs: Runs): readonly (readonly [from: string, before: string])[] {
  const kinds = KINDS.filter((kind) => isAtLeast(kind, runs)).map(({ begin }) => begin);
  const firsts = kinds.filter((begin) => !kinds.includes(nextTo(begin, -1)));
  const ranges = firsts.map((first) => {
    let before = first;
    while (kinds.includes(before)) before = nextTo(before, 1);
    return [first, before] as const;
  });
  return Array.from({ length: MOST_RANGES }, (_, at) => ranges[at % ranges.length]).filter(
    (range) => range !== undefined,
  );
}

const nextTo = (begin: string, step: number) => String.fromCharCode(begin.charCodeAt(0) + step);
