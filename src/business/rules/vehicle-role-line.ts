// A vehicle has one owner at a time. Each request that makes an owner writes the row of the vehicle, so two requests at
// once can't both find the vehicle without an owner.
import { violation } from '../../core/errors.ts';
import { rulesOf } from '../../core/model/records/record.ts';
import { siblingFinder } from '../../core/model/writes/sibling.ts';
import { Vehicle } from '../../core/resources/vehicle.ts';
import {
  VehicleRoleLine,
  type VehicleRoleLineChange,
  type VehicleRoleLineRow,
} from '../../core/resources/vehicle-role-line.ts';
import { LISTS } from '../../core/trade/lists.ts';
import { databaseNow } from '../../core/trade/time/timestamp.ts';
import { ownersOf } from '../vehicles/ownership.ts';

rulesOf(VehicleRoleLine, { rules: [oneOwner], refuses: { write: [violation('vehicle_has_owner')] } });

const findOwner = siblingFinder<VehicleRoleLineRow, VehicleRoleLineRow>({
  parent: Vehicle.resource,
  within: 'vehicle_id',
  read: ({ next, garage }, apart) => ownersOf(garage, next.vehicle_id).whereNotIn('id', [...apart]),
});

async function oneOwner(change: VehicleRoleLineChange) {
  const now = databaseNow();
  const isOwner = ({ role_kind, end_date }: VehicleRoleLineRow) =>
    role_kind === LISTS.vehicleroles.OWNER && (end_date === null || end_date > now);
  if (!isOwner(change.next)) return undefined;
  return (await findOwner(change, isOwner)) && violation('vehicle_has_owner');
}
