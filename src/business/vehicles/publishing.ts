// Publishes vehicles on their advertisement sites, and takes them off.
import { problem, violation } from '../../core/errors.ts';
import { type Body, refuse, refuseUnknown } from '../../core/model/bodies/check.ts';
import { findRecord } from '../../core/model/lists/find.ts';
import type { Garage } from '../../core/model/statements/garage.ts';
import { refuseState } from '../../core/model/writes/state.ts';
import { demandRecord, type Expect, update } from '../../core/model/writes/store.ts';
import { Vehicle, type VehicleRow } from '../../core/resources/vehicle.ts';
import { VehicleAdvertisementSite } from '../../core/resources/vehicle-advertisement-site.ts';
import { LISTS } from '../../core/trade/lists.ts';
import { databaseNow } from '../../core/trade/time/timestamp.ts';

const { PUBLISHED } = LISTS.publishstatuses;
const NEEDED = ['tax_kind', 'sale_price', 'mileage', 'fuel_kind', 'first_registration_date'] as const;

/** Refuses a vehicle that can't be published. Throws Problem. */
export async function checkPublishable(garage: Garage, id: number): Promise<void> {
  const vehicle = await findRecord(garage, Vehicle.resource, id);
  if (!vehicle) throw problem('record_unknown', { field: 'id', value: id });
  refuseState(Vehicle.resource, vehicle, {});
  await refuseUnfit(garage, vehicle);
}

/** Returns the vehicle after the change. Throws Problem. */
export async function setPublishStatus(
  garage: Garage,
  id: number,
  status: number,
  body: Body,
  expect: Expect | undefined,
): Promise<VehicleRow> {
  const { resource } = Vehicle;
  const previous = await demandRecord(garage, resource, id, expect);
  refuseState(resource, previous, {});
  refuseUnknown(body, ['id']);
  if (status === PUBLISHED) await refuseUnfit(garage, previous);
  if (previous.publish_status === status) return previous;
  const published_at = status === PUBLISHED ? databaseNow() : null;
  const next = { ...previous, publish_status: status, published_at };
  await update(resource, { next, previous, given: () => undefined, garage });
  return next;
}

async function refuseUnfit(garage: Garage, vehicle: VehicleRow): Promise<void> {
  const empty = NEEDED.filter((field) => vehicle[field] === null);
  refuse(empty.map((field) => violation('publish_field_required', { field, value: null })));
  const site = await VehicleAdvertisementSite.of(garage).select('id').findOne('vehicle_id', vehicle.id);
  if (!site) throw problem('publish_site_required');
}
