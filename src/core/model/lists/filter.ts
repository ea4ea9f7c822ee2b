// Reads `filter` into conditions. A malformed filter is refused first, then unknown fields, then wrong uses of
// operators, then values that are not of the field's type.
import { type Violation, violation } from '../../errors.ts';
import { FOLD } from '../../trade/text/fold.ts';
import { patternOf } from '../../trade/text/pattern.ts';
import { refuse } from '../bodies/check.ts';
import { NAMED_LISTS } from '../fields/encode.ts';
import type { Field, Stored } from '../fields/field.ts';
import { foldingOf } from '../fields/folding.ts';
import { comparable, wireName } from '../fields/value.ts';
import type { Resource } from '../records/record.ts';
import { relationsOf } from '../records/relation.ts';
import { type Condition, type Target, waysOf } from './condition.ts';
import { enclosing } from './enclosing.ts';
import { equal, isEquality } from './equal-value.ts';
import { malformed, readTerms, type Term } from './filter-term.ts';

// The server tries every way to share a text between the wildcards of a pattern.
const MOST_WILDCARDS = 5;
const LONGEST_PATTERN = 200;
const FEWEST_CHARACTERS = 2;
const MOST_CHARACTERS = 100;

/** Reads `filter` for a resource. Throws Problem: 400 malformed, 403 unknown field or wrong value. */
export function parseFilter(resource: Resource, text: string): Condition[] {
  const terms = readTerms(text);
  const all = terms.flatMap((one) => ('any' in one ? one.any : [one]));
  const targets = new Map(all.map((term) => [term, targetOf(resource, term.name)]));
  refuse(all.flatMap((term) => (targets.get(term) ? [] : violation('field_unknown', { field: term.name }))));
  const withTarget = <T>(use: (term: Term, target: Target) => T) => {
    return (term: Term): T[] => {
      const target = targets.get(term);
      return target ? [use(term, target)] : [];
    };
  };
  refuse(all.flatMap(withTarget(misuse)).flatMap((wrong) => wrong ?? []));
  const found: Violation[] = [];
  const conditionsOf = withTarget((term, target) => condition(term, target, found));
  const conditions = terms.flatMap((one): Condition[] =>
    'any' in one ? [{ any: one.any.flatMap(conditionsOf).flatMap(waysOf) }] : conditionsOf(one),
  );
  refuse(found);
  return conditions;
}

/** A field that a request may read. A write-only field is unknown. */
export function visibleField(resource: Resource, name: string): Field | undefined {
  const field = resource.fields.get(name);
  return field?.writeOnly ? undefined : field;
}

/** What a name leads to: a field of the resource, or `contact.city`, a field of a record that it refers to. */
function targetOf(resource: Resource, text: string): Target | undefined {
  const [name = '', inner, ...more] = text.split('.');
  if (inner === undefined) {
    const field = visibleField(resource, name);
    return field && { column: name, field, resource };
  }
  const through = relationsOf(resource).get(name);
  if (through?.kind !== 'reference' || more.length > 0) return undefined;
  const field = visibleField(through.other, inner);
  return field && { column: inner, field, resource: through.other, through };
}

/** The refusal of a wrong use of an operator. */
function misuse(
  { name, operator, values: [value = ''], at }: Term,
  { field }: Target,
): Violation | undefined {
  if (operator === 'null' && value !== '0' && value !== '1')
    return malformed(at, 'operator [null] takes 1 or 0');
  if (operator !== 'like' && operator !== 'has') return undefined;
  if (field.datatype !== 'varchar' && field.datatype !== 'text')
    return malformed(
      at,
      `operator [${operator}] needs a field of datatype varchar or text, [${name}] is ${field.datatype}`,
    );
  return operator === 'has' ? misuseOfHas(at, value) : misuseOfLike(at, value);
}

function misuseOfLike(at: number, value: string): Violation | undefined {
  if (Array.from(value).length > LONGEST_PATTERN)
    return malformed(at, `operator [like] takes at most ${LONGEST_PATTERN} characters`);
  return (value.match(/\*+/g)?.length ?? 0) > MOST_WILDCARDS
    ? malformed(at, `operator [like] takes at most ${MOST_WILDCARDS} [*]`)
    : undefined;
}

const misuseOfHas = (at: number, value: string): Violation | undefined =>
  isSought(value)
    ? undefined
    : malformed(
        at,
        `operator [has] takes ${FEWEST_CHARACTERS} to ${MOST_CHARACTERS} characters with a letter or a digit`,
      );

/** Whether somebody may look for a text: it is neither too short nor too long, and not of punctuation only. */
export function isSought(text: string): boolean {
  const characters = Array.from(text).length;
  // Folded: the letter U+02BC becomes an apostrophe.
  return characters >= FEWEST_CHARACTERS && characters <= MOST_CHARACTERS && FOLD.code(text) !== '';
}

/** The condition that a term means. Adds the refusals of its values to `found`. */
function condition({ name, operator, values }: Term, target: Target, found: Violation[]): Condition {
  const { field, column } = target;
  if (operator === 'null') return { ...target, operator, values: values.map(Number) };
  const stored = values.map((value): Stored => {
    const parsed = field.parse(value);
    if (parsed === undefined)
      found.push(violation('value_wrong_type', { field: name, value, datatype: wireName(field.datatype) }));
    return parsed ?? null;
  });
  const compared = stored.map((value) => comparable(field, value));
  if (isEquality(operator)) return equal(target, operator, compared);
  // A name of a list is found as a whole.
  if ((operator === 'has' || operator === 'like') && NAMED_LISTS[field.kind])
    return { ...target, operator: 'eq', values: stored };
  if (operator === 'like') {
    // Of ASCII the server's own range has all texts.
    const enclosed = field.isAscii ? undefined : enclosing(String(stored[0]));
    return { ...target, operator, values: compared, enclosed };
  }
  if (operator !== 'has') return { ...target, operator, values: compared };
  const { expression, replaced } = patternOf(foldingOf(column, field), String(stored[0]));
  return {
    ...target,
    operator,
    values: [comparable(field, expression)],
    replaced: field.isAscii ? [] : replaced,
  };
}
