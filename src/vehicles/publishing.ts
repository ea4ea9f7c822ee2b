// Publishes vehicles on their advertisement sites, and takes them off.
import { problem, violation } from '../errors.ts';
import { type Body, refuse, refuseUnknown } from '../model/check.ts';
import { findRecord } from '../model/find.ts';
import type { RowIn } from '../model/record.ts';
import type { Session } from '../model/session.ts';
import { demandRecord, type Expect, refuseState, update } from '../model/store.ts';
import { Vehicle } from '../resources/vehicle.ts';
import { VehicleAdvertisementSite } from '../resources/vehicle-advertisement-site.ts';
import { LISTS } from '../trade/lists.ts';
import { databaseNow } from '../trade/timestamp.ts';

const { PUBLISHED } = LISTS.publishstatuses;
const NEEDED = ['tax_kind', 'sale_price', 'mileage', 'fuel_kind', 'first_registration_date'] as const;

type VehicleRow = RowIn<typeof Vehicle>;

/** Refuses a vehicle that can't be published. Throws Problem. */
export async function checkPublishable(session: Session, owner: number, id: number): Promise<void> {
  const vehicle = await findRecord(session, Vehicle.resource, owner, id);
  if (!vehicle) throw problem('record_unknown', { field: 'id', value: id });
  refuseState(Vehicle.resource, vehicle, {});
  await refuseUnfit(session, owner, vehicle);
}

/** Returns the vehicle after the change. Throws Problem. */
export async function setPublishStatus(
  session: Session,
  owner: number,
  id: number,
  status: number,
  body: Body,
  expect: Expect | undefined,
): Promise<VehicleRow> {
  const { resource } = Vehicle;
  const previous = await demandRecord(session, resource, owner, id, expect);
  refuseState(resource, previous, {});
  refuseUnknown(body, ['id']);
  if (status === PUBLISHED) await refuseUnfit(session, owner, previous);
  if (previous.publish_status === status) return previous;
  const published_at = status === PUBLISHED ? databaseNow() : null;
  const next = { ...previous, publish_status: status, published_at };
  await update(resource, { next, previous, given: () => undefined, owner, session });
  return next;
}

async function refuseUnfit(session: Session, owner: number, vehicle: VehicleRow): Promise<void> {
  const empty = NEEDED.filter((field) => vehicle[field] === null);
  refuse(empty.map((field) => violation('publish_field_required', { field, value: null })));
  const site = await VehicleAdvertisementSite.of(session, owner)
    .select('id')
    .findOne('vehicle_id', vehicle.id);
  if (!site) throw problem('publish_site_required');
}
