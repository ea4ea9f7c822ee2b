// Who owns a vehicle: its role lines of role OWNER. A vehicle has one owner at a time, so whoever changes owners has
// written the row of the vehicle before (see "Locks" in docs/architecture.md).
import { type Identified, selection } from '../../core/model/lists/find.ts';
import { wholeColumns } from '../../core/model/records/record.ts';
import type { Garage } from '../../core/model/statements/garage.ts';
import { marks, padded, prepared } from '../../core/model/statements/prepared.ts';
import { changeRow, deleteRows, insertRow } from '../../core/model/writes/write.ts';
import { VehicleRoleLine, type VehicleRoleLineRow } from '../../core/resources/vehicle-role-line.ts';
import { LISTS } from '../../core/trade/lists.ts';
import { databaseNow } from '../../core/trade/time/timestamp.ts';

const { OWNER } = LISTS.vehicleroles;

/** The lines of owners that have not ended: without an end, or with one after `now`. */
export const ownersOf = (garage: Garage, vehicle_id: number, now = databaseNow()) =>
  VehicleRoleLine.of(garage)
    .where({ vehicle_id, role_kind: OWNER })
    .where((line) => line.whereNull('end_date').orWhere('end_date', '>', now));

export type OwnerLine = VehicleRoleLineRow & Identified;

/** Locks the lines of owners of these vehicles that have not ended, sorted by ID. */
export function lockOwners(garage: Garage, vehicles: readonly number[], now: string): Promise<OwnerLine[]> {
  const { resource } = VehicleRoleLine;
  const ids = padded(vehicles);
  return prepared(`lock the owners of ${ids.length} vehicles`, (mark) =>
    VehicleRoleLine.ofMarked(mark, 't')
      .select(...selection(resource, wholeColumns(resource)))
      .whereIn('t.vehicle_id', marks(mark, 'ids', ids.length))
      .where('t.role_kind', OWNER)
      .where((line) => line.whereNull('t.end_date').orWhere('t.end_date', '>', mark('now')))
      .orderBy('t.id')
      .forUpdate(),
  ).rows<OwnerLine>(garage, { ids, now });
}

/** Ends locked lines at an instant of the database. A line that would end before it began is deleted. */
export async function endOwners(
  garage: Garage,
  lines: readonly OwnerLine[],
  end_date: string,
): Promise<void> {
  const { resource } = VehicleRoleLine;
  for (const previous of lines) {
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
