// What the database's keys would refuse of many records, found with one statement for each reference and each unique
// field. keys.ts asks for one record, after a key has refused it.
import { type Violation, violation } from '../errors.ts';
import type { Stored } from './field.ts';
import type { Change, Resource } from './record.ts';
import { resourceNamed } from './registry.ts';
import type { Session } from './session.ts';

/** The refusals of each of the new records of an owner: unknown references, or else values that another record has. */
export async function refusalsOf(
  session: Session,
  resource: Resource,
  owner: number,
  changes: readonly Change[],
): Promise<Map<Change, Violation[]>> {
  const found = await unknownReferencesOfMany(session, resource, owner, changes);
  const sound = new Map([...found].filter(([, violations]) => violations.length === 0));
  await addDuplicates(session, resource, owner, sound);
  return found;
}

type Found = ReadonlyMap<Change, Violation[]>;

/** The references of each change to records that the owner does not have. */
export async function unknownReferencesOfMany(
  session: Session,
  { fields }: Resource,
  owner: number,
  changes: readonly Change[],
): Promise<Map<Change, Violation[]>> {
  const found = new Map<Change, Violation[]>(changes.map((change) => [change, []]));
  for (const [name, { reference }] of fields) {
    if (reference === undefined) continue;
    const referring = [...found].filter(
      ([{ next, given }]) => next[name] != null && given(name) !== undefined,
    );
    if (referring.length === 0) continue;
    const rows = await resourceNamed(reference)
      .model.query(session.knex)
      .select('id')
      .modify('owned', owner)
      .whereIn('id', [...new Set(referring.map(([{ next }]) => Number(next[name])))]);
    const known = new Set(rows.map(({ id }) => Number(id)));
    for (const [{ next }, violations] of referring) {
      const value = Number(next[name]);
      if (!known.has(value)) violations.push(violation('reference_unknown', { field: name, value }));
    }
  }
  return found;
}

/** The unique fields of a record and their values, as they are compared. Only fields that are unique for themselves. */
export function uniqueValues({ fields }: Resource, { next }: Pick<Change, 'next'>): Map<string, Stored> {
  const values = new Map<string, Stored>();
  for (const [name, { unique, uniqueColumn }] of fields) {
    const value = next[name] ?? null;
    if (unique === undefined || value === null) continue;
    values.set(name, uniqueColumn?.of(String(value)) ?? value);
  }
  return values;
}

async function addDuplicates(
  session: Session,
  resource: Resource,
  owner: number,
  found: Found,
): Promise<void> {
  const byField = new Map<string, [Change, Violation[], Stored][]>();
  for (const [change, violations] of found) {
    for (const [name, value] of uniqueValues(resource, change)) {
      const holders = byField.get(name) ?? [];
      holders.push([change, violations, value]);
      byField.set(name, holders);
    }
  }
  for (const [name, holders] of byField) {
    const { unique, uniqueColumn } = resource.fields.get(name) ?? {};
    const column = uniqueColumn?.name ?? name;
    const query = resource.model
      .query(session.knex)
      .select(column)
      .whereIn(
        column,
        holders.map(([, , value]) => value),
      );
    const rows = await (unique === 'all' ? query : query.modify('owned', owner));
    const taken = new Set(rows.map((row) => row[column]));
    for (const [{ next, given }, violations, value] of holders) {
      if (!taken.has(value)) continue;
      violations.push(violation('value_duplicate', { field: name, value: given(name) ?? next[name] }));
    }
  }
}
