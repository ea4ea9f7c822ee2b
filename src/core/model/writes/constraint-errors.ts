// The database's foreign and unique keys decide on references, uniqueness and use. After a key has refused a statement,
// this file finds the fields that are to blame. An import asks before it writes, for many records at once.
import { about, type Problem, problem, type Violation, violation } from '../../errors.ts';
import { type Row, type Stored, uniqueWithin } from '../fields/field.ts';
import type { Change, Resource } from '../records/record.ts';
import { linksTo, resourceNamed } from '../records/registry.ts';
import type { Garage } from '../statements/garage.ts';

const REFUSALS: readonly unknown[] = ['ER_NO_REFERENCED_ROW_2', 'ER_DUP_ENTRY'];

/** Whether a key has refused a row: a reference leads nowhere, or another row has a unique value. */
export const isRefusedByKey = (error: unknown): boolean => REFUSALS.includes(codeOf(error));

/** Whether a key has refused a deletion: another record refers to the row. */
export const isInUse = (error: unknown): boolean => codeOf(error) === 'ER_ROW_IS_REFERENCED_2';

const codeOf = (error: unknown) => (error as { code?: unknown } | undefined)?.code;

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

/** The unique fields whose value another record has already. Each refusal names this record. */
export async function duplicates(
  resource: Resource,
  { garage, given, previous, next }: Change,
): Promise<Violation[]> {
  const code = previous ? 'value_duplicate_on_put' : 'value_duplicate';
  const found: Violation[] = [];
  for (const [field, compared] of uniqueValues(resource, next)) {
    const { unique, uniqueColumn } = resource.fields.get(field) ?? {};
    const others = withinUnique(resource, garage, unique)
      .where(uniqueColumn?.name ?? field, compared)
      .whereNot('id', previous?.id ?? 0);
    const within = uniqueWithin({ unique });
    if (within !== undefined) others.where(within, next[within] ?? null);
    const [holder] = await others.select('id').limit(1);
    const refused = violation(code, { field, value: given(field) ?? next[field] });
    if (holder) found.push(...heldBy(resource, field, holder.id, refused));
  }
  return found;
}

/** The refusal names the record that has the value, unless the record may belong to another owner. */
const heldBy = ({ name, fields }: Resource, field: string, id: unknown, refused: Violation): Violation[] =>
  fields.get(field)?.unique === 'all' ? [refused] : about(name, Number(id), [refused]);

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
    const rows = await records.select('id', column).whereIn(column, compared);
    const taken = new Map(rows.map((row) => [row[column], row.id]));
    holders.forEach((change, index) => {
      const id = taken.get(compared[index]);
      if (id === undefined) return;
      const refused = violation('value_duplicate', {
        field,
        value: change.given(field) ?? change.next[field],
      });
      found.get(change)?.push(...heldBy(resource, field, id, refused));
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
