// Finds records by words: each word is in one of the folded texts of the record, or of another record that counts with
// it. A search reads the owner's folded texts on their index and nothing else.
import type { Raw } from 'objection';
import { problem } from '../../errors.ts';
import type { Stored } from '../fields/field.ts';
import { indexOf } from '../records/index-plan.ts';
import type { Resource } from '../records/record.ts';
import { type Relation, relationsOf } from '../records/relation.ts';
import { type Looked, patternsOf, SEARCH_TEXT } from '../records/search-text.ts';
import {
  allBits,
  anyOf,
  bitsOf,
  bitsWithin,
  joinReferring,
  matches,
  onIndex,
} from '../statements/fragment.ts';
import { type Marker, marks } from '../statements/prepared.ts';
import { escapedLike, type Query } from './condition.ts';
import { isSought } from './filter.ts';

const MOST_WORDS = 5;
const EVERYTHING = 2 ** 32;

/** Texts that are looked through: those of the resource itself, or of what it refers to, or of its children. */
export interface Source {
  readonly resource: Resource;
  readonly relation?: Relation;
}

export interface WordSearch {
  readonly words: readonly string[];
  readonly sources: readonly Source[];
  /** Records where a word equals a whole text come first: see `bestOf`. */
  readonly isRanked?: true;
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

/** A source with the patterns of each word. */
interface Sought extends Source {
  readonly patterns: readonly (readonly string[])[];
  /** Only if the search is ranked: the patterns of all words as whole texts. */
  readonly wholes: readonly string[];
  readonly at: number;
}

const soughtIn = ({ words, sources, isRanked }: WordSearch): Sought[] =>
  sources.map((source, at) => {
    const looked: Looked = source.relation?.kind === 'reference' ? 'named' : 'all';
    const patterns = (isWhole: boolean) =>
      words.map((word) => patternsOf(source.resource, word, { looked, isWhole }, escapedLike));
    return { ...source, patterns: patterns(false), wholes: isRanked ? patterns(true).flat() : [], at };
  });

/** Names all that the text of a statement hangs on. */
export const shapeOfSearch = (search: WordSearch | undefined): string =>
  search
    ? soughtIn(search)
        .map(
          ({ relation, patterns, wholes }) =>
            `${relation?.name ?? 'own'} ${patterns.map(({ length }) => length).join('')} ${wholes.length}`,
        )
        .join()
    : '';

/** The values of the marks of `holding` and `foundBy`. */
export const valuesOfSearch = (search: WordSearch | undefined): Record<string, readonly Stored[]> =>
  search
    ? Object.fromEntries(
        soughtIn(search).flatMap(({ patterns, wholes, at }) => [
          ...patterns.map((all, word) => [nameOf(at, word), all] as const),
          [wholeName(at), wholes] as const,
        ]),
      )
    : {};

const nameOf = (source: number, word: number) => `pattern${source}.${word}`;
const wholeName = (source: number) => `whole${source}`;

/** Whether a text has a word, for each word. */
const hasWords = (table: string, { at, patterns }: Sought, mark: Marker): Raw[] =>
  patterns.map(({ length }, word) => matchesAny(table, marks(mark, nameOf(at, word), length)));

const matchesAny = (table: string, patterns: readonly never[]): Raw =>
  anyOf(patterns.map((pattern) => matches(`${table}.${SEARCH_TEXT}`, pattern)));

/** The rows of `t` that have all words. For few rows: each is compared with the records that count with it. */
export function holding(query: Query, search: WordSearch, mark: Marker): Query {
  const sought = soughtIn(search);
  for (const word of search.words.keys())
    query.where((either) => {
      for (const source of sought) {
        const has = hasWords(source.relation ? 'c' : 't', source, mark)[word] as Raw;
        if (source.relation) either.orWhereExists(related(source.relation, mark).where(has));
        else either.orWhere(has);
      }
    });
  return query;
}

/** The records behind a relation of `t`. */
function related({ kind, field, other }: Relation, mark: Marker): Query {
  const isChild = kind === 'children';
  const index = isChild ? indexOf(other, field) : undefined;
  return other.model
    .ofMarked(mark, 'c')
    .from(onIndex(other.table, 'c', index ?? 'PRIMARY'))
    .select('c.id')
    .whereColumn(isChild ? `c.${field}` : 'c.id', isChild ? 't.id' : `t.${field}`);
}

/** The IDs of all records that have all words. */
export const foundBy = (resource: Resource, search: WordSearch, mark: Marker): Query =>
  wordsOf(resource, search, mark).having(allBits('words'), '=', allWords(search));

/** The IDs of the best records of a ranked search: where a word equals a whole text, and then the newest. */
export function bestOf(resource: Resource, search: WordSearch, mark: Marker): Query {
  const all = allWords(search);
  return wordsOf(resource, search, mark)
    .having(bitsWithin('words', all), '=', all)
    .orderBy(allBits('words'), 'desc')
    .orderBy('id', 'desc');
}

const allWords = ({ words }: WordSearch) => 2 ** words.length - 1;

/** A group of rows for each record with its words as bits. Reads the texts of each resource once, on their index. */
function wordsOf(resource: Resource, search: WordSearch, mark: Marker): Query {
  const sources = soughtIn(search);
  const readBefore = sources.filter(
    (one, at) => one.relation && sources.findIndex(({ resource }) => resource === one.resource) < at,
  );
  const shared = (source: Sought) => readBefore.some((other) => other.resource === source.resource);
  const [own, ...others] = sources.map((source) => found(resource, source, mark, shared(source)));
  const all = others.reduce((union, one) => union?.unionAll(one), own) as Query;
  for (const source of readBefore) all.with(sharedName(source), sharedTexts(source, mark));
  return resource.model.ofAllOwners('part').from(all.as('found')).select('id').groupBy('id');
}

/** The IDs of the records that a source finds, and its words as bits. `isShared`: other sources read it too. */
function found(resource: Resource, source: Sought, mark: Marker, isShared: boolean): Query {
  const { relation } = source;
  const texts = isShared
    ? resource.model
        .ofAllOwners('part')
        .from(`${sharedName(source)} as c`)
        .select('c.words')
    : textsOf(source, mark);
  if (!relation) return texts.select('t.id');
  const { kind, field } = relation;
  if (kind === 'children') return texts.select(`c.${field} as id`);
  const index = indexOf(resource, field) ?? 'PRIMARY';
  return texts.joinRaw(...joinReferring(resource.table, { field, index }, mark('owner'))).select('t.id');
}

/** The texts of a source that have a word. */
function textsOf(source: Sought, mark: Marker): Query {
  const { relation, resource } = source;
  const table = relation ? 'c' : 't';
  const words = hasWords(table, source, mark);
  const wholes = marks(mark, wholeName(source.at), source.wholes.length);
  const bits = wholes.length > 0 ? [...words, matchesAny(table, wholes)] : words;
  return resource.model
    .ofMarked(mark, table)
    .from(onIndex(resource.table, table, `${resource.table}__${SEARCH_TEXT}`))
    .select(bitsOf(bits).as('words'))
    .where(anyOf(words));
}

const sharedName = ({ resource }: Sought) => `${resource.name}_texts`;

/** With a limit MySQL reads the texts once, and not for each use. */
const sharedTexts = (source: Sought, mark: Marker): Query =>
  textsOf(source, mark).select('c.id').limit(EVERYTHING);
