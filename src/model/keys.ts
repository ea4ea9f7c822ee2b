// The database's keys have the last word on references, uniqueness and use. Which fields a refusal means is looked
// up here, and only then.
import { type Code, type Problem, problem, type Violation, violation } from '../errors.ts';
import type { Row, Stored } from './field.ts';
import { type Change, ownerCondition, ownerValues, type Resource } from './record.ts';
import { linksTo, resourceNamed } from './registry.ts';
import type { Session } from './session.ts';

/** The owner's condition with its AND, to stand before another one. */
export const owned = (resource: Resource) => {
  const condition = ownerCondition(resource);
  return condition === '' ? '' : `${condition} AND `;
};

/** The references that the request gives and the owner has no record of. */
export async function unknownReferences(
  resource: Resource,
  { session, owner, given }: Change,
  next: Row,
): Promise<Violation[]> {
  const found: Violation[] = [];
  for (const [name, { reference }] of resource.fields) {
    const value = next[name] ?? null;
    if (reference === undefined || value === null || given(name) === undefined) continue;
    const other = resourceNamed(reference);
    const rows = await session.rows(`SELECT id FROM ${other.table} WHERE ${owned(other)}id = ?`, [
      ...ownerValues(other, owner),
      value,
    ]);
    if (rows.length === 0) found.push(violation('reference_unknown', { field: name, value }));
  }
  return found;
}

/** The unique fields whose value another record has. */
export async function duplicates(
  resource: Resource,
  { session, owner, given, previous }: Change,
  next: Row,
): Promise<Violation[]> {
  const code: Code & `value_duplicate${string}` = previous ? 'value_duplicate_on_put' : 'value_duplicate';
  const found: Violation[] = [];
  for (const [name, { unique, uniqueColumn }] of resource.fields) {
    const value = next[name] ?? null;
    if (unique === undefined || value === null) continue;
    const column = uniqueColumn?.name ?? name;
    const within: [string, Stored][] =
      unique === 'all'
        ? []
        : unique === 'owner'
          ? [['owner_id', owner]]
          : [
              ['owner_id', owner],
              [unique, next[unique] ?? null],
            ];
    const conditions = [...within.map(([key]) => `${key} = ?`), `${column} = ?`, 'id <> ?'].join(' AND ');
    const values = [
      ...within.map(([, of]) => of),
      uniqueColumn?.of(String(value)) ?? value,
      previous?.id ?? 0,
    ];
    const rows = await session.rows(`SELECT id FROM ${resource.table} WHERE ${conditions}`, values);
    if (rows.length > 0) found.push(violation(code, { field: name, value: given(name) ?? value }));
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
    const rows = await session.rows(`SELECT id FROM ${from.table} WHERE ${owned(from)}${field} = ? LIMIT 1`, [
      ...ownerValues(from, owner),
      id,
    ]);
    if (rows.length > 0) return problem('record_in_use', { field: 'id', resource: from.name });
  }
  return undefined;
}
