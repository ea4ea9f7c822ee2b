// The license plate that a vehicle had when an invoice was made.
import { modelNamed } from '../model/registry.ts';
import type { Session } from '../model/session.ts';

/** Undefined if the plate has not changed since `instant`, in the form of the database. */
export async function plateAt(
  session: Session,
  owner: number,
  vehicle: number,
  instant: string,
): Promise<string | undefined> {
  const changed = await modelNamed('licenseplatehistory')
    .query(session.knex)
    .select('license_plate')
    .modify('owned', owner)
    .where('vehicle_id', vehicle)
    .where('changed_at', '>', instant)
    .orderBy(['changed_at', 'id'])
    .first();
  return changed && String(changed.license_plate);
}
