// Who owns a vehicle: its role lines of role OWNER. A vehicle has one owner at a time, so whoever changes owners has
// written the row of the vehicle before (see "Locks" in docs/architecture.md).
import { lockRecords } from '../model/find.ts';
import type { Garage } from '../model/garage.ts';
import { changeRow, deleteRows, insertRow } from '../model/write.ts';
import { VehicleRoleLine } from '../resources/vehicle-role-line.ts';
import { LISTS } from '../trade/lists.ts';
import { databaseNow } from '../trade/timestamp.ts';

const { OWNER } = LISTS.vehicleroles;

/** The lines of owners that have not ended: without an end, or with one after `now`. */
export const ownersOf = (garage: Garage, vehicle_id: number, now = databaseNow()) =>
  VehicleRoleLine.of(garage)
    .where({ vehicle_id, role_kind: OWNER })
    .where((line) => line.whereNull('end_date').orWhere('end_date', '>', now));

/** Ends the lines of owners at an instant of the database. A line that would end before it began is deleted. */
export async function endOwners(
  garage: Garage,
  vehicle: number,
  end_date: string,
  now: string,
): Promise<void> {
  const { resource } = VehicleRoleLine;
  const open = await ownersOf(garage, vehicle, now).select('id');
  if (open.length === 0) return;
  const ids = open.map(({ id }) => id);
  for (const previous of await lockRecords(garage, resource, 'id', ids)) {
    if (previous.start_date >= end_date) await deleteRows(garage, resource, [previous]);
    else await changeRow(garage, resource, { previous, next: { ...previous, end_date } });
  }
}

/** Makes a contact the owner of a vehicle from an instant on. */
export async function beginOwner(
  garage: Garage,
  line: { readonly vehicle_id: number; readonly contact_id: number; readonly start_date: string },
): Promise<void> {
  await insertRow(garage, VehicleRoleLine.resource, { ...line, role_kind: OWNER });
}
