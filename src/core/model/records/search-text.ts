// The texts by which a record is found, folded and put into one column. Only the service folds. A process of the
// release before does not: the database itself notes each row that such a process writes, and the service folds it
// later.
import { FOLD, type Folding, isAddress } from '../../trade/text/fold.ts';
import type { Row, Stored } from '../fields/field.ts';
import { foldingOf } from '../fields/folding.ts';
import { asItIs } from '../statements/base-model.ts';
import { remembered } from '../statements/remembered.ts';
import type { Resource } from './record.ts';
import { beginOf, leastOf, type Runs, runsOf } from './text-runs.ts';

/** The folded texts of a record. An index of the owner has them too, so that a search reads nothing else. */
export const SEARCH_TEXT = 'search_text';
/**
 * When a row was written by a statement that does not fold; null: its texts are folded. The database sets it (ON
 * UPDATE) unless a statement names the column.
 */
export const UNFOLDED_AT = 'unfolded_at';

/** Bytes: an index has 3,072 at most. Longer texts are cut. */
const LONGEST = 3_000;

/** Stands around each text. A folded text has no control characters. */
const AROUND = '\n';
/**
 * The parts of the text, each with the character that ends it. Names are at both ends, so that one pattern finds either
 * names alone or all texts of a kind.
 */
const PARTS = [
  { isNamed: true, isCode: false, end: '\x11' },
  { isNamed: false, isCode: false, end: '\x12' },
  { isNamed: false, isCode: true, end: '\x13' },
  { isNamed: true, isCode: true, end: '' },
] as const;

interface Source {
  readonly name: string;
  readonly folding: Folding;
  readonly isNamed: boolean;
}

/** The fields that are folded. Remembered: each write needs them. */
const sourcesOf = remembered(({ fields, traits: { folded } }: Resource): readonly Source[] => {
  const { named = [], own = [] } = folded ?? {};
  return [...named, ...own].map((name) => ({
    name,
    folding: foldingOf(name, fields.get(name) ?? {}),
    isNamed: named.includes(name),
  }));
});

export const textColumns = (resource: Resource): string[] => sourcesOf(resource).map(({ name }) => name);

export const isFolded = ({ traits }: Resource): boolean => traits.folded !== undefined;

/** The folded texts of a row. */
export function searchTextOf(resource: Resource, row: Row): string {
  const texts = PARTS.map(() => '');
  for (const { name, folding, isNamed } of sourcesOf(resource)) {
    const value = row[name] ?? '';
    if (value === '') continue;
    const at = partOf(isNamed, isCodeIn(folding, String(value)));
    texts[at] = `${texts[at] || AROUND}${FOLD[folding](String(value))}${AROUND}`;
  }
  const all = PARTS.map(({ end }, at) => `${texts[at]}${end}`).join('');
  const named = PARTS.map(({ isNamed }, at) => (isNamed ? texts[at] : '')).join('');
  const whole = `${beginOf(runsOf(all, named))}${all}`;
  return Buffer.byteLength(whole) > LONGEST ? cut(whole) : whole;
}

const partOf = (isNamed: boolean, isCode: boolean) =>
  PARTS.findIndex((part) => part.isNamed === isNamed && part.isCode === isCode);

const isCodeIn = (folding: Folding, value: string): boolean =>
  folding === 'contact' ? !isAddress(value) : folding !== 'text';

/** As many whole characters as fit. */
const cut = (text: string) =>
  new TextDecoder().decode(Buffer.from(text).subarray(0, LONGEST), { stream: true });

/** The columns of an INSERT or UPDATE that keep the texts folded. `previous`: the row before an UPDATE. */
export function foldedColumns(resource: Resource, row: Row, previous?: Row): Record<string, Stored> {
  const isSame = previous && sourcesOf(resource).every(({ name }) => row[name] === previous[name]);
  return !isFolded(resource) || isSame
    ? {}
    : { [SEARCH_TEXT]: searchTextOf(resource, row), [UNFOLDED_AT]: null };
}

/** For an UPDATE that changes no text: without this column the database would note that the row is not folded. */
export const keepsFolded = (resource: Resource): Record<string, ReturnType<typeof asItIs>> =>
  isFolded(resource) ? { [UNFOLDED_AT]: asItIs(UNFOLDED_AT) } : {};

/** Which texts a word is looked for in: all of a record, or those by which a record is named elsewhere. */
export type Looked = 'all' | 'named';

/** How a word is found. */
export interface Wording {
  /** Patterns of SQL's LIKE: a record has the word if one of them matches. */
  readonly patterns: readonly string[];
  /** Each text with the word has runs of this length at least. */
  readonly runs: Runs;
}

/**
 * How a word is found in the texts of a resource. `escaped` takes the meaning of `%` in the word. `isWhole`: the word
 * must be a whole text.
 */
export function wordingOf(
  resource: Resource,
  word: string,
  { looked, isWhole = false }: { looked: Looked; isWhole?: boolean },
  escaped: (text: string) => string,
): Wording {
  const sources = sourcesOf(resource).filter(({ isNamed }) => isNamed || looked === 'all');
  const hasTexts = sources.some(({ folding }) => folding === 'text' || folding === 'contact');
  const texts = hasTexts ? [FOLD.text(word)] : [];
  const codes = [...new Set(sources.flatMap(({ folding }) => codesOf(folding, word)))];
  const forms = [...texts, ...codes];
  const around = isWhole ? AROUND : '';
  const found = (form: string) => `%${around}${escaped(form)}${around}%`;
  const runs = leastOf(forms.map((form) => runsOf(form, looked === 'named' ? form : '')));
  const [only, ...others] = new Set(forms);
  // The usual word has one form: then it may be anywhere.
  if (only !== undefined && others.length === 0 && looked === 'all') return { patterns: [found(only)], runs };
  const [names, ownTexts, otherCodes] = PARTS.map(({ end }) => end);
  const [textsEnd, codesStart] = looked === 'all' ? [ownTexts, ownTexts] : [names, otherCodes];
  return {
    patterns: [
      ...texts.map((form) => `${found(form)}${textsEnd}%`),
      ...codes.map((form) => `%${codesStart}${found(form)}`),
    ],
    runs,
  };
}

/** The forms that the word has in codes. An address is in no telephone number. */
const codesOf = (folding: Folding, word: string): readonly string[] =>
  !isCodeIn(folding, word) ? [] : [folding === 'contact' ? FOLD.phone(word) : FOLD[folding](word)];
