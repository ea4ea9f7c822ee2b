// Which installation a database belongs to. The storage has an ID, made once, and the database has a copy of the ID. In
// an installation that was copied, or restored from a dump, the two differ: nothing leaves it until `forecourt
// release`.

import { BaseModel } from '../../core/model/statements/base-model.ts';
import type { Session } from '../../core/model/statements/session.ts';
import { Owner } from '../../core/resources/owner.ts';

class Installation extends BaseModel {
  static override tableName = 'installation';
  static override idColumn = 'row';
  /** Always 1. */
  declare row: number;
  declare id: string;
}

const ROW = 1;

/**
 * Gives the ID of the storage to a new database, or to any database without an ID if the storage's ID is new. Otherwise
 * a database with owners and no ID came from elsewhere, and stays without an ID.
 */
export async function joinInstallation(
  { knex }: Session,
  { id, isNew }: { id: string; isNew: boolean },
): Promise<void> {
  if (await Installation.query(knex).findById(ROW)) return;
  if (!isNew && (await Owner.ofAllOwners('installation', { knex }).select('id').first())) return;
  await Installation.query(knex).insert({ row: ROW, id }).onConflict('row').ignore();
}

/** Whether to hold callbacks, events and mail: the database belongs to a storage with another ID. */
export async function isHeld({ knex }: Session, id: string): Promise<boolean> {
  const installation = await Installation.query(knex).findById(ROW);
  return installation?.id !== id;
}

/** Makes the database belong to the storage of this ID. False: it did already. */
export async function releaseInstallation(session: Session, id: string): Promise<boolean> {
  if (!(await isHeld(session, id))) return false;
  await Installation.query(session.knex).insert({ row: ROW, id }).onConflict('row').merge();
  return true;
}
