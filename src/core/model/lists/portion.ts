// Reads many rows, or large ones, in portions: few of them are in memory, and each statement is short.
import type { QueryBuilder } from 'objection';
import type { Row, Stored } from '../fields/field.ts';
import { indexOf } from '../records/index-plan.ts';
import { keyOf, type Resource } from '../records/record.ts';
import type { BaseModel } from '../statements/base-model.ts';
import { onIndex } from '../statements/fragment.ts';
import type { Garage } from '../statements/garage.ts';
import { nextRound } from '../statements/piece.ts';
import { LIMIT, type Marker, marks, padded, prepared } from '../statements/prepared.ts';
import { remembered } from '../statements/remembered.ts';
import { selection } from './find.ts';

/** Parsing so many rows of some columns takes about two milliseconds. */
const ROWS = 4_000;
/** The same for rows by their keys, which have all columns. */
const WHOLE_ROWS = 1_000;

interface Wanted {
  /** Names the statement: it must name all that its text depends on. */
  readonly name: string;
  readonly resource: Resource;
  readonly columns: readonly string[];
  /** A column of `columns` that has an index and is not null in these rows. */
  readonly by: string;
  readonly where: (query: QueryBuilder<BaseModel & Row>, mark: Marker) => void;
}

/**
 * The owner's rows in the order of the column `by`, and then of the ID. The table is `t` in conditions. Others have
 * their round between two portions. The session should read from one snapshot.
 */
export async function* inPortions<R extends Row>(
  garage: Garage,
  wanted: Wanted,
  values: Row,
): AsyncGenerator<(R & { id: number })[]> {
  const read = (after?: Row) =>
    portionOf(wanted, after !== undefined).rows<R & { id: number }>(garage, {
      ...values,
      limit: ROWS,
      afterBy: after?.[wanted.by] ?? null,
      afterId: after?.id ?? null,
    });
  const more = (rows: Row[]) => (rows.length < ROWS ? undefined : read(rows.at(-1)));
  yield* oneAhead(read(), more, (rows) => rows);
}

/** Yields portions. The server reads the next one while one is worked on. Others have their round in between. */
async function* oneAhead<Portion, Rows>(
  first: Promise<Portion> | undefined,
  after: (portion: Portion) => Promise<Portion> | undefined,
  rowsOf: (portion: Portion) => Rows,
): AsyncGenerator<Rows> {
  let next = first;
  try {
    while (next) {
      const portion: Portion = await next;
      next = after(portion);
      // An error counts when the portion is asked for.
      next?.catch(() => {});
      yield rowsOf(portion);
      if (next) await nextRound();
    }
  } finally {
    // A reader who ends early must find the connection free.
    await next?.catch(() => {});
  }
}

const portionOf = ({ name, resource, columns, by, where }: Wanted, isLater: boolean) =>
  prepared(`${name}, ${isLater ? 'a later portion' : 'the first portion'}`, (mark) => {
    const column = `t.${by}`;
    const query = resource.model
      .ofMarked(mark, 't')
      .from(onIndex(resource.table, 't', indexOf(resource, by) ?? 'PRIMARY'))
      .select(...selection(resource, [...columns, 'id']));
    where(query, mark);
    if (isLater)
      query.where((behind) =>
        behind
          .where(column, '>', mark('afterBy'))
          .orWhere((same) => same.where(column, mark('afterBy')).where('t.id', '>', mark('afterId'))),
      );
    return query.orderBy(column).orderBy('t.id').limit(LIMIT);
  });

/** The first portion by keys has at least so many rows. The next ones have as many as the rows before were short. */
const FIRST_ROWS = 32;
const MOST_CHARACTERS = 2 ** 19;
/** Numbers and times. */
const SHORT = 20;

/** How many rows of a resource make a portion, even if all of them are as long as its fields allow. */
export const rowsOfPortion = remembered(({ fields }: Resource): number => {
  const lengths = [...fields.values()].map(({ datatype, length }) =>
    // Lists and JSON have no length of their own.
    datatype === 'text' || datatype.endsWith('[]') ? (length ?? MOST_CHARACTERS) : (length ?? SHORT),
  );
  return portionOfLength(lengths.reduce((sum, length) => sum + length, 0));
});

/**
 * The owner's rows with these keys, in the order of the keys; undefined for a key without a row. Others have their
 * round between two portions.
 */
export async function* inPortionsByKey(
  garage: Garage,
  resource: Resource,
  keys: readonly Stored[],
  columns: readonly string[] = resource.columns,
): AsyncGenerator<(Row | undefined)[]> {
  const key = keyOf(resource);
  const shown = columns.includes(key) ? columns : [...columns, key];
  let from = 0;
  const read = async (most: number) => {
    const some = keys.slice(from, from + most);
    from += some.length;
    const rows = await readByKey(garage, resource, some, shown);
    const found = new Map<Stored, Row>(rows.map((row) => [row[key] ?? null, row]));
    return { rows: some.map((one) => found.get(one)), most: mostLike(rows) };
  };
  const more = (most: number) => (from < keys.length ? read(most) : undefined);
  yield* oneAhead(
    more(Math.max(FIRST_ROWS, rowsOfPortion(resource))),
    ({ most }) => more(most),
    ({ rows }) => rows,
  );
}

const lengthOf = (row: Row): number =>
  Object.values(row).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0);

/** How many rows of this length a portion has. A statement has one shape for each power of two. */
function mostLike(rows: readonly Row[]): number {
  const characters = rows.reduce((sum, row) => sum + lengthOf(row), 1);
  return portionOfLength(characters / Math.max(1, rows.length));
}

function portionOfLength(characters: number): number {
  return 2 ** Math.floor(Math.log2(Math.min(WHOLE_ROWS, Math.max(1, MOST_CHARACTERS / characters))));
}

function readByKey(
  garage: Garage,
  resource: Resource,
  keys: readonly Stored[],
  columns: readonly string[],
): Promise<Row[]> {
  const { model, name, table } = resource;
  const key = keyOf(resource);
  const wanted = padded(keys);
  const shape = columns === resource.columns ? '*' : columns.join();
  return prepared(`${name} by ${wanted.length} keys ${shape}`, (mark) =>
    model
      .ofMarked(mark, 't')
      .from(onIndex(table, 't', indexOfKey(resource)))
      .select(...selection(resource, columns))
      .whereIn(`t.${key}`, marks(mark, 'wanted', wanted.length)),
  ).rows(garage, { wanted });
}

/** The index on which a row is found by its key. */
export const indexOfKey = (resource: Resource): string => {
  const key = keyOf(resource);
  return (key === 'id' ? undefined : indexOf(resource, key)) ?? 'PRIMARY';
};
