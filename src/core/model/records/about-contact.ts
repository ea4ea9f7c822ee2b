// Finds the contact whom a record is about at the moment of its change. The log keeps the contact's ID, so the change
// is found even after the record is deleted.

import type { Row } from '../fields/field.ts';
import type { Garage } from '../statements/garage.ts';
import { remembered } from '../statements/remembered.ts';
import { aboutOf, hasPersonalFields } from './about.ts';
import type { Resource } from './record.ts';
import { resourceNamed } from './registry.ts';

/** The ways past the contact's own column; none if the records hold no personal data, as lines of orders. */
const furtherWays = remembered((resource: Resource): readonly string[] =>
  hasPersonalFields(resource) ? (aboutOf(resource)?.through ?? []) : [],
);

/** One ID for each row; null: about nobody, or about the holder of a vehicle, who changes. */
export async function contactsBehind(
  garage: Garage,
  resource: Resource,
  rows: readonly Row[],
): Promise<(number | null)[]> {
  const column = aboutOf(resource)?.contact;
  const contacts = rows.map((row) => (column === undefined ? null : (row[column] ?? null)) as number | null);
  for (const field of furtherWays(resource)) {
    const open = rows.map((row, index) => (contacts[index] === null ? (row[field] ?? null) : null));
    const found = await contactsOfTargets(garage, resource, { field, ids: open });
    open.forEach((id, index) => {
      contacts[index] ??= found.get(Number(id)) ?? null;
    });
  }
  return contacts;
}

/** The contacts of the records that a reference leads to, by the IDs of these records. */
async function contactsOfTargets(
  garage: Garage,
  { fields }: Resource,
  { field, ids }: { readonly field: string; readonly ids: readonly Row[string][] },
): Promise<Map<number, number | null>> {
  const target = resourceNamed(fields.get(field)?.reference ?? '');
  const { contact, through = [] } = aboutOf(target) ?? {};
  const columns = [...(contact === undefined ? [] : [contact]), ...through];
  const wanted = [...new Set(ids.filter((id) => id !== null))];
  if (wanted.length === 0 || columns.length === 0) return new Map();
  const rows: Row[] = await target.model
    .of(garage)
    .select('id', ...columns)
    .whereIn('id', wanted);
  const contacts = await contactsBehind(garage, target, rows);
  return new Map(rows.map(({ id }, index) => [Number(id), contacts[index] ?? null]));
}
