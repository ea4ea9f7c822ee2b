// Lists and records as JSON, in pieces: a page with long texts or many children is sent while it is made, and others
// have their round in between.
import type { Row } from '../fields/field.ts';
import { keyOf, type Resource } from '../records/record.ts';
import type { Relation } from '../records/relation.ts';
import { serializer } from '../records/serialize.ts';
import type { Garage } from '../statements/garage.ts';
import { JSON_PIECE, Pieces } from '../statements/piece.ts';
import { encodeCursor } from './cursor.ts';
import { expandRow, expansionOf, type Family, neededColumns, shownChildren } from './expand.ts';
import { JsonBytes } from './json-bytes.ts';
import { columnsOf, countAll, readPage } from './list-page.ts';
import type { ListQuery } from './list-query.ts';
import { inPortionsByKey } from './portion.ts';

/** Most records take less, as JSON. */
const ROW_BYTES = 1024;
const CHUNK_BYTES = 2 ** 18;
/**
 * A larger page is read by its keys first, and then in portions, from one snapshot: 1,000 records may hold 16 MB of
 * notes. With 40 such requests at once others waited 2.3 s (99 %), and in portions 0.4 s. The answers take a quarter
 * more time.
 */
const MOST_AT_ONCE = 100;

type Found = readonly (Row | undefined)[];

/** A record, and what is shown of it. */
interface Shown {
  readonly resource: Resource;
  readonly row: Row;
  readonly columns: readonly string[];
  readonly expand: readonly Relation[];
}

/** One record as JSON, with its relations, in pieces. */
export async function* recordPieces(
  garage: Garage,
  { resource, row, columns, expand }: Shown,
): AsyncGenerator<string> {
  const json = serializer(resource, columns)(row);
  if (expand.length === 0) yield json;
  else yield* withMore(json, await expandRow(garage, row, expand));
}

/** Characters: an answer with three kinds of 1,000 children may have hundreds of millions. */
const MOST_KEPT = 2 ** 22;

/**
 * One record as JSON, with its relations; undefined if that is too long to be kept in memory. `onLong` gets the pieces
 * of a long one. All is read in any case: a portion is read ahead, and its error must reach the transaction.
 */
export async function keptJson(
  garage: Garage,
  shown: Shown,
  onLong: (piece: string) => void = () => {},
): Promise<string | undefined> {
  const pieces = new Pieces(JSON_PIECE);
  let kept: string[] | undefined = [];
  let length = 0;
  for await (const text of recordPieces(garage, shown)) {
    length += text.length;
    if (kept && length <= MOST_KEPT) {
      kept.push(text);
      continue;
    }
    for (const piece of [...(kept ?? []), text]) onLong(piece);
    kept = undefined;
    const pause = pieces.add(text.length);
    if (pause) await pause;
  }
  return kept?.join('');
}

/** The same, however long it is. */
export async function recordJson(garage: Garage, shown: Shown): Promise<string> {
  const texts: string[] = [];
  for await (const text of recordPieces(garage, shown)) texts.push(text);
  return texts.join('');
}

/** A new record as JSON, with its children. */
export const familyJson = (resource: Resource, family: Family): string =>
  `${serializer(resource)(family.row).slice(0, -1)}${shownChildren(family)}}`;

/** The JSON of a row with its relations, in pieces. */
async function* withMore(json: string, more: AsyncIterable<string>): AsyncGenerator<string> {
  yield json.slice(0, -1);
  yield* more;
  yield '}';
}

/** Whether a page is read by more than one statement, which should see the same records. */
export const needsSnapshot = ({ expand, pageSize }: ListQuery): boolean =>
  expand.length > 0 || pageSize > MOST_AT_ONCE;

/** One page of a list as the JSON of the answer. Throws Problem before the first chunk if it expands too much. */
export async function* listJson(garage: Garage, query: ListQuery): AsyncGenerator<Buffer> {
  const { resource, columns, pageSize, expand } = query;
  const total = query.count ? await countAll(garage, query) : undefined;
  const isLarge = pageSize > MOST_AT_ONCE;
  const key = keyOf(resource);
  const found = await readPage(garage, query, isLarge ? neededColumns([key], expand) : columnsOf(query));
  const page = found.slice(0, pageSize);
  const expanded = await expansionOf(garage, page, expand);
  const keys = page.map((row) => row[key] ?? null);
  const portions: AsyncIterable<Found> | Found[] = isLarge
    ? inPortionsByKey(garage, resource, keys, columnsOf(query))
    : [page];
  const toJson = serializer(resource, columns);
  const pieces = new Pieces(JSON_PIECE);
  let json = new JsonBytes(Math.min(CHUNK_BYTES, ROW_BYTES * (page.length + 1)));
  let last: Row | undefined;
  const add = (text: string) => {
    json.add(text);
    return pieces.add(text.length);
  };
  const taken = () => {
    const chunk = json.take();
    json = new JsonBytes(CHUNK_BYTES);
    return chunk;
  };
  json.add('{"successCode":200,"data":[');
  for await (const some of portions) {
    const rows = some.filter((row) => row !== undefined);
    for await (const { batch, more } of expanded(rows))
      for (const row of batch) {
        if (last) json.add(',');
        last = row;
        const text = toJson(row);
        if (more) {
          for await (const part of withMore(text, more(row))) {
            const pause = add(part);
            if (pause) await pause;
            if (json.length >= CHUNK_BYTES) yield taken();
          }
        } else {
          const pause = add(text);
          if (pause) await pause;
          if (json.length >= CHUNK_BYTES) yield taken();
        }
      }
  }
  const hasMore = found.length > pageSize;
  const next = hasMore && last ? encodeCursor(query, last) : null;
  json.add(
    `],"page":${query.page ?? null},"page_size":${pageSize},"has_more":${hasMore},` +
      `"next":${JSON.stringify(next)}${total === undefined ? '' : `,"total":${total}`}}`,
  );
  yield json.take();
}
