// Checks a request body against a resource, stage by stage: fields in the order of the body, required fields, rules
// across fields. A stage collects all of its violations. The next stage runs only if the stage found nothing.
import { inside, Problem, type Violation, violation } from '../../errors.ts';
import { encode } from '../fields/encode.ts';
import type { Field, Row, Stored } from '../fields/field.ts';
import { type Change, type Findings, type Shape, wholeColumns } from '../records/record.ts';
import { remembered } from '../statements/remembered.ts';
import { MOST_ERRORS } from './error-entries.ts';

export type Body = Readonly<Record<string, unknown>>;

export const isBody = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the record after the change, in stored form. Throws Problem with the violations of one stage. */
export function checkFields(resource: Shape, body: Body, previous: Row | undefined): Row {
  const { next, found, missing } = readFields(resource, body, previous);
  refuse(found);
  refuse([...missingFields(resource, body, next, previous === undefined), ...missing]);
  return next;
}

/** Checks the rules across fields on the record after the change. Throws Problem. */
export async function checkRules(resource: Shape, change: Change): Promise<void> {
  const found: Violation[] = [...outOfOrder(resource, change), ...renormalise(resource, change)];
  for (const rule of resource.hooks.rules ?? []) found.push(...violationsIn(await rule(change)));
  refuse(found);
}

/** Runs readers that are independent of each other. Throws Problem with the violations of all readers, in order. */
export function collected<Readers extends Record<string, () => unknown>>(
  readers: Readers,
): { [Name in keyof Readers]: ReturnType<Readers[Name]> } {
  const found: Violation[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, read] of Object.entries(readers)) {
    try {
      values[name] = read();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      found.push(...error.violations);
    }
  }
  refuse(found);
  return values as { [Name in keyof Readers]: ReturnType<Readers[Name]> };
}

/** Throws Problem if there is a violation. */
export function refuse(found: Findings): void {
  const violations = violationsIn(found);
  if (violations.length > 0) throw new Problem(violations);
}

/** What a rule has found, as a list. */
export const violationsIn = (found: Findings): readonly Violation[] => [found ?? []].flat();

/** Refuses fields that are not among the `known` ones. Throws Problem. */
export function refuseUnknown(body: Body, known: readonly string[]): void {
  const unknown = Object.keys(body).filter((name) => !known.includes(name));
  refuse(unknown.map((name) => violation('field_unknown', { field: name })));
}

/** Facts about a resource that every write needs. */
const factsOf = remembered((resource: Shape) => ({
  /** A record with the default of every column. Adding a column to a copy takes longer than the copy. */
  blank: Object.fromEntries(
    wholeColumns(resource).map((column) => [column, resource.fields.get(column)?.fallback ?? null]),
  ),
  /** Fields that a request may name. */
  writable: [...resource.fields].filter(([, field]) => !field.readonly),
  /** Instants that must come after another. */
  ordered: [...resource.fields].flatMap(([name, { after }]) =>
    after === undefined ? [] : [{ name, after }],
  ),
  /** Fields whose form depends on another field. */
  dependent: [...resource.fields].flatMap(([name, { validation, fixed }]) =>
    validation?.dependsOn === undefined ? [] : [{ name, on: validation.dependsOn, validation, fixed }],
  ),
}));

/**
 * Reads the fields in the order of the body. `nested` reads those names that are no field of the resource (children);
 * it returns undefined for any other name. `missing`: what elements of arrays lack, for the next stage. Only forms have
 * such arrays.
 */
export function readFields(
  resource: Shape,
  body: Body,
  previous: Row | undefined,
  nested: (name: string) => readonly Violation[] | undefined = () => undefined,
): { next: Row; found: Violation[]; missing: Violation[] } {
  const { blank, dependent } = factsOf(resource);
  const next: Row = { ...(previous ?? blank) };
  const found: Violation[] = [];
  const missing: Violation[] = [];
  // The values that may decide the form of another field, as the request gives them.
  const given: Row = dependent.length > 0 ? { ...previous, ...(body as Row) } : blank;
  for (const name of Object.keys(body)) {
    const field = resource.fields.get(name);
    if (!field) {
      found.push(...(nested(name) ?? [violation('field_unknown', { field: name })]));
    } else if (field.primary) {
      if (!previous) found.push(violation('field_primary', { field: name }));
    } else if (field.readonly) {
      found.push(violation('field_readonly', { field: name }));
    } else if (!(field.required && isEmpty(body[name]))) {
      const { stored, violation: wrong, more = [], missing: lacked } = field.check(name, body[name], given);
      if (lacked) missing.push(...lacked);
      if (
        wrong &&
        previous &&
        isRepeated(field, body[name], previous[name]) &&
        isOfOneForm(field, given, previous)
      )
        continue;
      // Another value of a fixed field is refused as a change, whatever its form.
      if (
        wrong?.code === 'value_invalid' &&
        previous &&
        field.fixed &&
        !isSame(name, field, body[name] as Stored, previous)
      )
        found.push(changeOfFixed(name, field));
      else if (wrong) found.push(wrong, ...more);
      else if (previous && field.reference === resource.name && stored === previous.id)
        found.push(ownReference(resource, name, stored));
      else if (field.ofRequest || (previous && isSame(name, field, stored, previous))) continue;
      else if (previous && field.fixed) found.push(changeOfFixed(name, field));
      else next[name] = stored;
    }
  }
  return { next, found, missing };
}

interface Inside {
  /** `orderline[1]` */
  readonly path: string;
  readonly previous?: Row;
  /** How many violations the elements before this one have. */
  readonly before: number;
}

const UNSHOWN = violation('field_unknown', { field: '' });

/**
 * Reads an element of an array in the body. If the elements before it fill the answer, its violations are only counted:
 * a body of 1 MiB can hold 98,000 unknown names, and to make a violation of each takes a second.
 */
export function readInside(
  shape: Shape,
  body: Body,
  { path, previous, before }: Inside,
): { next: Row; found: readonly Violation[] } {
  const isShown = before < MOST_ERRORS;
  const { next, found } = readFields(shape, body, previous, isShown ? undefined : () => [UNSHOWN]);
  if (isShown) return { next, found: found.map((one) => inside(one, path)) };
  return { next, found: found.length > 0 ? [{ ...UNSHOWN, count: found.length }] : [] };
}

/** Whether a value is the stored one, which an earlier version accepted or anonymising wrote. */
const isRepeated = ({ validation }: Field, value: unknown, stored: Stored | undefined): boolean =>
  typeof value === 'string' &&
  typeof stored === 'string' &&
  (value === stored || validation?.formsOf?.(value).includes(stored) === true);

/** Whether the field that decides the form of another one stays as it is. `renormalise` judges fixed values if not. */
const isOfOneForm = ({ validation, fixed }: Field, given: Row, previous: Row): boolean => {
  const { dependsOn } = validation ?? {};
  return Boolean(fixed) || dependsOn === undefined || given[dependsOn] === previous[dependsOn];
};

/** A record that refers to itself could not be deleted. */
export const ownReference = ({ name: resource }: Shape, field: string, value: unknown): Violation =>
  violation('value_invalid', { field, value, validation: `another ${resource}` });

const isSame = (name: string, { same }: Field, stored: Stored, previous: Row): boolean =>
  same ? same(stored, previous) : stored === previous[name];

/** The refusal of a change of a fixed field. */
export const changeOfFixed = (name: string, { fixed }: Field): Violation =>
  typeof fixed === 'string'
    ? (violation as (code: unknown) => Violation)(fixed)
    : violation('field_fixed', { field: name });

/** The required fields that the body lacks on POST, or empties on PUT. */
export function missingFields(resource: Shape, body: Body, next: Row, adding: boolean): Violation[] {
  const found: Violation[] = [];
  const asked = new Set(resource.traits.requires?.(next));
  for (const [name, { required }] of factsOf(resource).writable) {
    const isGiven = Object.hasOwn(body, name);
    const isMissing = required
      ? (adding || isGiven) && isEmpty(body[name])
      : asked.has(name) && isEmpty(next[name]);
    if (isMissing)
      found.push(violation(!adding && isGiven ? 'field_empty' : 'field_required', { field: name }));
  }
  return found;
}

const isEmpty = (value: unknown) => value === undefined || value === null || value === '';

function outOfOrder(resource: Shape, { next, given }: Change): Violation[] {
  const found: Violation[] = [];
  for (const { name, after } of factsOf(resource).ordered) {
    if (given(name) === undefined && given(after) === undefined) continue;
    const [later, earlier] = [next[name], next[after]];
    // Stored instants are text of one form, so the order of the texts is the order in time.
    if (later == null || earlier == null || later > earlier) continue;
    found.push(
      violation('value_not_after', {
        field: name,
        value: asGiven(resource, name, given, later),
        other: after,
        otherValue: asGiven(resource, after, given, earlier),
      }),
    );
  }
  return found;
}

/**
 * Normalises values that the request does not name, if the request changes the field that decides their form: a new
 * country changes the form of the postcode. Returns the values that have no such form.
 */
function renormalise(resource: Shape, { next, previous, given }: Change): Violation[] {
  const found: Violation[] = [];
  for (const { name, on, validation, fixed } of factsOf(resource).dependent) {
    if (!previous || next[on] === previous[on] || next[name] == null) continue;
    // If the request names a fixed value, the value is the record's own, perhaps in another form.
    if (given(name) !== undefined && !fixed) continue;
    const stored = validation.normalise(String(next[name]), next);
    if (stored !== undefined) {
      next[name] = stored;
      continue;
    }
    // An anonymised plate had no form before either.
    if (validation.normalise(String(previous[name]), previous) === undefined) continue;
    // A request can't change a fixed field, so the field that decides the form is wrong.
    const field = fixed ? on : name;
    found.push(violation('value_invalid', { field, value: next[field], validation: validation.name }));
  }
  return found;
}

function asGiven(resource: Shape, name: string, given: Change['given'], stored: Stored): unknown {
  return given(name) ?? JSON.parse(encode(resource.fields.get(name)?.kind ?? 'text', stored));
}
