// Which index a list is read on. The server alone would choose a slower one.
import { indexOf } from '../records/index-plan.ts';
import { keyOf, type Resource } from '../records/record.ts';
import { onIndex, withoutIndex } from '../statements/fragment.ts';
import type { Marker } from '../statements/prepared.ts';
import {
  type Condition,
  type FieldCondition,
  oppositeOf,
  type Query,
  type Way,
  waysOf,
} from './condition.ts';
import type { ListQuery } from './list-query.ts';

/** The index that a statement must use, or must not use. */
export interface Hint {
  readonly force?: string;
  readonly ignore?: string;
}

/** The owner's rows. */
export function from({ model, table }: Resource, mark: Marker, { force, ignore }: Hint = {}): Query {
  const query = model.ofMarked(mark, 't');
  if (force !== undefined) query.from(onIndex(table, 't', force));
  else if (ignore !== undefined) query.from(withoutIndex(table, 't', ignore));
  return query;
}

/**
 * With this hint the server seeks straight to the page. Without it MySQL may choose an index that holds all columns of
 * the answer, and sort. Or the server expects open orders everywhere in the table and reads it from the start, though
 * they are at the end.
 */
export function hintOf(query: ListQuery, isDeep: boolean): Hint {
  const force = forcedIndex(query, isDeep);
  if (force !== undefined) return { force };
  // The order of IDs over all owners: MariaDB would read other owners' rows until the page is full.
  return query.resource.clustered ? { ignore: `${query.resource.table}__id` } : {};
}

function forcedIndex({ resource, sort, conditions }: ListQuery, isDeep: boolean): string | undefined {
  const [first, tie] = sort;
  const [condition, ...more] = conditions.filter((one) => !('isScope' in one));
  const isOneOrder = sort.length <= 2 && (tie === undefined || tie.descending === first?.descending);
  if (!first || !isOneOrder || more.length > 0) return undefined;
  const isById = first.column === keyOf(resource);
  if (!condition)
    return isById && resource.clustered && !isDeep ? 'PRIMARY' : indexOf(resource, first.column);
  if ('any' in condition || condition.through || condition.operator !== 'eq' || condition.ignoresCase)
    return undefined;
  return indexOf(resource, condition.column, ...(isById ? [] : [first.column]));
}

/** The statement holds the values of all other conditions once for each way. With more of them it would be too long. */
const MOST_VALUES = 200;

/**
 * The ways of an `any` that all have an index of their own; undefined if the list has no such `any`. The list is their
 * union, each up to the end of the page. MySQL reads all rows of the owner for an `OR` of two indexes: the union takes
 * 1 ms where the `OR` takes 99 ms (50,000 contacts). If half of the contacts meet the `any`, both take as long.
 */
export function indexedWays({ resource, conditions }: ListQuery): readonly Way[] | undefined {
  const at = conditions.findIndex((one) => 'any' in one && one.any.every(isIndexed(resource)));
  const condition = conditions[at];
  if (!condition) return undefined;
  const ways = waysOf(condition);
  const others = conditions.toSpliced(at, 1).flatMap(waysOf);
  const values = others.flatMap((other) => other.values).length;
  return ways.length * values > MOST_VALUES ? undefined : ways.map((_, index) => ({ at, index }));
}

/** The conditions of one way of an `any`. */
export const conditionsOf = ({ conditions }: ListQuery, { at, index }: Way): readonly Condition[] =>
  conditions.flatMap((one, position) => (position === at ? (waysOf(one)[index] ?? []) : one));

const isIndexed = (resource: Resource) => (way: FieldCondition) => {
  const { column, operator, values, through, ignoresCase, enclosed, folded } = way;
  if (folded) return true;
  if (ignoresCase || indexOf(through?.other ?? resource, column) === undefined) return false;
  if (operator === 'like') return enclosed?.length !== 0 && !String(values[0]).startsWith('*');
  if (operator === 'null') return values[0] === 1 && !through;
  return operator !== 'has' && oppositeOf(way) === undefined;
};
