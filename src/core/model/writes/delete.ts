// Deletes one record. The checks have the order of the contract: existence, state, use.
import { problem } from '../../errors.ts';
import { refuse } from '../bodies/check.ts';
import type { Resource } from '../records/record.ts';
import { isOwnName, linksTo } from '../records/registry.ts';
import { type Garage, garageOf } from '../statements/garage.ts';
import { prepared } from '../statements/prepared.ts';
import type { Actor, Database } from '../statements/session.ts';
import { isInUse, useOf } from './constraint-errors.ts';
import { refuseFrozenParent, refuseState } from './state.ts';
import { demandWithParent, type Expect } from './store.ts';
import { deleteRow } from './write.ts';

interface Deletion {
  readonly actor: Actor;
  readonly id: number;
  readonly expect?: Expect | undefined;
}

/**
 * Deletes a record in a transaction of its own. Throws Problem: unknown 404, state 409, in use 406. A good request pays
 * for no look-up: only after a key has refused the row, the transaction runs again and looks who uses the record.
 */
export async function deleteRecord(
  database: Pick<Database, 'transaction'>,
  resource: Resource,
  { actor, id, expect }: Deletion,
): Promise<void> {
  const attempt = (isRefused: boolean) =>
    database.transaction(async (session) => {
      const garage = garageOf(session, actor.owner);
      const { row, parent } = await demandWithParent(garage, resource, id, expect);
      if (row.is_system === 1) throw problem('record_system_delete');
      refuseState(resource, row, {});
      if (parent) refuseFrozenParent(parent, resource);
      refuse(await resource.hooks.keeps?.(row, garage, parent?.row));
      await deleteAnnexes(garage, resource, id);
      if (isRefused) await refuseUse(garage, resource, id);
      await deleteRow(garage, resource, row);
      const given = () => undefined;
      await resource.hooks.afterDelete?.({ next: row, previous: row, given, garage, parent: parent?.row });
    }, actor);
  try {
    await attempt(false);
  } catch (error) {
    if (!isInUse(error)) throw error;
    await attempt(true);
  }
}

/** No record can come to use a locked one: the key that it would need waits for the lock. */
async function refuseUse(garage: Garage, resource: Resource, id: number): Promise<void> {
  const use = await useOf(garage, resource, id);
  if (use) throw use;
}

/** Records that have no endpoint go with the record that they belong to: nobody could delete them first. */
async function deleteAnnexes(garage: Garage, resource: Resource, id: number): Promise<void> {
  for (const { from, field } of linksTo(resource)) {
    if (from.methods.length > 0 || !isOwnName(resource, field)) continue;
    await prepared(`delete ${from.name} of ${field}`, (mark) =>
      from.model.ofMarked(mark).delete().where(field, mark('id')),
    ).write(garage, { id });
  }
}
