// The list of anonymised contacts. It belongs to the installation and is in no backup, so that a restore finds the
// contacts of an older backup that must come back anonymised. IDs change with each restore. A digest of times and the
// contact's number does not, and says nothing about the person.
import { createHash } from 'node:crypto';
import type { Row } from '../model/field.ts';
import { instantText, now } from '../model/fragment.ts';
import { Table } from '../model/prepared.ts';
import { modelNamed } from '../model/registry.ts';
import type { Session } from '../model/session.ts';

const ROWS_A_STATEMENT = 500;

export class Anonymised extends Table {
  static override tableName = 'anonymised';
  static override idColumn = ['owner_id', 'digest'];
  declare owner_id: number;
  declare digest: string;
  /** Null: the digest came with a list, and the owner has no such contact. */
  declare contact_id: number | null;
  declare at: string;
}

/** The creation of the owner is in all backups of the owner, and tells garages apart. */
export async function readOrigin({ knex }: Session, owner: number): Promise<string> {
  const row = await modelNamed('owner')
    .query(knex)
    .select(instantText('owners', 'created_at'))
    .findById(owner);
  return String(row?.created_at);
}

export const digestOf = (origin: string, { contact_number, created_at }: Row): string =>
  createHash('sha256')
    .update(JSON.stringify([origin, contact_number, created_at]))
    .digest('hex');

/** Puts a contact on the list. */
export async function listContact(session: Session, owner: number, contact: Row): Promise<void> {
  const digest = digestOf(await readOrigin(session, owner), contact);
  await Anonymised.query(session.knex)
    .insert({ owner_id: owner, digest, contact_id: Number(contact.id), at: now() })
    .onConflict(['owner_id', 'digest'])
    .merge(['contact_id']);
}

/** The list of an owner. */
export const readList = async ({ knex }: Session, owner: number): Promise<string[]> =>
  (await Anonymised.query(knex).select('digest').where('owner_id', owner).orderBy('digest')).map(
    ({ digest }) => digest,
  );

/** Puts digests of another installation on the list of an owner. */
export async function addToList({ knex }: Session, owner: number, digests: readonly string[]): Promise<void> {
  const rows = digests.map((digest) => ({ owner_id: owner, digest, at: now() }));
  for (let from = 0; from < rows.length; from += ROWS_A_STATEMENT)
    await knex(Anonymised.tableName)
      .insert(rows.slice(from, from + ROWS_A_STATEMENT))
      .onConflict(['owner_id', 'digest'])
      .ignore();
}
