// The database's foreign and unique keys decide on references, uniqueness and use. After a key has refused a statement,
// this file finds the fields that are to blame. An import asks before it writes, for many records at once.
import { type Problem, problem, type Violation, violation } from '../../errors.ts';
import type { Row, Stored } from '../fields/field.ts';
import type { Change, Resource } from '../records/record.ts';
import { linksTo, resourceNamed } from '../records/registry.ts';
import type { Garage } from '../statements/garage.ts';

const REFUSALS: readonly unknown[] = ['ER_NO_REFERENCED_ROW_2', 'ER_DUP_ENTRY'];

/** Whether a key has refused a row: a reference leads nowhere, or another row has a unique value. */
export const isRefusedByKey = (error: unknown): boolean =>
  REFUSALS.includes((error as { code?: unknown } | undefined)?.code);

/** The references of the request to records that the owner does not have. */
export async function unknownReferences(resource: Resource, change: Change): Promise<Violation[]> {
  const { garage } = change;
  return (await unknownReferencesOfMany(garage, resource, [change])).get(change) ?? [];
}

/** The same for many changes: one statement for each reference. */
async function unknownReferencesOfMany(
  garage: Garage,
  { fields }: Resource,
  changes: readonly Change[],
): Promise<Map<Change, Violation[]>> {
  const found = new Map<Change, Violation[]>(changes.map((change) => [change, []]));
  for (const [name, { reference }] of fields) {
    if (reference === undefined) continue;
    const referring = changes.filter(({ next, given }) => next[name] != null && given(name) !== undefined);
    if (referring.length === 0) continue;
    const ids = new Set(referring.map(({ next }) => next[name] ?? null));
    const rows = await resourceNamed(reference)
      .model.of(garage)
      .select('id')
      .whereIn('id', [...ids]);
    const known = new Set(rows.map(({ id }) => id));
    for (const change of referring) {
      const value = change.next[name];
      if (!known.has(value)) found.get(change)?.push(violation('reference_unknown', { field: name, value }));
    }
  }
  return found;
}

/** The unique fields whose value another record has already. */
export async function duplicates(
  resource: Resource,
  { garage, given, previous, next }: Change,
): Promise<Violation[]> {
  const code = previous ? 'value_duplicate_on_put' : 'value_duplicate';
  const found: Violation[] = [];
  for (const [field, compared] of uniqueValues(resource, next)) {
    const { unique = '', uniqueColumn } = resource.fields.get(field) ?? {};
    const others = withinUnique(resource, garage, unique)
      .where(uniqueColumn?.name ?? field, compared)
      .whereNot('id', previous?.id ?? 0);
    if (unique !== 'all' && unique !== 'owner') others.where(unique, next[unique] ?? null);
    if ((await others.resultSize()) > 0)
      found.push(violation(code, { field, value: given(field) ?? next[field] }));
  }
  return found;
}

/** The unique fields of a record that have a value, and the values as they are compared. */
export function uniqueValues({ fields }: Resource, record: Row): Map<string, Stored> {
  const values = new Map<string, Stored>();
  for (const [name, { unique, uniqueColumn }] of fields) {
    const value = record[name] ?? null;
    if (unique === undefined || value === null) continue;
    const compared = uniqueColumn ? uniqueColumn.of(String(value), record) : value;
    if (compared !== null) values.set(name, compared);
  }
  return values;
}

/**
 * Looks up the refusals by keys for each new record of an owner: unknown references, or else values that another record
 * has. Only for fields that are unique among all records of the owner or of everybody.
 */
export async function refusalsOf(
  garage: Garage,
  resource: Resource,
  changes: readonly Change[],
): Promise<Map<Change, Violation[]>> {
  const found = await unknownReferencesOfMany(garage, resource, changes);
  const sound = changes.filter((change) => found.get(change)?.length === 0);
  const values = new Map(sound.map((change) => [change, uniqueValues(resource, change.next)]));
  for (const [field, { unique, uniqueColumn }] of resource.fields) {
    const holders = sound.filter((change) => values.get(change)?.has(field));
    if (holders.length === 0) continue;
    const column = uniqueColumn?.name ?? field;
    const records = withinUnique(resource, garage, unique);
    const compared = holders.map((change) => values.get(change)?.get(field) ?? null);
    const rows = await records.select(column).whereIn(column, compared);
    const taken = new Set(rows.map((row) => row[column]));
    holders.forEach((change, index) => {
      if (!taken.has(compared[index])) return;
      const value = change.given(field) ?? change.next[field];
      found.get(change)?.push(violation('value_duplicate', { field, value }));
    });
  }
  return found;
}

/** The first resource, alphabetically, that refers to the record. */
export async function useOf(garage: Garage, resource: Resource, id: number): Promise<Problem | undefined> {
  for (const { from, field } of linksTo(resource)) {
    const user = await from.model.of(garage).select('id').findOne(field, id);
    if (user) return problem('record_in_use', { field: 'id', resource: from.name });
  }
  return undefined;
}

/** The records among which a value is unique: of the owner, or of all. */
const withinUnique = ({ model }: Resource, garage: Garage, unique: string | undefined) =>
  unique === 'all' ? model.ofAllOwners('engine', garage) : model.of(garage);
