// Reads rows of an owner: what anonymising overwrites, and what a person gets to see. Somebody may have any number of
// records, so whoever changes them locks them first, and reads few whole rows at a time.

import type { Row } from '../../core/model/fields/field.ts';
import { selection } from '../../core/model/lists/find.ts';
import { inPortionsByKey } from '../../core/model/lists/portion.ts';
import type { Resource } from '../../core/model/records/record.ts';
import type { Garage } from '../../core/model/statements/garage.ts';
import { portionsOf } from '../../core/trade/grouped.ts';

/** Columns with the values that they may have; all must fit. */
export type Condition = Readonly<Record<string, number | readonly number[]>>;

export type Lock = 'locked' | 'unlocked';

interface Wanted {
  readonly columns: readonly string[];
  /** Each is an alternative. */
  readonly conditions: readonly Condition[];
  /** Until the transaction ends. */
  readonly lock?: Lock;
}

/** Some columns of the rows of an owner, by ID. */
export async function rowsWith<R extends Row>(
  garage: Garage,
  resource: Resource,
  { columns, conditions, lock = 'unlocked' }: Wanted,
): Promise<R[]> {
  const found = new Map<number, R>();
  // One statement for each, since the server would read all rows of the owner for alternatives.
  for (const condition of conditions.flatMap(partsOf)) {
    const query = resource.model.of(garage, 't').select(...selection(resource, columns));
    for (const [column, value] of Object.entries(condition)) query.whereIn(`t.${column}`, [value].flat());
    if (lock === 'locked') query.forUpdate();
    for (const row of await query.castTo<R[]>()) found.set(Number(row.id), { ...row });
  }
  return [...found].sort(([one], [other]) => one - other).map(([, row]) => row);
}

/** For too many values in one statement the server would read, and lock, all rows. */
export const VALUES_A_STATEMENT = 1_000;

/** Conditions that together say the same, each with values for one statement. */
function partsOf(condition: Condition): Condition[] {
  const [column, ids] = Object.entries(condition).find(([, value]) => typeof value !== 'number') ?? [];
  if (column === undefined || ids === undefined) return [condition];
  return [...portionsOf([ids].flat(), VALUES_A_STATEMENT)].map((some) => ({ ...condition, [column]: some }));
}

/** All columns, hidden ones included. */
export const wholeColumns = ({ columns, unshown }: Resource): string[] => [...columns, ...unshown];

/** The whole rows with these IDs, few at a time, in the order of the IDs. IDs without a row are passed over. */
export async function* wholeRows<R extends Row>(
  garage: Garage,
  resource: Resource<R>,
  ids: readonly number[],
): AsyncGenerator<R[]> {
  for await (const rows of inPortionsByKey(garage, resource, ids, wholeColumns(resource)))
    yield rows.filter((row) => row !== undefined) as R[];
}
