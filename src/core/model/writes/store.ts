// Adds and changes one record inside a transaction. The checks have the order of the contract: existence, state, body,
// rules, write. The database's keys check references and uniqueness, so a good request pays for no look-up.
import { problem } from '../../errors.ts';
import { type Body, checkFields, checkRules, refuse } from '../bodies/check.ts';
import type { Row } from '../fields/field.ts';
import { type Identified, lockRecord, lockWithParent } from '../lists/find.ts';
import { numberRecords } from '../records/counter.ts';
import type { Change, Resource } from '../records/record.ts';
import type { Garage } from '../statements/garage.ts';
import { remembered } from '../statements/remembered.ts';
import { duplicates, isRefusedByKey, unknownReferences } from './constraint-errors.ts';
import { type Parent, parentOf, refuseFrozenParent, refuseParent, refuseState } from './state.ts';
import { changeRow, insertRow, insertRows, parkRows } from './write.ts';

/** Whether the caller means a record of this version (If-Match). */
export type Expect = (version: number) => boolean;

/** Adds a record. Throws Problem: state of the parent 409, body 403, references 404, uniqueness 409. */
export async function addRecord<R extends Row>(
  garage: Garage,
  resource: Resource<R>,
  body: Body,
): Promise<R> {
  const parent = await lockParent(garage, resource, body);
  if (parent) refuseParent(parent, resource);
  const next = checkFields(resource, body, undefined);
  const change: Change = { next, given: (field) => body[field], garage, parent: parent?.row };
  await checkRules(resource, change);
  if (resource.traits.parent && !parent) refuse(await unknownReferences(resource, change));
  await insertRecord(resource, change);
  await checkLateRules(resource, change);
  await resource.hooks.after?.(change);
  return next as R;
}

/** Inserts a record that passed all checks except the database's keys. The caller runs the hook `after`. */
export async function insertRecord(resource: Resource, change: Change): Promise<void> {
  const { next, garage } = change;
  await completeRecord(resource, change);
  await write(resource, change, () => insertRow(garage, resource, next));
}

/** Gives a new record its number, and runs its hook `before`. */
export async function completeRecord(resource: Resource, change: Change): Promise<void> {
  await numberRecords(change.garage, resource, [change.next]);
  await resource.hooks.before?.(change);
}

/**
 * Writes changes of one garage that passed their rules: each changed record by a statement, all new ones by one. False:
 * a key refused one of them.
 */
export async function writeTogether(resource: Resource, changes: readonly Change[]): Promise<boolean> {
  const changed = changes.filter(({ previous }) => previous);
  const added = changes.filter(({ previous }) => !previous);
  try {
    await exchangeValues(resource, changed);
    for (const change of changed) await rewrite(resource, change);
    const [first] = added;
    if (first)
      await insertRows(
        first.garage,
        resource,
        added.map(({ next }) => next),
      );
    return true;
  } catch (error) {
    if (isRefusedByKey(error)) return false;
    throw error;
  }
}

/** Lets children take unique values from each other, such as the numbers of two lines. */
async function exchangeValues(resource: Resource, changed: readonly Change[]): Promise<void> {
  for (const [field, { unique }] of resource.fields) {
    if (unique === undefined || unique !== resource.traits.parent) continue;
    const moving = changed.filter(({ next, previous }) => next[field] !== previous?.[field]);
    const taken = new Set(moving.map(({ next }) => next[field]));
    const losing = moving.filter(
      ({ previous }) => previous?.[field] !== null && taken.has(previous?.[field]),
    );
    const [first] = losing;
    const ids = losing.map(({ next }) => Number(next.id));
    if (first) await parkRows(first.garage, resource, field, ids);
  }
}

interface Changing {
  readonly expect?: Expect | undefined;
  /** What the resource's hook `prepare` made of the body. */
  readonly prepared?: unknown;
}

/** Changes the fields that the body names. Writes nothing if no value changes. Throws Problem. */
export async function changeRecord<R extends Row>(
  garage: Garage,
  resource: Resource<R>,
  id: number,
  body: Body,
  { expect, prepared }: Changing = {},
): Promise<R> {
  const found = await demandWithParent(garage, resource, id, expect);
  return changeLocked(garage, resource, found, body, prepared);
}

/** The same for a locked record, and its locked parent if it has one. */
export async function changeLocked<R extends Row>(
  garage: Garage,
  resource: Resource<R>,
  { row: previous, parent }: { readonly row: R; readonly parent?: Parent | undefined },
  body: Body,
  prepared?: unknown,
): Promise<R> {
  refuseState(resource, previous, body);
  if (parent) refuseFrozenParent(parent, resource);
  const next = checkFields(resource, body, previous);
  if (isSame(next, previous)) return previous;
  const given = (field: string) => body[field];
  const change: Change = { next, previous, given, garage, parent: parent?.row, prepared };
  await checkRules(resource, change);
  await updateRecord(resource, change);
  await checkLateRules(resource, change);
  await resource.hooks.after?.(change);
  return next as R;
}

/** Whether the row has these values. */
export const isSame = (next: Partial<Row>, previous: Row): boolean =>
  Object.keys(next).every((column) => next[column] === previous[column]);

/** Writes the change of a record that passed its rules. The caller runs the hook `after`. */
export async function updateRecord(resource: Resource, change: Change): Promise<void> {
  await resource.hooks.before?.(change);
  await update(resource, change);
}

/** Changes a locked record because another one has changed: its hooks run, and no rule judges the change. */
export async function changeAlong(resource: Resource, change: Change): Promise<void> {
  await updateRecord(resource, change);
  await resource.hooks.after?.(change);
}

/** Throws Problem with the violations of the first stage that finds any. */
async function checkLateRules({ hooks }: Resource, change: Change): Promise<void> {
  for (const rule of hooks.lateRules ?? []) refuse(await rule(change));
}

/** Writes the change of a locked row. Throws Problem with the fields that a key refuses. */
export const update = (resource: Resource, change: Change): Promise<void> =>
  write(resource, change, () => rewrite(resource, change));

/** The fields whose new values the log does not name. */
const secretsOf = remembered(({ fields }: Resource): readonly string[] =>
  [...fields].flatMap(([name, { writeOnly, ofRequest }]) => (writeOnly && !ofRequest ? [name] : [])),
);

async function rewrite(resource: Resource, change: Change): Promise<void> {
  const { next, previous = {}, garage } = change;
  // A rule or a hook may have given the old values back.
  if (isSame(next, previous)) return;
  const secrets = secretsOf(resource).filter((name) => next[name] !== undefined);
  await changeRow(garage, resource, { previous, next, secrets });
}

/** The locked row. Throws Problem: the owner has no such record 404, the caller means another version 412. */
export async function demandRecord<R extends Row>(
  garage: Garage,
  resource: Resource<R>,
  id: number,
  expect?: Expect,
): Promise<R & Identified> {
  return demanded(await lockRecord(garage, resource, id), id, expect);
}

/** The locked row and its locked parent. Throws as demandRecord. */
export async function demandWithParent<R extends Row>(
  garage: Garage,
  resource: Resource<R>,
  id: number,
  expect?: Expect,
): Promise<{ row: R & Identified; parent?: Parent | undefined }> {
  const parent = parentOf(resource);
  if (!parent) return { row: await demandRecord(garage, resource, id, expect) };
  const found = await lockWithParent(garage, resource, parent, id);
  const row = demanded(found?.row, id, expect);
  return { row, parent: found?.parent && { resource: parent, row: found.parent } };
}

function demanded<T extends Identified>(row: T | undefined, id: number, expect?: Expect): T {
  if (!row) throw problem('record_unknown', { field: 'id', value: id });
  demandVersion(row, expect);
  return row;
}

/** Throws Problem if the caller means another version. */
export function demandVersion({ version }: Identified, expect: Expect | undefined): void {
  if (expect && !expect(version)) throw problem('record_changed');
}

/** Locks the parent of a child. Undefined if the parent does not exist. */
async function lockParent(garage: Garage, child: Resource, values: Body): Promise<Parent | undefined> {
  const resource = parentOf(child);
  const id = values[child.traits.parent ?? ''];
  if (!resource || typeof id !== 'number' || !Number.isInteger(id)) return undefined;
  const row = await lockRecord(garage, resource, id);
  return row && { resource, row };
}

/** Runs a statement that a key may refuse. Throws Problem with the fields that are to blame. */
function write<T>(resource: Resource, change: Change, statement: () => Promise<T>): Promise<T> {
  return twice(statement, async (error) => {
    if (!isRefusedByKey(error)) throw error;
    refuse(await unknownReferences(resource, change));
    refuse(await duplicates(resource, change));
  });
}

/**
 * Runs a statement again if `explain` finds no reason for its error: another request has removed the reason in the
 * meantime.
 */
async function twice<T>(statement: () => Promise<T>, explain: (error: unknown) => Promise<void>): Promise<T> {
  try {
    return await statement();
  } catch (error) {
    await explain(error);
    return statement();
  }
}
