// Finds the values of a row that the record does not have yet. A file that is sent again changes nothing, even if the
// records may not change any more: an invoice, or a blocked contact.
import { type Body, missingFields, readFields } from '../model/bodies/check.ts';
import type { Row, Stored } from '../model/fields/field.ts';
import { lockRecords } from '../model/lists/find.ts';
import type { Resource, Shape } from '../model/records/record.ts';
import type { Relation } from '../model/records/relation.ts';
import type { Garage } from '../model/statements/garage.ts';
import { childrenIn, childShapeIn } from '../model/writes/children.ts';

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
  const isHistory = (name: string) => {
    const field = resource.fields.get(name);
    return field?.history === true && !field.readonly;
  };
  // An old record keeps its numbers and dates: empty cells don't empty them.
  const row = without(given, (name) => isHistory(name) && given[name] === null);
  const kinds = childrenIn(resource, row);
  const names = kinds.map(({ name }) => name);
  const fields = without(row, (name) => names.includes(name));
  const hasChildren = await areSame(garage, { resource, kinds }, row, previous);
  if (hasChildren && isSame(resource, fields, previous)) return undefined;
  // A PUT does not take the fields of old records, not even with the same values.
  const isOwn = (name: string) => isHistory(name) && isSame(resource, { [name]: row[name] }, previous);
  return without(hasChildren ? fields : row, isOwn);
}

const without = (row: Body, leftOut: (name: string) => boolean): Body =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !leftOut(name)));

/** Whether the body is sound and the record has all of its values. */
function isSame(shape: Shape, body: Body, previous: Row): boolean {
  const { next, found } = readFields(shape, body, previous);
  return (
    found.length === 0 &&
    missingFields(shape, body, next, false).length === 0 &&
    Object.keys(next).every((column) => next[column] === previous[column])
  );
}

async function areSame(
  garage: Garage,
  { resource, kinds }: { readonly resource: Resource; readonly kinds: readonly Relation[] },
  row: Body,
  previous: Row,
): Promise<boolean> {
  for (const kind of kinds) {
    const given = row[kind.name];
    const shape = childShapeIn(resource, kind.other);
    const children = await lockChildren(garage, kind, previous.id ?? null);
    const same =
      Array.isArray(given) &&
      given.length === children.length &&
      children.every((child, index) => isSame(shape, Object(given[index]) as Body, child));
    if (!same) return false;
  }
  return true;
}

/** In the order of the row, in which they were added. */
async function lockChildren(garage: Garage, { other, field }: Relation, parent: Stored): Promise<Row[]> {
  const found = await other.model.of(garage).select('id').where(field, parent);
  if (found.length === 0) return [];
  const ids = found.map(({ id }) => id ?? null);
  const rows = await lockRecords(garage, other, 'id', ids);
  return rows.sort((one, another) => one.id - another.id);
}
