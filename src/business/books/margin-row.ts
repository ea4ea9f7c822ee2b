// The rows of a box of the VAT return that are no lines of its days: a car that leaves the margin over periods is a row
// of its own, the line of its acquisition with the sign turned round, on the day of the sale.
import type { Stored } from '../../core/model/fields/field.ts';
import { countedDays, readMoves } from './margin-run.ts';
import { readBookDates } from './moved-car.ts';
import { type Books, type Days, periodOf } from './period.ts';
import { readBought } from './sold-car.ts';

/** The place of a row: its day in the books, its line, and 1 if the row is no line of that day. */
export interface RowKey {
  /** In the form of the database. */
  readonly at: string;
  readonly id: number;
  readonly turned: 0 | 1;
}

export interface TurnedRow extends RowKey {
  readonly turned: 1;
  /** In cents: what the row adds to the margin. */
  readonly margin: bigint;
}

export interface MarginRows {
  /** In their order. */
  readonly turned: readonly TurnedRow[];
  /** What lines of the days count beside their net, by line: the BPM of a car that is sold under the scheme. */
  readonly beside: ReadonlyMap<number, bigint>;
}

export const keyOf = ({ at, id, turned }: RowKey): readonly Stored[] => [at, id, turned];

export const comesBefore = (one: RowKey, other: RowKey): boolean =>
  one.at === other.at
    ? one.id === other.id
      ? one.turned < other.turned
      : one.id < other.id
    : one.at < other.at;

/** The rows of the days of the books on which margins count together. */
export async function readMarginRows(books: Books): Promise<MarginRows> {
  const days = countedDays(books).map((one: Days) => periodOf(one, books.company));
  if (days.length === 0) return { turned: [], beside: new Map() };
  const moves = (await readMoves(books, await readBought(books))).filter(({ instant }) =>
    days.some(({ first, last }) => instant >= first && instant <= last),
  );
  const dates = await readBookDates(
    books,
    moves.map(({ line }) => line),
  );
  const beside = new Map<number, bigint>();
  const byKey = new Map<string, TurnedRow>();
  for (const { instant: at, line: id, price } of moves) {
    if (dates.get(id) === at) {
      beside.set(id, (beside.get(id) ?? 0n) + price);
      continue;
    }
    const key = `${at} ${id}`;
    byKey.set(key, { at, id, turned: 1, margin: (byKey.get(key)?.margin ?? 0n) + price });
  }
  const turned = [...byKey.values()].filter(({ margin }) => margin !== 0n);
  return { turned: turned.sort((one, other) => (comesBefore(one, other) ? -1 : 1)), beside };
}
