// The best hits of a search, each with a title and a subtitle.
import type { Row } from '../fields/field.ts';
import type { Resource } from '../records/record.ts';
import { relationsOf } from '../records/relation.ts';
import type { Garage } from '../statements/garage.ts';
import { LIMIT, prepared } from '../statements/prepared.ts';
import { findRecords } from './find.ts';
import { bestOf, newestOf, shapeOfSearch, valuesOfSearch, type WordSearch, wholesOf } from './word-search.ts';

const MOST_HITS = 10;

export interface Hit {
  readonly resource: string;
  readonly id: number;
  readonly title: string;
  readonly subtitle: string | null;
}

/** The hits of one resource, the best first. `mayRead`: the resources whose records may be shown in a subtitle. */
export async function hitsOf(
  garage: Garage,
  resource: Resource,
  search: WordSearch,
  mayRead: (resource: Resource) => boolean,
): Promise<Hit[]> {
  const { search: shown } = resource.traits;
  if (!shown) return [];
  const best = await bestIds(garage, resource, search);
  const rows = await byId(garage, resource, best);
  const subtitleOf = await subtitles(garage, resource, [...rows.values()], mayRead);
  return best.flatMap((id) => {
    const row = rows.get(id);
    if (!row) return [];
    const subtitle = subtitleOf(row) || null;
    return [{ resource: resource.name, id, title: shown.title(row), subtitle }];
  });
}

/**
 * The IDs of the best records. A word that many have fills the hits with the newest records, so that only whole texts
 * are looked for in all others.
 */
async function bestIds(garage: Garage, resource: Resource, search: WordSearch): Promise<readonly number[]> {
  const read = async (name: string, idsOf: typeof bestOf): Promise<number[]> => {
    const statement = prepared(`${name} ${resource.name} ${shapeOfSearch(search)}`, (mark) =>
      idsOf(resource, search, mark).limit(LIMIT),
    );
    const rows = await statement.rows<{ id: number }>(garage, {
      ...valuesOfSearch(search),
      limit: MOST_HITS,
    });
    return rows.map(({ id }) => id);
  };
  if (search.words.length > 1) return read('best', bestOf);
  const newest = await read('newest', newestOf);
  return newest.length < MOST_HITS
    ? read('best', bestOf)
    : [...new Set([...(await read('wholes', wholesOf)), ...newest])].slice(0, MOST_HITS);
}

type SubtitleOf = (row: Row) => string | undefined;

/** A subtitle is a text of the record, or the title of a record that it refers to. */
async function subtitles(
  garage: Garage,
  resource: Resource,
  rows: readonly Row[],
  mayRead: (resource: Resource) => boolean,
): Promise<SubtitleOf> {
  const subtitle = resource.traits.search?.subtitle;
  if (typeof subtitle !== 'string') return (row) => subtitle?.(row);
  const relation = relationsOf(resource).get(subtitle);
  const title = relation?.other.traits.search?.title;
  if (!relation || !title || !mayRead(relation.other)) return () => undefined;
  const ids = rows.flatMap((row) => Number(row[relation.field] ?? 0) || []);
  const others = await byId(garage, relation.other, ids);
  return (row) => {
    const other = others.get(Number(row[relation.field]));
    return other && title(other);
  };
}

async function byId(garage: Garage, resource: Resource, ids: readonly number[]): Promise<Map<number, Row>> {
  if (ids.length === 0) return new Map();
  const rows = await findRecords(garage, resource, [...new Set(ids)], resource.columns);
  return new Map(rows.map((row) => [Number(row.id), row]));
}
