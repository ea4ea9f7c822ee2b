// Adds, changes and deletes one record inside a transaction. The checks have the order of the contract: existence,
// state, body, rules, write. The database's keys check references and uniqueness, so a good request pays for no
// look-up.
import { problem } from '../../errors.ts';
import { type Body, checkFields, checkRules, refuse } from '../bodies/check.ts';
import type { Row } from '../fields/field.ts';
import { type Identified, lockRecord, lockWithParent } from '../lists/find.ts';
import { numberRecords } from '../records/counter.ts';
import type { Change, Resource } from '../records/record.ts';
import { isOwnName, linksTo, resourceNamed } from '../records/registry.ts';
import type { Traits } from '../records/traits.ts';
import type { Garage } from '../statements/garage.ts';
import { prepared } from '../statements/prepared.ts';
import { duplicates, isRefusedByKey, unknownReferences, useOf } from './constraint-errors.ts';
import { changeRow, deleteRows, insertRow, insertRows } from './write.ts';

/** Whether the caller means a record of this version (If-Match). */
export type Expect = (version: number) => boolean;

/** The locked parent of a child. */
interface Parent {
  readonly resource: Resource;
  readonly row: Row;
}

/** Adds a record. Throws Problem: state of the parent 409, body 403, references 404, uniqueness 409. */
export async function addRecord<R extends Row>(
  garage: Garage,
  resource: Resource<R>,
  body: Body,
): Promise<R> {
  const parent = await lockParent(garage, resource, body);
  if (parent) refuseState(parent.resource, parent.row, {}, frozenBy(resource));
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

/** Inserts completed records of one garage by one statement. False: a key refused one of them, so none is there. */
export async function insertTogether(resource: Resource, changes: readonly Change[]): Promise<boolean> {
  const [first] = changes;
  if (!first) return true;
  try {
    await insertRows(
      first.garage,
      resource,
      changes.map(({ next }) => next),
    );
    return true;
  } catch (error) {
    if (isRefusedByKey(error)) return false;
    throw error;
  }
}

/**
 * Changes the fields that the body names. Writes nothing if no value changes. `prepared`: what the resource's hook
 * `prepare` made of the body. Throws Problem.
 */
export async function changeRecord<R extends Row>(
  garage: Garage,
  resource: Resource<R>,
  id: number,
  body: Body,
  expect?: Expect,
  prepared?: unknown,
): Promise<R> {
  const { row: previous, parent } = await demandFamily(garage, resource, id, expect);
  refuseState(resource, previous, body);
  if (parent) refuseFrozen(parent.resource, parent.row, {}, frozenBy(resource));
  const next = checkFields(resource, body, previous);
  if (Object.keys(next).every((column) => next[column] === previous[column])) return previous;
  const given = (field: string) => body[field];
  const change: Change = { next, previous, given, garage, parent: parent?.row, prepared };
  await checkRules(resource, change);
  await resource.hooks.before?.(change);
  await update(resource, change);
  await checkLateRules(resource, change);
  await resource.hooks.after?.(change);
  return next as R;
}

/** Changes a locked record because another one has changed: its hooks run, and no rule judges the change. */
export async function changeAlong(resource: Resource, change: Change): Promise<void> {
  await resource.hooks.before?.(change);
  await update(resource, change);
  await resource.hooks.after?.(change);
}

/** Throws Problem with the violations of the first stage that finds any. */
async function checkLateRules({ hooks }: Resource, change: Change): Promise<void> {
  for (const rule of hooks.lateRules ?? []) refuse([(await rule(change)) ?? []].flat());
}

/** Deletes a record. Throws Problem: unknown 404, state 409, in use 406. */
export async function deleteRecord(
  garage: Garage,
  resource: Resource,
  id: number,
  expect?: Expect,
): Promise<void> {
  const { row, parent } = await demandFamily(garage, resource, id, expect);
  if (row.is_system === 1) throw problem('record_system_delete');
  refuseState(resource, row, {});
  if (parent) refuseFrozen(parent.resource, parent.row, {}, frozenBy(resource));
  refuse([(await resource.hooks.keeps?.(row, garage, parent?.row)) ?? []].flat());
  await deleteAnnexes(garage, resource, id);
  const explain = async (error: unknown) => {
    if (errorCode(error) !== 'ER_ROW_IS_REFERENCED_2') throw error;
    const use = await useOf(garage, resource, id);
    if (use) throw use;
  };
  await twice(() => deleteRows(garage, resource, [row]), explain);
  const given = () => undefined;
  await resource.hooks.afterDelete?.({ next: row, previous: row, given, garage, parent: parent?.row });
}

/** Writes the change of a locked row. Throws Problem with the fields that a key refuses. */
export async function update(resource: Resource, change: Change): Promise<void> {
  const { next, previous = {}, garage } = change;
  const secrets = [...resource.fields]
    .filter(([name, { writeOnly, ofRequest }]) => writeOnly && !ofRequest && change.given(name) !== undefined)
    .map(([name]) => name);
  await write(resource, change, () => changeRow(garage, resource, { previous, next, secrets }));
}

/** The locked row. Throws 404 if the owner has no such record, 412 if the caller means another version. */
export async function demandRecord<R extends Row>(
  garage: Garage,
  resource: Resource<R>,
  id: number,
  expect?: Expect,
): Promise<R & Identified> {
  return demanded(await lockRecord(garage, resource, id), id, expect);
}

/** The locked row and its locked parent. Throws as demandRecord. */
async function demandFamily<R extends Row>(
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
  if (expect && !expect(row.version)) throw problem('record_changed');
  return row;
}

/**
 * Refuses changes that the state of the record forbids. Only the field that lifts the state may change. `frozen` is
 * that of the resource, unless a child has its own idea of its parent's states (Traits.frozenBy).
 */
export function refuseState(resource: Resource, row: Row, body: Body, frozen?: Traits['frozen']): void {
  const only = (field: string) =>
    Object.keys(body)
      .filter((name) => name !== 'id')
      .every((name) => name === field) && Object.hasOwn(body, field);
  if (row.is_system === 1) throw problem('record_system');
  // A cancelled order that is blocked can be unblocked, and then reopened.
  if (row.is_blocked === 1) {
    if (!only('is_blocked')) throw problem('record_blocked');
  } else if (row.is_archived === 1) {
    if (!only('is_archived')) throw problem('record_archived');
  } else refuseFrozen(resource, row, body, frozen);
}

const frozenBy = ({ traits }: Resource): Traits['frozen'] =>
  traits.frozenBy === 'nothing' ? () => undefined : traits.frozenBy;

function refuseFrozen(
  { name, traits }: Resource,
  row: Row,
  body: Body,
  frozen: Traits['frozen'] = traits.frozen,
): void {
  const state = frozen?.(row);
  if (state !== undefined && !traits.thaws?.(row, body))
    throw problem('record_frozen', { resource: name, state });
}

/** The resource of the parent. */
export function parentOf({ fields, traits }: Resource): Resource | undefined {
  const { reference } = fields.get(traits.parent ?? '') ?? {};
  return reference === undefined ? undefined : resourceNamed(reference);
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

const errorCode = (error: unknown) => (error as { code?: string }).code;

/** Records that have no endpoint go with the record that they belong to: nobody could delete them first. */
async function deleteAnnexes(garage: Garage, resource: Resource, id: number): Promise<void> {
  for (const { from, field } of linksTo(resource)) {
    if (from.methods.length > 0 || !isOwnName(resource, field)) continue;
    await prepared(`delete ${from.name} of ${field}`, (mark) =>
      from.model.ofMarked(mark).delete().where(field, mark('id')),
    ).write(garage, { id });
  }
}
