// Whom a vehicle belongs to: that follows from the roles of contacts for it, and from orders.

import type { RowIn } from '../../core/model/records/record.ts';
import { instantText } from '../../core/model/statements/fragment.ts';
import type { Garage } from '../../core/model/statements/garage.ts';
import { Order } from '../../core/resources/order.ts';
import { Vehicle } from '../../core/resources/vehicle.ts';
import { VehicleRoleLine } from '../../core/resources/vehicle-role-line.ts';
import { grouped } from '../../core/trade/grouped.ts';
import { isOfGarage } from '../../core/trade/kinds/stock-status.ts';
import { LISTS } from '../../core/trade/lists.ts';
import { databaseNow } from '../../core/trade/time/timestamp.ts';
import { type Lock, rowsWith } from './whole-row.ts';

/** The roles of the contact for vehicles, and the orders with vehicles. Each came at its `created_at`. */
async function linksOf(
  garage: Garage,
  contact: number,
): Promise<{ readonly vehicle_id: number; readonly created_at: string }[]> {
  const lines = await VehicleRoleLine.of(garage)
    .select('vehicle_id', instantText(VehicleRoleLine.tableName, 'created_at'))
    .where('contact_id', contact);
  const orders = (column: 'contact_id' | 'invoice_contact_id') =>
    Order.of(garage)
      .select('vehicle_id', instantText(Order.tableName, 'created_at'))
      .where(column, contact)
      .whereNotNull('vehicle_id');
  return [...lines, ...(await orders('contact_id')), ...(await orders('invoice_contact_id'))].map(
    ({ vehicle_id, created_at }) => ({ vehicle_id: Number(vehicle_id), created_at }),
  );
}

/** The IDs of all vehicles that the contact has a role for, or an order. */
export async function linkedVehicles(garage: Garage, contact: number): Promise<number[]> {
  const found = (await linksOf(garage, contact)).map(({ vehicle_id }) => vehicle_id);
  return [...new Set(found)].sort((one, other) => one - other);
}

/**
 * Since when vehicles are linked with the contact and nobody else, by the ID of the vehicle: since the first role or
 * order of the contact, and the end of the last role of somebody else.
 */
export async function ownSince(garage: Garage, contact: number): Promise<ReadonlyMap<number, string>> {
  const since = new Map<number, string>();
  for (const { vehicle_id, created_at } of await linksOf(garage, contact)) {
    const known = since.get(vehicle_id);
    if (known === undefined || created_at < known) since.set(vehicle_id, created_at);
  }
  const ended = await VehicleRoleLine.of(garage)
    .select('vehicle_id', instantText(VehicleRoleLine.tableName, 'end_date'))
    .whereIn('vehicle_id', [...since.keys()])
    .whereNot('contact_id', contact)
    .whereNotNull('end_date');
  for (const { vehicle_id, end_date } of ended)
    if (String(end_date) > (since.get(vehicle_id) ?? '')) since.set(vehicle_id, String(end_date));
  return since;
}

type Held = Pick<RowIn<typeof Vehicle>, 'id' | 'stock_status'>;

/**
 * The vehicles whose license plates lead to the contact alone. The contact owns such a vehicle and nobody else has a
 * role for it; or nobody has a role for it, and only the contact has orders with it. `columns`: those of the answer,
 * beside others.
 */
export async function ownVehicles(
  garage: Garage,
  contact: number,
  { columns, lock }: { readonly columns: readonly string[]; readonly lock: Lock },
): Promise<Held[]> {
  const vehicle_id = await linkedVehicles(garage, contact);
  if (vehicle_id.length === 0) return [];
  const now = databaseNow();
  const running = await VehicleRoleLine.of(garage)
    .select('vehicle_id', 'contact_id', 'role_kind')
    .whereIn('vehicle_id', vehicle_id)
    .where((line) => line.whereNull('end_date').orWhere('end_date', '>', now));
  const ordered = await Order.of(garage)
    .distinct('vehicle_id')
    .whereIn('vehicle_id', vehicle_id)
    .whereNot('contact_id', contact);
  const others = new Set(ordered.map((order) => order.vehicle_id));
  const vehicles = await rowsWith<Held>(garage, Vehicle.resource, {
    columns: [...new Set([...columns, 'id', 'stock_status'])],
    conditions: [{ id: vehicle_id }],
    lock,
  });
  const rolesFor = grouped(running, (line) => line.vehicle_id);
  return vehicles.filter(({ id, stock_status }) => {
    const roles = rolesFor.get(id) ?? [];
    if (roles.some((line) => line.contact_id !== contact)) return false;
    if (roles.some(({ role_kind }) => role_kind === LISTS.vehicleroles.OWNER)) return true;
    return !isOfGarage(stock_status) && !others.has(id);
  });
}
