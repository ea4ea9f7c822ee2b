// A vehicle has one owner at a time. Each request that makes an owner writes the row of the vehicle, so two requests at
// once can't both find the vehicle without an owner.
import { violation } from '../errors.ts';
import { claimRecord } from '../model/lists/find.ts';
import { rulesOf } from '../model/records/record.ts';
import { Vehicle } from '../resources/vehicle.ts';
import {
  VehicleRoleLine,
  type VehicleRoleLineChange,
  type VehicleRoleLineRow,
} from '../resources/vehicle-role-line.ts';
import { LISTS } from '../trade/lists.ts';
import { databaseNow } from '../trade/time/timestamp.ts';
import { ownersOf } from '../vehicles/ownership.ts';

rulesOf(VehicleRoleLine, { rules: [oneOwner], refuses: { write: [violation('vehicle_has_owner')] } });

async function oneOwner({ next, previous, garage, siblings }: VehicleRoleLineChange) {
  const now = databaseNow();
  const isOwner = ({ role_kind, end_date }: VehicleRoleLineRow) =>
    role_kind === LISTS.vehicleroles.OWNER && (end_date === null || end_date > now);
  if (!isOwner(next)) return undefined;
  if (siblings) return siblings.some(isOwner) ? violation('vehicle_has_owner') : undefined;
  await claimRecord(garage, Vehicle.resource, next.vehicle_id);
  const other = await ownersOf(garage, next.vehicle_id)
    .whereNot('id', previous?.id ?? 0)
    .first();
  return other ? violation('vehicle_has_owner') : undefined;
}
