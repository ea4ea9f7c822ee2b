// References of a new record to records of its own resource. MySQL checks such a foreign key on UPDATE and DELETE, but
// not on INSERT: innodb_native_foreign_keys is OFF by default, and then a key of two columns that has the owner in both
// rows passes unchecked. So the records are locked and counted before the INSERT, on every server.
import type { Row } from '../fields/field.ts';
import type { Resource } from '../records/record.ts';
import { allResources } from '../records/registry.ts';
import type { Garage } from '../statements/garage.ts';
import { remembered } from '../statements/remembered.ts';
import { selected, whole } from '../statements/selected.ts';
import type { Session } from '../statements/session.ts';

/** Has the code of a foreign key's refusal, because it stands for one. */
class UnknownRecord extends Error {
  readonly code = 'ER_NO_REFERENCED_ROW_2';
}

/**
 * Locks the records that the new rows refer to, so that nobody deletes them before the transaction ends. Throws an
 * error with the code of a foreign key's refusal if the owner does not have one of them.
 */
export async function demandOwnRecords(
  garage: Garage,
  resource: Resource,
  rows: readonly Row[],
): Promise<void> {
  const { name, model } = resource;
  const own = ownReferences(resource);
  if (own.length === 0) return;
  const ids = new Set(rows.flatMap((row) => own.flatMap((field) => row[field] ?? [])));
  if (ids.size === 0) return;
  const found = await model
    .of(garage)
    .select('id')
    .whereIn('id', [...ids])
    .forShare();
  if (found.length < ids.size)
    throw new UnknownRecord(`a ${name} that the new ${name} refers to is not there`);
}

/** The fields that refer to records of the same resource. */
const ownReferences = remembered(({ name, fields }: Resource): string[] =>
  [...fields].flatMap(([field, { reference }]) => (reference === name ? [field] : [])),
);

/** Passes the records of all owners that refer to a record of their own resource that is not there. */
export async function* findDangling({
  knex,
}: Session): AsyncGenerator<{ resource: string; owner: number; id: number; field: string }> {
  for (const resource of allResources())
    for (const field of ownReferences(resource)) {
      const dangling = resource.model
        .ofAllOwners('doctor', { knex })
        .alias('t')
        .leftJoin(`${resource.table} as o`, (on) =>
          on.on('o.owner_id', 't.owner_id').on('o.id', `t.${field}`),
        )
        .whereNotNull(`t.${field}`)
        .whereNull('o.id')
        .orderBy('t.id');
      const rows = await selected(dangling, { owner_id: whole('t.owner_id'), id: whole('t.id') });
      for (const { owner_id, id } of rows) yield { resource: resource.name, owner: owner_id, id, field };
    }
}
