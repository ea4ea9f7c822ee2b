// The list of anonymised contacts. It belongs to the installation and is in no backup, so that a restore finds the
// contacts of an older backup that must come back anonymised. IDs change with each restore. A digest of times and the
// contact's number does not, and says nothing about the person.

import { createHash } from 'node:crypto';
import type { RowIn } from '../../core/model/records/record.ts';
import { OwnedModel } from '../../core/model/statements/base-model.ts';
import { instantText, now } from '../../core/model/statements/fragment.ts';
import type { Garage } from '../../core/model/statements/garage.ts';
import type { Contact } from '../../core/resources/contact.ts';
import { Owner } from '../../core/resources/owner.ts';
import { portionsOf } from '../../core/trade/grouped.ts';
import { databaseNow } from '../../core/trade/time/timestamp.ts';

const ROWS_A_STATEMENT = 500;

export class Anonymised extends OwnedModel {
  static override tableName = 'anonymised';
  static override idColumn = ['owner_id', 'digest'];
  declare owner_id: number;
  declare digest: string;
  /** Null: the digest came with a list, and the owner has no such contact. */
  declare contact_id: number | null;
  declare at: string;
}

/** The creation of the owner is in all backups of the owner, and tells garages apart. */
export async function readOrigin(garage: Garage): Promise<string> {
  const row = await Owner.of(garage).select(instantText('owners', 'created_at')).first();
  return String(row?.created_at);
}

type Dated = Pick<RowIn<typeof Contact>, 'contact_number' | 'created_at'>;

export const digestOf = (origin: string, { contact_number, created_at }: Dated): string =>
  createHash('sha256')
    .update(JSON.stringify([origin, contact_number, created_at]))
    .digest('hex');

/** Puts a contact on the list. */
export async function listContact(garage: Garage, contact: RowIn<typeof Contact>): Promise<void> {
  const digest = digestOf(await readOrigin(garage), contact);
  await Anonymised.ofAllOwners('insert', garage)
    .insert({ owner_id: garage.owner, digest, contact_id: contact.id, at: now() })
    .onConflict(['owner_id', 'digest'])
    .merge(['contact_id']);
}

/** The list of an owner. */
export const readList = async (garage: Garage): Promise<string[]> =>
  (await Anonymised.of(garage).select('digest').orderBy('digest')).map(({ digest }) => digest);

/** Puts digests of another installation on the list of an owner. */
export async function addToList({ knex, owner }: Garage, digests: readonly string[]): Promise<void> {
  // A value, since knex alone knows nothing of Objection's expressions.
  const at = databaseNow();
  const rows = digests.map((digest) => ({ owner_id: owner, digest, at }));
  for (const some of portionsOf(rows, ROWS_A_STATEMENT))
    await knex(Anonymised.tableName).insert(some).onConflict(['owner_id', 'digest']).ignore();
}
