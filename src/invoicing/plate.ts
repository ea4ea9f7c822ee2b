// The license plate that a vehicle had when an invoice was made.

import type { Session } from '../model/session.ts';
import { LicensePlateHistory } from '../resources/license-plate-history.ts';

/** Undefined if the plate has not changed since `instant`, in the form of the database. */
export async function plateAt(
  session: Session,
  owner: number,
  vehicle: number,
  instant: string,
): Promise<string | undefined> {
  const changed = await LicensePlateHistory.of(session, owner)
    .select('license_plate')
    .where('vehicle_id', vehicle)
    .where('changed_at', '>', instant)
    .orderBy(['changed_at', 'id'])
    .first();
  return changed && String(changed.license_plate);
}
