// Writes a record together with the children of its body. Parent and children pass each stage of the checks together: a
// stage collects the violations of all of them, and a later stage counts only if the earlier stages found nothing.
// Rules judge the children as they will be after the request.
import { type Body, refuse } from '../bodies/check.ts';
import type { Row } from '../fields/field.ts';
import type { Family } from '../lists/expand.ts';
import { type Identified, lockChildren } from '../lists/find.ts';
import type { Change, Resource } from '../records/record.ts';
import type { Relation } from '../records/relation.ts';
import type { Garage } from '../statements/garage.ts';
import { asWritten } from './change-log.ts';
import { bodiesOf, childrenIn, type Known, readFamily, refuseStates } from './children.ts';
import { Found, judge, writtenLater } from './stages.ts';
import { stateRefusal } from './state.ts';
import { addRecord, changeLocked, insertRecord, isSame, updateRecord } from './store.ts';
import { writeChildren } from './write-children.ts';

const NONE_KNOWN: Known = new Map();

/**
 * Adds a record and the children that its body holds, each kind of children by one statement. `isKeyed`: each child
 * needs an external_id. Answers the rows as the transaction has written them last. Throws Problem as `addRecord` does,
 * for each of them.
 */
export async function addFamily(
  garage: Garage,
  resource: Resource,
  body: Body,
  { isKeyed = false }: { readonly isKeyed?: boolean } = {},
): Promise<Family> {
  const kinds = childrenIn(resource, body);
  if (kinds.length === 0) return { row: await addRecord(garage, resource, body), children: new Map() };
  const reading = isKeyed ? { kinds, known: NONE_KNOWN } : { kinds };
  const { next, children } = readFamily(resource, body, reading);
  const change: Change = { next, given: (field) => body[field], garage };
  const found = new Found();
  const isAdded = await judge(found, { resource, change, write: insertRecord });
  const parent = { garage, kinds, parentOf: () => next, isNew: true, isWritten: isAdded };
  const written = await writeChildren(found, children, parent);
  found.refuse();
  await resource.hooks.after?.(change);
  await runAfter(written);
  return {
    row: asWritten(garage, resource, next),
    children: new Map(
      [...written].map(([kind, changes]) => [
        kind,
        changes.map((one) => asWritten(garage, kind.other, one.next)),
      ]),
    ),
  };
}

/**
 * Changes a locked record, and adds or changes the children that its body holds by their external_id; other children
 * stay. Answers the record as the transaction has written it last. Throws Problem as PUT and POST of each record do.
 */
export async function changeFamily(
  garage: Garage,
  resource: Resource,
  previous: Row & Identified,
  body: Body,
): Promise<Row> {
  const kinds = childrenIn(resource, body);
  if (kinds.length === 0) return changeLocked(garage, resource, { row: previous }, body);
  refuseStateOfParent(resource, previous, body);
  const known = await lockKnown(garage, kinds, previous, body);
  refuseStates(body, known);
  const { next, children } = readFamily(resource, body, { previous, kinds, known });
  const change: Change = { next, previous, given: (field) => body[field], garage };
  const isLast = freezes(resource, next, previous) && kinds.some(({ other }) => isBound(other));
  const isFirst = !isLast && !isSame(next, previous);
  const found = new Found();
  for (const [{ other }, rows] of known) for (const row of rows.values()) found.addOwn(other, row);
  const isSound = isFirst
    ? await judge(found, { resource, change, write: updateRecord })
    : !isLast || (await judge(found, { resource, change, write: writtenLater }));
  // Children that the state of the parent does not bind take their contact and vehicle from it as it will be.
  const parentOf = ({ other }: Relation) => (isFirst || !isBound(other) ? next : previous);
  const parent = { garage, kinds, parentOf, isNew: false, isWritten: isSound };
  const written = await writeChildren(found, children, parent);
  found.refuse();
  // The parent has the sums of its children by then.
  await runAfter(written);
  if (isFirst) await resource.hooks.after?.(change);
  const row = asWritten(garage, resource, isFirst ? next : previous);
  return isLast ? changeLocked(garage, resource, { row }, fieldsIn(body, kinds)) : row;
}

/** The body without its children. */
function fieldsIn(body: Body, kinds: readonly Relation[]): Body {
  const names = kinds.map(({ name }) => name);
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}

/** Whether the state of the parent binds children of this kind. Appointments of an invoice may change. */
const isBound = ({ traits }: Resource): boolean => traits.frozenBy !== 'nothing';

/**
 * Whether the change of a parent ends the changes of its children, as an invoice does. The children then go first: the
 * invoice has the lines of the request.
 */
const freezes = ({ traits }: Resource, next: Row, previous: Row): boolean =>
  traits.frozen?.(next) !== undefined && traits.frozen(previous) === undefined;

/** A frozen parent takes children that its state does not bind, if the body names nothing else. */
function refuseStateOfParent(resource: Resource, row: Row, body: Body): void {
  const free = childrenIn(resource, body).filter(({ other }) => !isBound(other));
  const isOfFree = Object.keys(body).length === free.length;
  refuse(stateRefusal(resource, row, body, isOfFree ? () => undefined : undefined));
}

/** Locks the children that the body names by their keys, each kind by one statement. */
async function lockKnown(
  garage: Garage,
  kinds: readonly Relation[],
  { id: parent }: Identified,
  body: Body,
): Promise<Known> {
  const known = new Map<Relation, ReadonlyMap<unknown, Row>>();
  for (const kind of kinds) {
    const keys = bodiesOf(kind, body).flatMap(({ child: { external_id: key } }) =>
      typeof key === 'string' ? [key] : [],
    );
    const { other, field } = kind;
    const rows = keys.length === 0 ? [] : await lockChildren(garage, other, { field, parent, keys });
    // The database takes keys that differ in blanks at the end for the same.
    const named = rows.filter(({ external_id }) => keys.includes(String(external_id)));
    known.set(kind, new Map(named.map((row) => [row.external_id, row])));
  }
  return known;
}

async function runAfter(written: ReadonlyMap<Relation, readonly Change[]>): Promise<void> {
  for (const [{ other }, changes] of written) {
    if (changes.length === 0) continue;
    if (other.hooks.afterAll) await other.hooks.afterAll(changes);
    else for (const change of changes) await other.hooks.after?.(change);
  }
}
