// The children in the body of their parent: POST /order takes its lines under `orderline`, and so does an upsert. This
// file knows which kinds a body may hold, and reads their fields; family.ts writes them.
import { about, inside, type Violation, violation } from '../../errors.ts';
import { type Body, isBody, missingFields, readFields, readInside, refuse } from '../bodies/check.ts';
import { historyShape } from '../bodies/history.ts';
import type { Field, Row } from '../fields/field.ts';
import { refused } from '../fields/value.ts';
import { MOST_CHILDREN } from '../lists/expand.ts';
import type { Resource, Shape } from '../records/record.ts';
import { type Relation, relationsOf } from '../records/relation.ts';
import { remembered } from '../statements/remembered.ts';
import { stateRefusal } from './state.ts';

/**
 * The kinds of children that a body of the resource takes. They have a POST of their own, and `frozenBy` is no
 * function. The one of payments is: a new order is no invoice, so a payment beside it would always be refused.
 */
export const childrenOf = remembered((resource: Resource): readonly Relation[] =>
  [...relationsOf(resource).values()].filter(
    ({ kind, field, other }) =>
      resource.traits.parent === undefined &&
      kind === 'children' &&
      other.traits.parent === field &&
      typeof other.traits.frozenBy !== 'function' &&
      other.methods.includes('POST'),
  ),
);

/** The kinds of children that a body names. */
export const childrenIn = (resource: Resource, body: Body): Relation[] =>
  childrenOf(resource).filter(({ name }) => Object.hasOwn(body, name));

/** A child as the body of its parent holds it: the reference to the parent is readonly. */
export const childShape = remembered((child: Resource): Shape => {
  const fields = new Map(child.fields);
  const { parent = '' } = child.traits;
  const reference = fields.get(parent);
  if (reference) fields.set(parent, { ...reference, required: false, readonly: true });
  return { ...child, fields };
});

/** The same in an upsert: the child is known by its external_id, so it needs one, and its ID is refused. */
const keyedShape = remembered((child: Resource): Shape => {
  const shape = childShape(child);
  const fields = new Map(shape.fields);
  const change = (name: string, changes: Partial<Field>) => {
    const field = fields.get(name);
    if (field) fields.set(name, { ...field, ...changes });
  };
  change('external_id', { required: true });
  const check = (field: string) => refused(violation('field_primary', { field }));
  change('id', { primary: false, readonly: false, required: false, check });
  return { ...shape, fields };
});

/** The same as a body of this parent may hold it: an old record brings the readonly fields of its children. */
export const childShapeIn = ({ takesHistory }: Resource, child: Resource): Shape =>
  childShape(takesHistory ? historyShape(child) : child);

/** The children that a parent has already and that its body names, by kind and external_id. Their rows are locked. */
export type Known = ReadonlyMap<Relation, ReadonlyMap<unknown, Row>>;

/** A child of a body. */
export interface Child {
  readonly kind: Relation;
  /** `orderline[1]` */
  readonly path: string;
  readonly body: Body;
  /** The child as it is; undefined: it is new. */
  readonly previous: Row | undefined;
  readonly next: Row;
  /** Whether a child before it in the body has the same key. */
  readonly isRepeated: boolean;
}

/** How a body is read. */
interface Reading {
  /** The record as it is; undefined: it is new. */
  readonly previous?: Row;
  /** The kinds of children that the body names. */
  readonly kinds: readonly Relation[];
  /** Given: children are matched by their keys, and need one. */
  readonly known?: Known;
}

/**
 * The children of a kind that a body holds, with their place in the body. What is no object is left out, and all are if
 * there are too many: the stage of fields refuses them.
 */
export function bodiesOf({ name }: Relation, body: Body): { path: string; child: Body }[] {
  const value = body[name];
  if (!Array.isArray(value) || value.length > MOST_CHILDREN) return [];
  return value.flatMap((child: unknown, index) =>
    isBody(child) ? { path: `${name}[${index}]`, child } : [],
  );
}

/** The stages of fields and of required fields. Throws Problem. */
export function readFamily(
  resource: Resource,
  body: Body,
  reading: Reading,
): { next: Row; children: Child[] } {
  const { previous, known } = reading;
  const { next, children, found } = readFamilyFields(resource, body, reading);
  refuse(found);
  const missing = children.flatMap(({ kind, path, body, previous, next }) =>
    missingFields(shapeIn(resource, kind, known), body, next, !previous).map((one) => inside(one, path)),
  );
  refuse([...missingFields(resource, body, next, !previous), ...missing]);
  return { next, children };
}

/** The stage of fields. */
export function readFamilyFields(
  resource: Resource,
  body: Body,
  { previous, kinds, known }: Reading,
): { next: Row; children: Child[]; found: Violation[] } {
  const children: Child[] = [];
  const byName = new Map(kinds.map((kind) => [kind.name, kind]));
  const read = readFields(resource, body, previous, (name) => {
    const kind = byName.get(name);
    return kind && readChildren(body[name], { kind, shape: shapeIn(resource, kind, known), known, children });
  });
  return { ...read, children };
}

const shapeIn = (parent: Resource, { other }: Relation, known: Known | undefined): Shape =>
  known ? keyedShape(other) : childShapeIn(parent, other);

interface ReadingKind {
  readonly kind: Relation;
  readonly shape: Shape;
  readonly known: Known | undefined;
  /** The children read so far. */
  readonly children: Child[];
}

/** Adds the children, and returns the violations of their fields. */
function readChildren(value: unknown, { kind, shape, known, children }: ReadingKind): Violation[] {
  const { name: field } = kind;
  if (value === null) return [];
  if (!Array.isArray(value)) return [violation('value_wrong_type', { field, value, datatype: `${field}[]` })];
  if (value.length === 0) return [violation('array_empty', { field })];
  if (value.length > MOST_CHILDREN) {
    const validation = `at most ${MOST_CHILDREN}`;
    return [violation('value_invalid', { field, value: value.length, validation })];
  }
  const keys = new Set<unknown>();
  const all: Violation[] = [];
  for (const [index, body] of (value as unknown[]).entries()) {
    const path = `${field}[${index}]`;
    if (!isBody(body)) {
      all.push(violation('value_wrong_type', { field: path, value: body, datatype: field }));
      continue;
    }
    const { external_id: key } = body;
    const previous = known?.get(kind)?.get(key);
    const { next, found } = readInside(shape, body, { path, previous, before: all.length });
    const isRepeated = known !== undefined && keys.has(key) && !isBlank(key);
    keys.add(key);
    children.push({ kind, path, body, previous, next, isRepeated });
    all.push(...found);
  }
  return all;
}

/** Such a key is refused as missing. */
const isBlank = (key: unknown) => key === undefined || key === null || key === '';

/**
 * Refuses changes of children that their states forbid, such as a blocked line. The key alone changes nothing. Throws
 * Problem.
 */
export function refuseStates(body: Body, known: Known): void {
  const found: Violation[] = [];
  for (const [kind, rows] of known)
    for (const { path, child } of bodiesOf(kind, body)) {
      const { external_id, ...fields } = child;
      const row = Object.keys(fields).length > 0 ? rows.get(external_id) : undefined;
      const wrong = row && stateRefusal(kind.other, row, fields);
      if (wrong) found.push(...about(kind.other.name, Number(row.id), [inside(wrong, path)]));
    }
  refuse(found);
}
