// Finds the values of a row that the record does not have yet. A file that is sent again changes nothing, even if the
// records may not change any more: an invoice, or a blocked contact.
import { type Body, isBody, missingFields, readFields } from '../../core/model/bodies/check.ts';
import type { Row, Stored } from '../../core/model/fields/field.ts';
import { lockRecords } from '../../core/model/lists/find.ts';
import type { Resource, Shape } from '../../core/model/records/record.ts';
import type { Relation } from '../../core/model/records/relation.ts';
import type { Garage } from '../../core/model/statements/garage.ts';
import { childrenIn, childShapeIn } from '../../core/model/writes/children.ts';
import { isSame } from '../../core/model/writes/store.ts';

/**
 * The part of a row that a PUT has to write; undefined: the record has all of it. `resource`: as `importShape` makes
 * it.
 */
export async function changesOf(
  garage: Garage,
  resource: Resource,
  given: Body,
  previous: Row,
): Promise<Body | undefined> {
  const row = withoutEmptyHistory(resource, given);
  const kinds = new Map(childrenIn(resource, row).map((kind) => [kind.name, kind]));
  const fields = without(row, (name) => kinds.has(name));
  const own = withoutOwn(resource, fields, previous);
  const changes: [string, unknown][] = [];
  let hasAll = hasAllOf(resource, fields, previous);
  for (const [name, value] of Object.entries(row)) {
    const kind = kinds.get(name);
    const left = kind ? await childrenToWrite(garage, { resource, kind }, value, previous) : own[name];
    if (kind && left !== undefined) hasAll = false;
    if (left !== undefined) changes.push([name, left]);
  }
  return hasAll ? undefined : Object.fromEntries(changes);
}

const without = (row: Body, leftOut: (name: string) => boolean): Body =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !leftOut(name)));

/** Whether only an import of old records may give the field. */
function isOfHistory(shape: Shape, name: string): boolean {
  const field = shape.fields.get(name);
  return field?.history === true && !field.readonly;
}

/** An old record keeps its numbers, dates and amounts: empty cells don't empty them. */
const withoutEmptyHistory = (shape: Shape, row: Body): Body =>
  without(row, (name) => isOfHistory(shape, name) && row[name] === null);

/** A PUT does not take the fields of old records, not even with the same values. */
const withoutOwn = (shape: Shape, body: Body, previous: Row): Body =>
  without(body, (name) => isOfHistory(shape, name) && hasAllOf(shape, { [name]: body[name] }, previous));

/** Whether the body is sound and the record has all of its values. */
function hasAllOf(shape: Shape, body: Body, previous: Row): boolean {
  const { next, found } = readFields(shape, body, previous);
  return found.length === 0 && missingFields(shape, body, next, false).length === 0 && isSame(next, previous);
}

interface Kind {
  readonly resource: Resource;
  readonly kind: Relation;
}

/**
 * The children of a row, each that the record has already with its key alone, so that the others keep their places.
 * Undefined: the record has all of them.
 */
async function childrenToWrite(
  garage: Garage,
  { resource, kind }: Kind,
  sent: unknown,
  previous: Row,
): Promise<unknown> {
  if (sent === null) return undefined;
  if (!Array.isArray(sent) || sent.length === 0) return sent;
  const shape = childShapeIn(resource, kind.other);
  const given = sent.map((child: unknown) => (isBody(child) ? withoutEmptyHistory(shape, child) : child));
  const stored = await lockChildren(garage, kind, previous.id ?? null);
  // Children without keys are the same if all of them are, in the order in which they were added.
  const isAll =
    given.length === stored.length &&
    stored.every((child, index) => {
      const body: unknown = given[index];
      return isBody(body) && hasAllOf(shape, body, child);
    });
  if (isAll) return undefined;
  const byKey = new Map(stored.map((child) => [child.external_id, child]));
  let hasAll = true;
  const left = given.map((child: unknown) => {
    const { external_id } = isBody(child) ? child : {};
    const known = typeof external_id === 'string' ? byKey.get(external_id) : undefined;
    if (known && isBody(child) && hasAllOf(shape, child, known)) return { external_id };
    hasAll = false;
    return known && isBody(child) ? withoutOwn(shape, child, known) : child;
  });
  return hasAll ? undefined : left;
}

/** In the order in which they were added. */
async function lockChildren(garage: Garage, { other, field }: Relation, parent: Stored): Promise<Row[]> {
  const found = await other.model.of(garage).select('id').where(field, parent);
  if (found.length === 0) return [];
  const ids = found.map(({ id }) => id ?? null);
  const rows = await lockRecords(garage, other, 'id', ids);
  return rows.sort((one, another) => one.id - another.id);
}
