// Changes the license plate of a vehicle. The history keeps the old plate.
import { problem, violation } from '../../core/errors.ts';
import { type Body, refuse } from '../../core/model/bodies/check.ts';
import type { Garage } from '../../core/model/statements/garage.ts';
import { refuseState } from '../../core/model/writes/state.ts';
import { demandRecord, type Expect, update } from '../../core/model/writes/store.ts';
import { insertRow } from '../../core/model/writes/write.ts';
import { LicensePlateHistory } from '../../core/resources/license-plate-history.ts';
import { Vehicle, type VehicleRow } from '../../core/resources/vehicle.ts';
import { databaseNow } from '../../core/trade/time/timestamp.ts';

/** Returns the vehicle after the change. Throws Problem. */
export async function changePlate(
  garage: Garage,
  id: number,
  body: Body,
  expect: Expect | undefined,
): Promise<VehicleRow> {
  const { resource } = Vehicle;
  const previous = await demandRecord(garage, resource, id, expect);
  refuseState(resource, previous, {});
  const license_plate = readPlate(body, previous);
  if (license_plate === previous.license_plate) return previous;
  const next = { ...previous, license_plate };
  await update(resource, { next, previous, given: (field) => body[field], garage });
  await insertRow(garage, LicensePlateHistory.resource, {
    vehicle_id: id,
    license_plate: previous.license_plate,
    changed_at: databaseNow(),
  });
  return next;
}

/** Throws Problem, by the stages of any PUT: what the body holds, in its order, and then what it lacks. */
function readPlate(body: Body, vehicle: VehicleRow): VehicleRow['license_plate'] {
  const field = 'license_plate';
  const given = body[field];
  const isEmpty = given === undefined || given === null || given === '';
  const checked = isEmpty ? undefined : Vehicle.resource.fields.get(field)?.check(field, given, vehicle);
  refuse(
    Object.keys(body).flatMap((name) => {
      if (name === 'id') return [];
      return name === field ? (checked?.violation ?? []) : violation('field_unknown', { field: name });
    }),
  );
  if (given === undefined) throw problem('field_required', { field });
  if (isEmpty) throw problem('field_empty', { field });
  return checked?.stored as VehicleRow['license_plate'];
}
