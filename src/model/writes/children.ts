// Adds a record with its children in one go: POST /order takes its lines under `orderline`. Parent and children pass
// each stage of the checks together: a stage collects the violations of all of them, and a later stage counts only if
// the earlier stages found nothing.
import { inside, Problem, type Violation, violation } from '../../errors.ts';
import { type Body, checkRules, isBody, missingFields, readFields, refuse } from '../bodies/check.ts';
import { historyShape } from '../bodies/history.ts';
import type { Row } from '../fields/field.ts';
import { type Family, MOST_CHILDREN } from '../lists/expand.ts';
import type { Change, Resource, Shape } from '../records/record.ts';
import { type Relation, relationsOf } from '../records/relation.ts';
import type { Garage } from '../statements/garage.ts';
import { remembered } from '../statements/remembered.ts';
import { asWritten } from './change-log.ts';
import { unknownReferences } from './constraint-errors.ts';
import { addRecord, completeRecord, insertRecord, insertTogether } from './store.ts';

/**
 * The kinds of children that a POST of the resource takes. They have a POST of their own, and no `frozenBy` of their
 * own. Payments have a `frozenBy`: a new order is no invoice, so a payment beside it would always be refused.
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

/** The same as a body of this parent may hold it: an old record brings the readonly fields of its children. */
export const childShapeIn = ({ takesHistory }: Resource, child: Resource): Shape =>
  childShape(takesHistory ? historyShape(child) : child);

interface Child {
  readonly kind: Relation;
  /** `orderline[1]` */
  readonly path: string;
  readonly body: Body;
  readonly next: Row;
}

/**
 * Adds a record and the children that its body holds, each kind of children by one statement. Answers the rows as the
 * transaction has written them last. Throws Problem as `addRecord` does, for each of them.
 */
export async function addWithChildren(garage: Garage, resource: Resource, body: Body): Promise<Family> {
  const kinds = childrenIn(resource, body);
  if (kinds.length === 0) return { row: await addRecord(garage, resource, body), children: new Map() };
  const { next, children } = readFamily(resource, kinds, body);
  const change: Change = { next, given: (field) => body[field], garage };
  const found = nothingFound();
  const isAdded = await add(found, resource, change, insertRecord);
  const changes = new Map<Relation, readonly Change[]>(kinds.map((kind) => [kind, []]));
  for (const [kind, some] of byKind(children))
    changes.set(kind, await addKind(found, some, { kind, garage, parent: next, isAdded }));
  refuse(found.rules);
  refuse(found.references);
  refuse(found.others);
  for (const stage of found.late) refuse(stage);
  await resource.hooks.after?.(change);
  for (const [{ other }, added] of changes) await runAfter(other, added);
  return {
    row: asWritten(garage, resource, next),
    children: new Map(
      [...changes].map(([kind, added]) => [
        kind,
        added.map((one) => asWritten(garage, kind.other, one.next)),
      ]),
    ),
  };
}

/** The kinds in the order of the body. */
function byKind(children: readonly Child[]): Map<Relation, Child[]> {
  const groups = new Map<Relation, Child[]>();
  for (const child of children) {
    const group = groups.get(child.kind);
    if (group) group.push(child);
    else groups.set(child.kind, [child]);
  }
  return groups;
}

/** The stages of fields and of required fields. Throws Problem. */
function readFamily(
  resource: Resource,
  kinds: readonly Relation[],
  body: Body,
): { next: Row; children: Child[] } {
  const children: Child[] = [];
  const byName = new Map(kinds.map((kind) => [kind.name, kind]));
  const { next, found } = readFields(resource, body, undefined, (name) => {
    const kind = byName.get(name);
    return kind && readChildren(resource, kind, body[name], children);
  });
  refuse(found);
  const missing = children.flatMap(({ kind, path, body, next }) =>
    missingFields(childShapeIn(resource, kind.other), body, next, true).map((one) => inside(one, path)),
  );
  refuse([...missingFields(resource, body, next, true), ...missing]);
  return { next, children };
}

/** Adds the children to `into`, and returns the violations of their fields. */
function readChildren(parent: Resource, kind: Relation, value: unknown, into: Child[]): Violation[] {
  const { name: field } = kind;
  if (value === null) return [];
  if (!Array.isArray(value)) return [violation('value_wrong_type', { field, value, datatype: `${field}[]` })];
  if (value.length === 0) return [violation('array_empty', { field })];
  if (value.length > MOST_CHILDREN) {
    const validation = `at most ${MOST_CHILDREN}`;
    return [violation('value_invalid', { field, value: value.length, validation })];
  }
  return value.flatMap((body: unknown, index) => {
    const path = `${field}[${index}]`;
    if (!isBody(body)) return violation('value_wrong_type', { field: path, value: body, datatype: field });
    const { next, found } = readFields(childShapeIn(parent, kind.other), body, undefined);
    into.push({ kind, path, body, next });
    return found.map((one) => inside(one, path));
  });
}

/**
 * The violations of parent and children by stage. `others` has the violations of uniqueness, `late` one list for each
 * late rule.
 */
type Found = Record<'rules' | 'references' | 'others', Violation[]> & { readonly late: Violation[][] };

const nothingFound = (): Found => ({ rules: [], references: [], others: [], late: [] });

interface NewKind {
  readonly kind: Relation;
  readonly garage: Garage;
  readonly parent: Row;
  /** Whether the parent was added. If not, its children are checked only. */
  readonly isAdded: boolean;
}

/** Runs the later stages on all children of one kind. Returns the children that were added. */
async function addKind(found: Found, children: readonly Child[], kind: NewKind): Promise<readonly Change[]> {
  const together = kind.isAdded && goTogether(kind.kind.other) && (await addTogether(children, kind));
  if (together) {
    for (const stage of ['rules', 'references', 'others'] as const)
      found[stage].push(...together.found[stage]);
    return together.added;
  }
  const added: Change[] = [];
  for (const child of children) {
    const one = changeOf(child, kind);
    if (await add(found, kind.kind.other, one, kind.isAdded ? insertRecord : undefined, child))
      added.push(one);
  }
  return added;
}

/** Late rules look for earlier children in the table. */
const goTogether = ({ hooks }: Resource): boolean => hooks.lateRules === undefined;

/**
 * Inserts the children by one statement. Undefined: a key refused one of them, and nothing was inserted. Then the
 * caller adds them one by one, which shows the child and the field.
 */
async function addTogether(
  children: readonly Child[],
  kind: NewKind,
): Promise<{ found: Found; added: readonly Change[] } | undefined> {
  const { other } = kind.kind;
  const found = nothingFound();
  const added: Change[] = [];
  const siblings: Row[] = [];
  for (const child of children) {
    const one = changeOf(child, kind, siblings);
    if (!(await add(found, other, one, completeRecord, child))) continue;
    added.push(one);
    siblings.push(one.next);
  }
  return (await insertTogether(other, added)) ? { found, added } : undefined;
}

/** Rules and hooks get a row of their own, since a second try begins with the row as it was. */
function changeOf(
  { body, next }: Child,
  { kind, garage, parent }: NewKind,
  siblings?: readonly Row[],
): Change {
  // The rules of children count also if the parent was refused. No record has the ID 0.
  const row = { ...next, [kind.field]: parent.id ?? 0 };
  return { next: row, given: (field) => body[field], garage, parent, ...(siblings && { siblings }) };
}

/** Runs the later stages on one record. Without `write` it only checks. Returns whether it was written. */
async function add(
  found: Found,
  resource: Resource,
  change: Change,
  write: ((resource: Resource, change: Change) => Promise<void>) | undefined,
  child?: Child,
): Promise<boolean> {
  const located = (one: Violation) => (child ? inChild(one, child) : one);
  const broken = await violationsOf(() => checkRules(resource, change));
  found.rules.push(...broken.map(located));
  if (broken.length > 0) return false;
  const refused = write
    ? await violationsOf(() => write(resource, change))
    : await unknownReferences(resource, change);
  for (const one of refused)
    (one.code === 'reference_unknown' ? found.references : found.others).push(located(one));
  const isAdded = write !== undefined && refused.length === 0;
  if (isAdded) await judgeLate(found.late, resource, change, located);
  return isAdded;
}

/** Judges a child before the next one is added: if two children exclude each other, the later one is refused. */
async function judgeLate(
  late: Violation[][],
  { hooks }: Resource,
  change: Change,
  located: (one: Violation) => Violation,
): Promise<void> {
  for (const [stage, rule] of (hooks.lateRules ?? []).entries()) {
    const broken = [(await rule(change)) ?? []].flat();
    late[stage] = [...(late[stage] ?? []), ...broken.map(located)];
    if (broken.length > 0) return;
  }
}

async function violationsOf(work: () => Promise<void>): Promise<readonly Violation[]> {
  try {
    await work();
    return [];
  } catch (error) {
    if (error instanceof Problem) return error.violations;
    throw error;
  }
}

/** A rule of the child may also name a field of the parent, such as the total. */
function inChild(one: Violation, { kind, path }: Child): Violation {
  return one.field === undefined || kind.other.fields.has(one.field) ? inside(one, path) : one;
}

async function runAfter({ hooks }: Resource, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return;
  if (hooks.afterAll) await hooks.afterAll(changes);
  else for (const change of changes) await hooks.after?.(change);
}
