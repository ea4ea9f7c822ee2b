// Adds, changes and deletes one record inside a transaction. The checks have the order of the contract: existence, state,
// body, rules, write. The database's keys check references and uniqueness, so a good request pays for no look-up.
import { problem } from '../errors.ts';
import { type Body, checkFields, checkRules, refuse } from './check.ts';
import { duplicates, unknownReferences, useOf } from './constraint-errors.ts';
import { numberRecords } from './counter.ts';
import type { Row } from './field.ts';
import { lockRecord } from './find.ts';
import { prepared } from './prepared.ts';
import type { Change, Resource, Traits } from './record.ts';
import { isOwnName, linksTo, resourceNamed } from './registry.ts';
import type { Session } from './session.ts';
import { changeRow, deleteRows, insertRow } from './write.ts';

/** Whether the caller means a record of this version (If-Match). */
export type Expect = (version: number) => boolean;

/** Adds a record. Throws Problem: state of the parent 409, body 403, references 404, uniqueness 409. */
export async function addRecord<R extends Row>(
  session: Session,
  resource: Resource<R>,
  owner: number,
  body: Body,
): Promise<R> {
  const parent = await lockParent(session, resource, owner, body[resource.traits.parent ?? '']);
  if (parent) refuseState(resourceNamed(parentOf(resource) ?? ''), parent, {}, resource.traits.frozenBy);
  const next = checkFields(resource, body, undefined);
  const change: Change = { next, given: (field) => body[field], owner, session, parent };
  await checkRules(resource, change);
  if (resource.traits.parent && !parent) refuse(await unknownReferences(resource, change));
  await insertRecord(resource, change);
  await resource.hooks.after?.(change);
  return next as R;
}

/** Inserts a record that passed all checks but those of the database's keys. The caller runs the hook `after`. */
export async function insertRecord(resource: Resource, change: Change): Promise<void> {
  const { next, owner, session } = change;
  await numberRecords(session, owner, resource, [next]);
  await resource.hooks.before?.(change);
  await write(resource, change, () => insertRow(session, resource, owner, next));
}

/** Changes the fields that the body names. Writes nothing if no value changes. Throws Problem. */
export async function changeRecord<R extends Row>(
  session: Session,
  resource: Resource<R>,
  owner: number,
  id: number,
  body: Body,
  expect?: Expect,
): Promise<R> {
  const previous = await demandRecord(session, resource, owner, id, expect);
  const parent = await lockParent(session, resource, owner, previous[resource.traits.parent ?? '']);
  refuseState(resource, previous, body);
  if (parent) refuseFrozen(resourceNamed(parentOf(resource) ?? ''), parent, {}, resource.traits.frozenBy);
  const next = checkFields(resource, body, previous);
  if (Object.keys(next).every((column) => next[column] === previous[column])) return previous;
  const change: Change = { next, previous, given: (field) => body[field], owner, session, parent };
  await checkRules(resource, change);
  await resource.hooks.before?.(change);
  await update(resource, change);
  await resource.hooks.after?.(change);
  return next as R;
}

/** Deletes a record. Throws Problem: unknown 404, state 409, in use 406. */
export async function deleteRecord(
  session: Session,
  resource: Resource,
  owner: number,
  id: number,
  expect?: Expect,
): Promise<void> {
  const row = await demandRecord(session, resource, owner, id, expect);
  const parent = await lockParent(session, resource, owner, row[resource.traits.parent ?? '']);
  if (row.is_system === 1) throw problem('record_system_delete');
  refuseState(resource, row, {});
  if (parent) refuseFrozen(resourceNamed(parentOf(resource) ?? ''), parent, {}, resource.traits.frozenBy);
  refuse([(await resource.hooks.keeps?.(row, session, owner, parent)) ?? []].flat());
  await deleteAnnexes(session, resource, owner, id);
  const refused = async (error: unknown) => {
    if (errorCode(error) !== 'ER_ROW_IS_REFERENCED_2') throw error;
    const use = await useOf(session, resource, owner, id);
    if (use) throw use;
  };
  await twice(() => deleteRows(session, resource, owner, [row]), refused);
  await resource.hooks.afterDelete?.({
    next: row,
    previous: row,
    given: () => undefined,
    owner,
    session,
    parent,
  });
}

/** Writes the change of a locked row. Throws Problem with the fields that a key refuses. */
export async function update(resource: Resource, change: Change): Promise<void> {
  const { next, previous = {}, owner, session } = change;
  const secrets = writeOnlyFields(resource).filter((name) => change.given(name) !== undefined);
  await write(resource, change, () => changeRow(session, resource, owner, { previous, next, secrets }));
}

/** The locked row. Throws 404 if the owner has no such record, 412 if the caller means another version. */
export async function demandRecord<R extends Row>(
  session: Session,
  resource: Resource<R>,
  owner: number,
  id: number,
  expect?: Expect,
): Promise<R> {
  const row = await lockRecord(session, resource, owner, id);
  if (!row) throw problem('record_unknown', { field: 'id', value: id });
  if (expect && !expect(Number(row.version))) throw problem('record_changed');
  return row;
}

/**
 * Refuses changes that the state of the record forbids. Only the field that lifts the state may change. `frozen` is that
 * of the resource, unless a child has its own idea of its parent's states (Traits.frozenBy).
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
export const parentOf = ({ fields, traits }: Resource) => fields.get(traits.parent ?? '')?.reference;

async function lockParent(
  session: Session,
  resource: Resource,
  owner: number,
  id: unknown,
): Promise<Row | undefined> {
  const parent = parentOf(resource);
  return parent !== undefined && Number.isInteger(id)
    ? lockRecord(session, resourceNamed(parent), owner, Number(id))
    : undefined;
}

const writeOnlyFields = ({ fields }: Resource): string[] =>
  [...fields].filter(([, { writeOnly }]) => writeOnly).map(([name]) => name);

/** Runs a statement that a key may refuse. Throws Problem with the fields that are to blame. */
function write<T>(resource: Resource, change: Change, statement: () => Promise<T>): Promise<T> {
  return twice(statement, async (error) => {
    const code = errorCode(error);
    if (code !== 'ER_NO_REFERENCED_ROW_2' && code !== 'ER_DUP_ENTRY') throw error;
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
async function deleteAnnexes(session: Session, resource: Resource, owner: number, id: number): Promise<void> {
  for (const { from, field } of linksTo(resource)) {
    if (from.methods.length > 0 || !isOwnName(resource, field)) continue;
    await prepared(`delete ${from.name} of ${field}`, (mark) =>
      from.model.query().delete().modify('owned', mark('owner')).where(field, mark('id')),
    ).write(session, owner, { id });
  }
}
