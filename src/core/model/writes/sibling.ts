// Rules that compare a child with the other children of its parent. A request may write several of them at once, so the
// rule counts those as they will be after the request, and the others as the table has them. So their order does not
// matter: two lines may exchange their `sort_order`, and one preferred address may follow another.

import type { Row } from '../fields/field.ts';
import { claimRecord } from '../lists/find.ts';
import type { Change, Resource, Siblings } from '../records/record.ts';

/** Judged together before any of them is written. `isWhole`: their parent is new. */
export const judgedTogether = (
  changing: readonly number[],
  isWhole: boolean,
): Siblings & { accepted: Row[] } => ({
  accepted: [],
  pending: changing,
  isWhole,
  isStill: true,
});

/** Judged and written one by one. `pending`: the IDs of those that follow. */
export const oneByOne = (pending: readonly number[]): Siblings => ({
  accepted: [],
  pending,
  isWhole: false,
  isStill: false,
});

/** What a rule looks for among the children of a parent. */
interface Sought<R extends Row, S extends Sibling> {
  readonly parent: Resource;
  /** The reference to the parent. */
  readonly within: keyof R & string;
  /** Reads the children of the parent that may be meant, but for the children with the IDs `apart`. */
  readonly read: (change: Change<R>, apart: readonly number[]) => PromiseLike<readonly S[]>;
}

interface Sibling {
  readonly id: number;
}

/**
 * Makes a function that finds another child of the parent for which the condition holds; one that is new has no ID
 * above 0 yet. It claims the parent before it reads the table, so two requests at once can't both find none. The table
 * is read once for all children that are judged together.
 */
export function siblingFinder<S extends Sibling, R extends Row & S>({
  parent,
  within,
  read,
}: Sought<R, S>): (change: Change<R>, holds: (one: S) => boolean) => Promise<S | undefined> {
  const known = new WeakMap<Siblings<R>, Promise<readonly S[]>>();
  const readTable = async (change: Change<R>): Promise<readonly S[]> => {
    const { next, previous, garage, siblings } = change;
    await claimRecord(garage, parent, Number(next[within]));
    return read(change, [previous?.id ?? 0, ...(siblings?.pending ?? [])]);
  };
  const inTable = (change: Change<R>): Promise<readonly S[]> => {
    const { siblings } = change;
    if (!siblings?.isStill) return readTable(change);
    const rows = known.get(siblings) ?? readTable(change);
    known.set(siblings, rows);
    return rows;
  };
  return async (change, holds) => {
    const { accepted = [], isWhole = false } = change.siblings ?? {};
    return accepted.find(holds) ?? (isWhole ? undefined : (await inTable(change)).find(holds));
  };
}
