// Who owns a vehicle: its role lines of role OWNER. A vehicle has one owner at a time, so whoever changes owners has
// written the row of the vehicle before (see "Locks" in docs/architecture.md).
import { lockRecords } from '../model/find.ts';
import type { Session } from '../model/session.ts';
import { changeRow, deleteRows, insertRow } from '../model/write.ts';
import { VehicleRoleLine } from '../resources/vehicle-role-line.ts';
import { LISTS } from '../trade/lists.ts';
import { databaseNow } from '../trade/timestamp.ts';

const { OWNER } = LISTS.vehicleroles;

/** The lines of owners that have not ended: without an end, or with one after `now`. */
export const ownersOf = (session: Session, owner: number, vehicle_id: number, now = databaseNow()) =>
  VehicleRoleLine.of(session, owner)
    .where({ vehicle_id, role_kind: OWNER })
    .where((line) => line.whereNull('end_date').orWhere('end_date', '>', now));

/** Ends the lines of owners at an instant of the database. A line that would end before it began is deleted. */
export async function endOwners(
  session: Session,
  owner: number,
  vehicle: number,
  end_date: string,
  now: string,
): Promise<void> {
  const { resource } = VehicleRoleLine;
  const open = await ownersOf(session, owner, vehicle, now).select('id');
  if (open.length === 0) return;
  const ids = open.map(({ id }) => id);
  for (const previous of await lockRecords(session, resource, owner, 'id', ids)) {
    if (previous.start_date >= end_date) await deleteRows(session, resource, owner, [previous]);
    else await changeRow(session, resource, owner, { previous, next: { ...previous, end_date } });
  }
}

/** Makes a contact the owner of a vehicle from an instant on. */
export async function beginOwner(
  session: Session,
  owner: number,
  line: { readonly vehicle_id: number; readonly contact_id: number; readonly start_date: string },
): Promise<void> {
  await insertRow(session, VehicleRoleLine.resource, owner, { ...line, role_kind: OWNER });
}
