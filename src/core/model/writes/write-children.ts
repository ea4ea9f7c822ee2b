// Writes the children of a body: those of one kind together, or else one by one.
import { inside, violation } from '../../errors.ts';
import type { Row } from '../fields/field.ts';
import type { Change } from '../records/record.ts';
import type { Relation } from '../records/relation.ts';
import type { Garage } from '../statements/garage.ts';
import { asWritten } from './change-log.ts';
import type { Child } from './children.ts';
import { judgedTogether, oneByOne } from './sibling.ts';
import { type Found, judge, type Write } from './stages.ts';
import { completeRecord, insertRecord, isSame, updateRecord, writeTogether } from './store.ts';

/** The parent whose children are written. */
interface ParentOfKinds {
  readonly garage: Garage;
  readonly kinds: readonly Relation[];
  /** The parent as children of this kind see it. */
  readonly parentOf: (kind: Relation) => Row;
  readonly isNew: boolean;
  /** Whether the parent was not refused. If it was, its children are checked only. */
  readonly isWritten: boolean;
}

interface Kind extends ParentOfKinds {
  readonly kind: Relation;
}

/** Writes the children kind by kind, in the order of the body. Answers the changes of each kind. */
export async function writeChildren(
  found: Found,
  children: readonly Child[],
  parent: ParentOfKinds,
): Promise<Map<Relation, readonly Change[]>> {
  const written = new Map<Relation, readonly Change[]>(parent.kinds.map((kind) => [kind, []]));
  for (const kind of new Set(children.map(({ kind }) => kind))) {
    const some = children
      .filter((child) => child.kind === kind)
      .map((child) => afterParent(child, parent.garage))
      .filter((child) => !isUnchanged(child));
    written.set(kind, await writeKind(found, some, { ...parent, kind }));
  }
  return written;
}

const isUnchanged = ({ previous, next, isRepeated }: Child): boolean =>
  !isRepeated && previous !== undefined && isSame(next, previous);

/** Runs the later stages on all children of one kind. Returns the changes that were written. */
async function writeKind(found: Found, children: readonly Child[], kind: Kind): Promise<readonly Change[]> {
  return (await writeAtOnce(found, children, kind)) ?? writeOneByOne(found, children, kind);
}

/**
 * The change of the parent may have written the child, such as the cost of a car that is sold. A value that the body
 * names counts, also if the child had the same value before.
 */
function afterParent(child: Child, garage: Garage): Child {
  const { kind, body } = child;
  const previous = child.previous && asWritten(garage, kind.other, child.previous);
  if (!previous || previous === child.previous) return child;
  const given = Object.entries(child.next).filter(
    ([column, value]) => value !== child.previous?.[column] || Object.hasOwn(body, column),
  );
  return { ...child, previous, next: { ...previous, ...Object.fromEntries(given) } };
}

/**
 * Judges all children and then writes them. Undefined: a key refused one of them, or they can't be judged before they
 * are written, because late rules look into the table.
 */
async function writeAtOnce(
  found: Found,
  children: readonly Child[],
  kind: Kind,
): Promise<readonly Change[] | undefined> {
  const { other } = kind.kind;
  if (!kind.isWritten || other.hooks.lateRules || children.some(({ isRepeated }) => isRepeated))
    return undefined;
  const ofKind = found.apart();
  const siblings = judgedTogether(children.flatMap(idOf), kind.isNew);
  const changes: Change[] = [];
  for (const child of children) {
    const change = { ...changeOf(child, kind), siblings };
    const write = child.previous ? prepareUpdate : completeRecord;
    if (!(await judge(ofKind, { resource: other, change, write, child }))) continue;
    changes.push(change);
    siblings.accepted.push(change.next);
  }
  if (!(await writeTogether(other, changes))) return undefined;
  found.take(ofKind);
  return changes;
}

const prepareUpdate: Write = async ({ hooks }, change) => hooks.before?.(change);

/**
 * Shows which child is refused, and why. Begins with the rows as they were, also after `writeAtOnce`. If the parent was
 * refused, nothing is written, and the children are judged together.
 */
async function writeOneByOne(
  found: Found,
  children: readonly Child[],
  kind: Kind,
): Promise<readonly Change[]> {
  const { other } = kind.kind;
  const changes: Change[] = [];
  const together = kind.isWritten ? undefined : judgedTogether(children.flatMap(idOf), kind.isNew);
  for (const [index, child] of children.entries()) {
    if (child.isRepeated) {
      const twice = violation('value_duplicate', { field: 'external_id', value: child.body.external_id });
      found.others.push(inside(twice, child.path));
      continue;
    }
    const siblings = together ?? oneByOne(children.slice(index + 1).flatMap(idOf));
    const change = { ...changeOf(child, kind), siblings };
    const write = child.previous ? updateRecord : insertRecord;
    const judged = { resource: other, change, child, ...(kind.isWritten && { write }) };
    const broken = found.rules.length;
    if (await judge(found, judged)) changes.push(change);
    if (found.rules.length === broken) together?.accepted.push(change.next);
  }
  return changes;
}

const idOf = ({ previous }: Child): number[] => (previous ? [Number(previous.id)] : []);

/** Rules and hooks get a row of their own, since a second try begins with the row as it was. */
function changeOf({ path, body, next, previous }: Child, { kind, garage, parentOf }: Kind): Change {
  const parent = parentOf(kind);
  // The rules of children count also if the parent was refused. No record has the ID 0.
  const row = { ...next, [kind.field]: parent.id ?? 0 };
  return { next: row, given: (field) => body[field], garage, parent, path, ...(previous && { previous }) };
}
