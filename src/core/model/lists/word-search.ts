// Finds records by words: each word is in one of the folded texts of the record, or of another record that counts with
// it. A search reads the owner's folded texts on their index and nothing else.
import type { RawBuilder } from 'objection';
import { problem } from '../../errors.ts';
import type { Stored } from '../fields/field.ts';
import { indexOf } from '../records/index-plan.ts';
import { keyOf, ownerColumn, type Resource } from '../records/record.ts';
import { type Relation, relationsOf } from '../records/relation.ts';
import { type Looked, SEARCH_TEXT, type Wording, wordingOf } from '../records/search-text.ts';
import { leastOf, MOST_RANGES, rangesOf } from '../records/text-runs.ts';
import {
  anyOf,
  isFound,
  joinByKey,
  joinReferring,
  liesBetween,
  matches,
  onIndex,
} from '../statements/fragment.ts';
import { type Marker, marks } from '../statements/prepared.ts';
import { escapedLike, type Query } from './condition.ts';
import { isSought } from './filter.ts';
import { indexOfKey } from './portion.ts';

const MOST_WORDS = 5;
const EVERYTHING = 2 ** 32;
/**
 * The first rows of a list that are looked through for words: the most usual words are found among them, and fill the
 * page. All other searches pay for these rows too: 4,000 rows took 22 to 38 ms on MySQL.
 */
export const WINDOW = 1_000;

/** Texts that are looked through: those of the resource itself, or of what it refers to, or of its children. */
interface Source {
  readonly resource: Resource;
  readonly relation?: Relation;
}

export interface WordSearch {
  readonly words: readonly string[];
  readonly sources: readonly Source[];
}

/** The words of a parameter. Throws Problem: 400. */
export function readWords(parameter: string, text: string): readonly string[] {
  const words = text.split(/\s+/u).filter((word) => word !== '');
  if (words.length >= 1 && words.length <= MOST_WORDS && words.every(isSought)) return [...new Set(words)];
  throw problem('parameter_invalid', {
    field: parameter,
    reason: `must be 1 to ${MOST_WORDS} words of 2 to 100 characters`,
  });
}

/** The texts that a search of the resource looks through. */
export function sourcesOf(resource: Resource): Source[] {
  const relations = relationsOf(resource);
  const others = resource.traits.search?.also.flatMap((name): Source[] => {
    const relation = relations.get(name);
    return relation ? [{ resource: relation.other, relation }] : [];
  });
  return [{ resource }, ...(others ?? [])];
}

/** What is looked for: a word, by its position, or any word as a whole text. */
type Wanted = number | 'whole';

interface Sought extends Source {
  readonly at: number;
  readonly wordings: ReadonlyMap<Wanted, Wording>;
}

const soughtIn = ({ words, sources }: WordSearch): Sought[] =>
  sources.map((source, at) => {
    const looked: Looked = source.relation?.kind === 'reference' ? 'named' : 'all';
    const wordings = (isWhole: boolean) =>
      words.map((word) => wordingOf(source.resource, word, { looked, isWhole }, escapedLike));
    const all = wordings(true);
    const whole: Wording = {
      patterns: all.flatMap(({ patterns }) => patterns),
      runs: leastOf(all.map(({ runs }) => runs)),
    };
    return {
      ...source,
      at,
      wordings: new Map<Wanted, Wording>([...wordings(false).entries(), ['whole', whole]]),
    };
  });

/** Names all that the text of a statement depends on. */
export function shapeOfSearch(search: WordSearch | undefined): string {
  if (!search) return '';
  const counts = soughtIn(search).map(({ relation, wordings }) =>
    [relation?.name, ...[...wordings.values()].map(({ patterns }) => patterns.length)].join(' '),
  );
  return [longestOf(search), ...counts].join();
}

/** The values of the marks of a search. */
export const valuesOfSearch = (search: WordSearch | undefined): Record<string, readonly Stored[]> =>
  search
    ? Object.fromEntries(
        soughtIn(search).flatMap(({ wordings, at }) =>
          [...wordings].flatMap(([wanted, { patterns, runs }]) => [
            [nameOf(at, wanted), patterns] as const,
            [rangeName(at, wanted), rangesOf(runs).flat()] as const,
          ]),
        ),
      )
    : {};

const nameOf = (source: number, wanted: Wanted) => `pattern${source}.${wanted}`;
const rangeName = (source: number, wanted: Wanted) => `range${source}.${wanted}`;

/** The position of the longest word: few records have it. */
const longestOf = ({ words }: WordSearch): number =>
  words.reduce((best, word, at) => (word.length > (words[best]?.length ?? 0) ? at : best), 0);

/** The rows of `t` that have all words, or all words but one. For few rows: their texts are not read on an index. */
export function holding(query: Query, search: WordSearch, mark: Marker, found?: number): Query {
  for (const word of search.words.keys()) if (word !== found) query.where(hasAny(search, word, mark));
  return query;
}

/** Whether the texts of `t`, or of a record that counts with it, have what is wanted. */
const hasAny = (search: WordSearch, wanted: Wanted, mark: Marker): RawBuilder =>
  anyOf(
    soughtIn(search).map((source) =>
      source.relation
        ? isFound(related(source.relation, mark).where(has('c', source, wanted, mark)))
        : has('t', source, wanted, mark),
    ),
  );

/** Whether the text of a row has what is wanted. */
const has = (table: string, { at, wordings }: Sought, wanted: Wanted, mark: Marker): RawBuilder =>
  anyOf(
    marks(mark, nameOf(at, wanted), wordings.get(wanted)?.patterns.length ?? 0).map((pattern) =>
      matches(`${table}.${SEARCH_TEXT}`, pattern),
    ),
  );

/** A record behind a relation of `t`. */
function related({ kind, field, other }: Relation, mark: Marker): Query {
  const isChild = kind === 'children';
  const index = isChild ? indexOf(other, field, SEARCH_TEXT) : undefined;
  return other.model
    .ofMarked(mark, 'c')
    .from(onIndex(other.table, 'c', index ?? 'PRIMARY'))
    .select('c.id')
    .whereColumn(isChild ? `c.${field}` : 'c.id', isChild ? 't.id' : `t.${field}`)
    .limit(1);
}

/**
 * The records that have all words, as `t` on an index. Looks through all texts for the longest word; the others are
 * compared with the records found.
 */
export function foundBy(resource: Resource, search: WordSearch, mark: Marker, index: string): Query {
  const longest = longestOf(search);
  return holding(
    byKey(resource, withAny(resource, search, longest, mark), mark, index),
    search,
    mark,
    longest,
  );
}

/** Whether `foundBy` needs only the keys of the records. */
export const needsKeysOnly = ({ words }: WordSearch): boolean => words.length === 1;

/** The records with these IDs, as `t`, in the order of the IDs. */
export function byKey(resource: Resource, keys: Query, mark: Marker, index: string): Query {
  const column = ownerColumn(resource);
  const owner = column && { column, value: mark('owner') };
  return resource.model
    .ofAllOwners('engine')
    .from(keys.as('k'))
    .joinRaw(...joinByKey(resource.table, { key: keyOf(resource), index }, owner));
}

/** The IDs of the best records: where a word equals a whole text, and then the newest. */
export const bestOf = (resource: Resource, search: WordSearch, mark: Marker): Query =>
  foundBy(resource, search, mark, indexOfKey(resource))
    .select('t.id')
    .orderBy(hasAny(search, 'whole', mark), 'desc')
    .orderBy('t.id', 'desc');

/** The IDs of the newest records that have all words, among the newest of all. */
export function newestOf(resource: Resource, search: WordSearch, mark: Marker): Query {
  const first = resource.model.ofMarked(mark, 't').select('t.id').orderBy('t.id', 'desc').limit(WINDOW);
  const found = byKey(resource, first, mark, indexOfKey(resource)).select('t.id');
  return holding(found, search, mark).orderBy('t.id', 'desc');
}

/** The IDs of the newest records where a word equals a whole text. */
export const wholesOf = (resource: Resource, search: WordSearch, mark: Marker): Query =>
  withAny(resource, search, 'whole', mark).orderBy('id', 'desc');

/** The IDs of the records whose texts have what is wanted. Reads the texts of each resource once, on their index. */
function withAny(resource: Resource, search: WordSearch, wanted: Wanted, mark: Marker): Query {
  const sources = soughtIn(search);
  const readBefore = sources.filter(
    (one, at) => one.relation && sources.findIndex(({ resource }) => resource === one.resource) < at,
  );
  const shared = (source: Sought) => readBefore.some((other) => other.resource === source.resource);
  const [own, ...others] = sources.map((source) => {
    const texts = shared(source) ? namedTexts(source) : textsWith(source, wanted, mark);
    return idsOf(resource, source, texts, mark);
  });
  const all = others.reduce((union, one) => union?.union(one), own) as Query;
  for (const source of readBefore) all.with(sharedName(source), sharedTexts(source, wanted, mark));
  return resource.model.ofAllOwners('part').from(all.as('found')).select('id');
}

/** The IDs of the records that texts count with. */
function idsOf(resource: Resource, { relation }: Sought, texts: Query, mark: Marker): Query {
  if (!relation) return texts.select('t.id');
  const { kind, field } = relation;
  if (kind === 'children') return texts.select(`c.${field} as id`);
  const index = indexOf(resource, field) ?? 'PRIMARY';
  return texts.joinRaw(...joinReferring(resource.table, { field, index }, mark('owner'))).select('t.id');
}

/** The texts of a source that have what is wanted. */
function textsWith(source: Sought, wanted: Wanted, mark: Marker): Query {
  const { relation, resource, at } = source;
  const table = relation ? 'c' : 't';
  const bound = (place: number) => mark(rangeName(at, wanted), place);
  const ranges = Array.from({ length: MOST_RANGES }, (_, range) =>
    liesBetween(`${table}.${SEARCH_TEXT}`, bound(2 * range), bound(2 * range + 1)),
  );
  return resource.model
    .ofMarked(mark, table)
    .from(onIndex(resource.table, table, `${resource.table}__${SEARCH_TEXT}`))
    .where(anyOf(ranges))
    .where(has(table, source, wanted, mark));
}

const sharedName = ({ resource }: Sought) => `${resource.name}_texts`;

const namedTexts = (source: Sought): Query =>
  source.resource.model.ofAllOwners('part').from(`${sharedName(source)} as c`);

/** With a limit MySQL reads the texts once, and not for each use. */
const sharedTexts = (source: Sought, wanted: Wanted, mark: Marker): Query =>
  textsWith(source, wanted, mark).select('c.id').limit(EVERYTHING);
