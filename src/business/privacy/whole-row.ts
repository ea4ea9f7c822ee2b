// Reads whole rows of an owner: what anonymising overwrites, and what a person gets to see.

import type { Row, Stored } from '../../core/model/fields/field.ts';
import { selection } from '../../core/model/lists/find.ts';
import type { Resource } from '../../core/model/records/record.ts';
import type { Garage } from '../../core/model/statements/garage.ts';

/** Columns with the values that they may have; all must fit. */
export type Condition = Readonly<Record<string, number | readonly number[]>>;

export type Lock = 'locked' | 'unlocked';

/**
 * Whole rows of an owner, hidden columns included, by ID. Each condition is an alternative. `lock`: until the
 * transaction ends.
 */
export async function wholeRows<R extends Row>(
  garage: Garage,
  resource: Resource<R>,
  conditions: readonly Condition[],
  lock: Lock = 'unlocked',
): Promise<R[]> {
  const found = new Map<Stored | undefined, R>();
  // One statement for each, since the server would read all rows of the owner for alternatives.
  for (const condition of conditions) {
    const query = resource.model
      .of(garage, 't')
      .select(...selection(resource, [...resource.columns, ...resource.unshown]));
    for (const [column, value] of Object.entries(condition)) query.whereIn(`t.${column}`, [value].flat());
    if (lock === 'locked') query.forUpdate();
    for (const row of await query.castTo<R[]>()) found.set(row.id, { ...row });
  }
  return [...found.values()].sort((one, other) => Number(one.id) - Number(other.id));
}
