// The conditions of a list, and their SQL. The text of a statement is made of a resource's own columns and of
// operators; values are always bound.
import type { QueryBuilder, Raw } from 'objection';
import type { Field, Row, Stored } from '../fields/field.ts';
import type { Resource } from '../records/record.ts';
import type { Relation } from '../records/relation.ts';
import { SEARCH_TEXT } from '../records/search-text.ts';
import type { BaseModel } from '../statements/base-model.ts';
import {
  decimalValue,
  hasPattern,
  inLowerCase,
  liesBetween,
  matches,
  matchesEach,
  shownNumber,
  valueInLowerCase,
} from '../statements/fragment.ts';
import { type Marker, marks, padded } from '../statements/prepared.ts';
import type { Enclosing } from './enclosing.ts';
import type { Operator } from './filter-term.ts';

export type Query = QueryBuilder<BaseModel & Row>;

/** What a condition looks at. */
export interface Target {
  readonly column: string;
  readonly field: Field;
  /** The resource that has the column. */
  readonly resource: Resource;
  /** The reference to the record that has the column. Without a record the column counts as empty. */
  readonly through?: Relation;
}

export interface FieldCondition extends Omit<Target, 'resource'> {
  readonly operator: Operator;
  /** One value; several for `in` and `ni`; for `null` 1 or 0; for `has` a regular expression. */
  readonly values: readonly Stored[];
  /** `has`: letters of the text that stand for several, and are replaced before the text is matched. */
  readonly replaced?: readonly (readonly [letter: string, letters: string])[];
  /** `like`: found on an index. */
  readonly enclosed?: Enclosing;
  /** The case of the column and of the values does not count. */
  readonly ignoresCase?: true;
  /** The folded texts of the records that may have the values: found on an index. */
  readonly folded?: readonly string[];
  /** Limits the rows that the caller may see, whatever the request says. Most rows meet it, so it chooses no index. */
  readonly isScope?: true;
}

/** At least one of them holds. */
interface AnyCondition {
  readonly any: readonly FieldCondition[];
}

export type Condition = FieldCondition | AnyCondition;

/** The conditions of which at least one holds. */
export const waysOf = (condition: Condition): readonly FieldCondition[] =>
  'any' in condition ? condition.any : [condition];

/** The references that conditions go through. */
export const referencesIn = (conditions: readonly Condition[]): Relation[] =>
  conditions.flatMap(waysOf).flatMap(({ through }) => through ?? []);

/** Whether a condition finds records by their folded texts. */
export const looksIntoFolded = (conditions: readonly Condition[]): boolean =>
  conditions.flatMap(waysOf).some(({ folded }) => folded !== undefined);

/**
 * Names the columns, the operators and the number of values; for `null` also the value, which is in the text. A scope
 * has a shape of its own, because it chooses no index.
 */
export const shapeOf = (conditions: readonly Condition[]): string =>
  conditions.map((one) => ('any' in one ? `any(${one.any.map(shapeOfOne).join()})` : shapeOfOne(one))).join();

function shapeOfOne(condition: FieldCondition): string {
  const { column, operator, values, through, replaced = [], enclosed, folded = [] } = condition;
  const name = through ? `${through.name}.${column}` : column;
  if (operator === 'null') return `${name}[null]${values[0]}`;
  const marks = [
    condition.isScope && 'scope',
    condition.ignoresCase && 'lower',
    enclosed && `enclosed ${enclosed.length}`,
    folded.length > 0 && `folded ${padded(folded).length}`,
    ...replaced.map(([letter]) => letter),
  ];
  return [`${name}[${operator}]${padded(values).length}`, ...marks.filter((mark) => mark)].join(' ');
}

/** The values of conditions, by the names that `filtered` gives to their marks. */
export const valuesOf = (conditions: readonly Condition[]): Record<string, readonly Stored[]> =>
  Object.fromEntries(
    conditions.flatMap((condition, at) =>
      waysOf(condition).flatMap(({ operator, values, enclosed = [], folded = [] }, way) => [
        [nameOf(at, way), operator === 'like' ? [likePattern(String(values[0]))] : padded(values)],
        [enclosedName(at, way), enclosed],
        [foldedName(at, way), padded(folded)],
      ]),
    ),
  );

const nameOf = (at: number, way: number) => `condition${at}.${way}`;
const enclosedName = (at: number, way: number) => `enclosed${at}.${way}`;
const foldedName = (at: number, way: number) => `folded${at}.${way}`;

const likePattern = (text: string) => escapedLike(text).replace(/\*+/g, '%');

/** A text within a pattern of `matches`. */
export const escapedLike = (text: string) => text.replace(/[!%_]/g, '!$&');

const COMPARISONS = { eq: '=', gt: '>', ge: '>=', lt: '<', le: '<=' } as const;

/** One way of an `any`: the position of the `any` among the conditions, and of the way within it. */
export interface Way {
  readonly at: number;
  readonly index: number;
}

/** The rows that meet all conditions. The table is `t`. `only`: of one `any` this way must hold. */
export function filtered(query: Query, conditions: readonly Condition[], mark: Marker, only?: Way): Query {
  conditions.forEach((condition, at) => {
    const way = only?.at === at ? waysOf(condition)[only.index] : undefined;
    if (only && way) restrict(query, way, boundBy(mark, at, only.index, way));
    else if ('any' in condition)
      query.where((ways) =>
        condition.any.forEach((way, index) => {
          ways.orWhere((one) => void restrict(one, way, boundBy(mark, at, index, way)));
        }),
      );
    else restrict(query, condition, boundBy(mark, at, 0, condition));
  });
  return query;
}

/** The marks of a condition's values. */
interface Bound {
  readonly mark: Marker;
  readonly values: never[];
  readonly enclosed: never[];
  readonly folded: never[];
}

const boundBy = (
  mark: Marker,
  at: number,
  way: number,
  { values, enclosed = [], folded = [] }: FieldCondition,
): Bound => ({
  mark,
  values: marks(mark, nameOf(at, way), padded(values).length),
  enclosed: marks(mark, enclosedName(at, way), enclosed.length),
  folded: folded.length > 0 ? marks(mark, foldedName(at, way), padded(folded).length) : [],
});

function restrict(query: Query, condition: FieldCondition, bound: Bound): void {
  const { through } = condition;
  if (!through) {
    compare(query, 't', condition, bound);
    return;
  }
  const reference = `t.${through.field}`;
  const holding = (one: FieldCondition) => {
    const found = through.other.model.ofMarked(bound.mark, 'r').select('r.id');
    compare(found, 'r', one, bound);
    return found;
  };
  const opposite = oppositeOf(condition);
  if (!opposite) query.whereIn(reference, holding(condition));
  else query.where((either) => either.whereNull(reference).orWhereNotIn(reference, holding(opposite)));
}

/** The condition that all other records meet, of a condition that empty columns meet. */
export function oppositeOf(condition: FieldCondition): FieldCondition | undefined {
  const { operator, values } = condition;
  if (operator === 'ne') return { ...condition, operator: 'eq' };
  if (operator === 'ni') return { ...condition, operator: 'in' };
  return operator === 'null' && values[0] === 1 ? { ...condition, values: [0] } : undefined;
}

function compare(query: Query, table: string, condition: FieldCondition, bound: Bound): void {
  const { column: name, field, operator, values, replaced = [], enclosed, ignoresCase } = condition;
  const column = `${table}.${name}`;
  const { shownAs } = field;
  const shown = shownAs ? shownNumber(table, name, shownAs) : column;
  const compared = ignoresCase ? inLowerCase(column) : shown;
  const all = bound.values.map((value) => (ignoresCase ? valueInLowerCase(value) : typed(field, value)));
  const [first, value] = [bound.values[0] as never, all[0] as never];
  if (bound.folded.length > 0) query.whereIn(`${table}.${SEARCH_TEXT}`, bound.folded);
  switch (operator) {
    case 'null':
      if (values[0] === 1) query.whereNull(column);
      else query.whereNotNull(column);
      break;
    case 'like':
      query.where(enclosed ? matchesEach(column, first) : matches(column, first));
      if (bound.enclosed.length > 0) query.where(liesBetween(column, ...(bound.enclosed as [never, never])));
      break;
    case 'has':
      query.where(hasPattern(column, first, replaced));
      break;
    case 'in':
      query.whereIn(compared, all);
      break;
    // Empty values are not equal: a record is in the list of a condition or in the list of its opposite.
    case 'ni':
      query.where((either) => either.whereNotIn(compared, all).orWhereNull(column));
      break;
    case 'ne':
      query.where((either) => either.where(compared, '<>', value).orWhereNull(column));
      break;
    default:
      query.where(compared, COMPARISONS[operator], value);
  }
}

/** A value as its column compares it. */
export const typed = (field: Field | undefined, value: never): Raw =>
  field?.datatype === 'float8' ? decimalValue(value) : value;
