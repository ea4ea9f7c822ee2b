// The database's keys decide on references, uniqueness and use. Only after a key has refused a statement, this file
// finds the fields that are to blame.
import { type Code, type Problem, problem, type Violation, violation } from '../errors.ts';
import { unknownReferencesOfMany } from './many-keys.ts';
import type { Change, Resource } from './record.ts';
import { linksTo } from './registry.ts';
import type { Session } from './session.ts';

/** The references of the request to records that the owner does not have. */
export async function unknownReferences(resource: Resource, change: Change): Promise<Violation[]> {
  const { session, owner } = change;
  return (await unknownReferencesOfMany(session, resource, owner, [change])).get(change) ?? [];
}

/** The unique fields whose value another record has already. */
export async function duplicates(
  resource: Resource,
  { session, owner, given, previous, next }: Change,
): Promise<Violation[]> {
  const code: Code & `value_duplicate${string}` = previous ? 'value_duplicate_on_put' : 'value_duplicate';
  const found: Violation[] = [];
  for (const [name, { unique, uniqueColumn }] of resource.fields) {
    const value = next[name] ?? null;
    if (unique === undefined || value === null) continue;
    const others = resource.model
      .query(session.knex)
      .where(uniqueColumn?.name ?? name, uniqueColumn?.of(String(value)) ?? value)
      .whereNot('id', previous?.id ?? 0);
    if (unique !== 'all') others.modify('owned', owner);
    if (unique !== 'all' && unique !== 'owner') others.where(unique, next[unique] ?? null);
    if ((await others.resultSize()) > 0)
      found.push(violation(code, { field: name, value: given(name) ?? value }));
  }
  return found;
}

/** The first resource, alphabetically, that refers to the record. */
export async function useOf(
  session: Session,
  resource: Resource,
  owner: number,
  id: number,
): Promise<Problem | undefined> {
  for (const { from, field } of linksTo(resource)) {
    const user = await from.model.query(session.knex).select('id').modify('owned', owner).findOne(field, id);
    if (user) return problem('record_in_use', { field: 'id', resource: from.name });
  }
  return undefined;
}
