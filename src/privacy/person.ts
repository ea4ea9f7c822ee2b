// Which records are about a contact: those whose resource says so (Traits.about), and the vehicles behind them.

import type { Row, Stored } from '../model/field.ts';
import { selection } from '../model/find.ts';
import type { Resource, RowIn } from '../model/record.ts';
import { allResources } from '../model/registry.ts';
import type { Session } from '../model/session.ts';
import { Document } from '../resources/document.ts';
import { Order } from '../resources/order.ts';
import { Payment } from '../resources/payment.ts';
import { Vehicle } from '../resources/vehicle.ts';
import { VehicleRoleLine } from '../resources/vehicle-role-line.ts';
import { LISTS } from '../trade/lists.ts';
import { databaseNow } from '../trade/timestamp.ts';

const { STOCK, EXPECTED, DEMO } = LISTS.stockstatuses;
/** The vehicle is the garage's, whoever asked for a quotation. */
const OF_THE_GARAGE: readonly number[] = [STOCK, EXPECTED, DEMO];

/** Columns with the values that they may have; all must fit. */
export type Condition = Readonly<Record<string, number | readonly number[]>>;

type Lock = 'locked' | 'unlocked';

/** The resources whose records are about a contact, except the contact's own. */
export const resourcesAbout = (): Resource[] =>
  allResources().filter(({ traits }) => traits.about !== undefined && traits.about.contact !== 'id');

/**
 * Whole rows of an owner, hidden columns included, by ID. Each condition is an alternative. `lock`: until the
 * transaction ends.
 */
export async function wholeRows<R extends Row>(
  session: Session,
  resource: Resource<R>,
  owner: number,
  conditions: readonly Condition[],
  lock: Lock = 'unlocked',
): Promise<R[]> {
  const found = new Map<Stored | undefined, R>();
  // One statement for each, since the server would read all rows of the owner for alternatives.
  for (const condition of conditions) {
    const query = resource.model
      .of(session, owner, 't')
      .select(...selection(resource, [...resource.columns, ...resource.unshown]));
    for (const [column, value] of Object.entries(condition)) query.whereIn(`t.${column}`, [value].flat());
    if (lock === 'locked') query.forUpdate();
    for (const row of await query.castTo<R[]>()) found.set(row.id, { ...row });
  }
  return [...found.values()].sort((one, other) => Number(one.id) - Number(other.id));
}

/** The records of a resource that are about the contact. */
export const recordsAbout = <R extends Row>(
  session: Session,
  resource: Resource<R>,
  owner: number,
  contact: number,
  lock: Lock = 'unlocked',
): Promise<R[]> =>
  wholeRows(session, resource, owner, [{ [resource.traits.about?.contact ?? 'id']: contact }], lock);

/** The IDs of all vehicles that the contact has a role for, or an order. */
export async function linkedVehicles(session: Session, owner: number, contact: number): Promise<number[]> {
  const lines = await VehicleRoleLine.of(session, owner).distinct('vehicle_id').where('contact_id', contact);
  const orders = (column: 'contact_id' | 'invoice_contact_id') =>
    Order.of(session, owner).distinct('vehicle_id').where(column, contact).whereNotNull('vehicle_id');
  const found = [...lines, ...(await orders('contact_id')), ...(await orders('invoice_contact_id'))].map(
    ({ vehicle_id }) => Number(vehicle_id),
  );
  return [...new Set(found)].sort((one, other) => one - other);
}

/**
 * The vehicles that are the contact's alone, so that their license plates lead to nobody else: the contact owns the
 * vehicle, or nobody has a role for it now and only the contact has orders with it.
 */
export async function ownVehicles(
  session: Session,
  owner: number,
  contact: number,
  lock: Lock = 'unlocked',
): Promise<RowIn<typeof Vehicle>[]> {
  const vehicle_id = await linkedVehicles(session, owner, contact);
  if (vehicle_id.length === 0) return [];
  const now = databaseNow();
  const running = await VehicleRoleLine.of(session, owner)
    .select('vehicle_id', 'contact_id', 'role_kind')
    .whereIn('vehicle_id', vehicle_id)
    .where((line) => line.whereNull('end_date').orWhere('end_date', '>', now));
  const ordered = await Order.of(session, owner)
    .distinct('vehicle_id')
    .whereIn('vehicle_id', vehicle_id)
    .whereNot('contact_id', contact)
    .where((order) => order.whereNull('invoice_contact_id').orWhereNot('invoice_contact_id', contact));
  const others = new Set(ordered.map((order) => order.vehicle_id));
  const vehicles = await wholeRows(session, Vehicle.resource, owner, [{ id: vehicle_id }], lock);
  return vehicles.filter(({ id, stock_status }) => {
    const roles = running.filter((line) => line.vehicle_id === id);
    if (roles.some((line) => line.contact_id !== contact)) return false;
    if (roles.some(({ role_kind }) => role_kind === LISTS.vehicleroles.OWNER)) return true;
    return !OF_THE_GARAGE.includes(stock_status) && !others.has(id);
  });
}

/** The payments of invoices. */
export const paymentsOf = (
  session: Session,
  owner: number,
  invoices: Iterable<number>,
): Promise<RowIn<typeof Payment>[]> =>
  wholeRows(session, Payment.resource, owner, [{ order_id: [...invoices] }]);

/** The documents of the contact, of the contact's orders, and of vehicles that are the contact's alone. */
export async function documentsOf(
  session: Session,
  owner: number,
  contact: number,
  vehicles: readonly Pick<Vehicle, 'id'>[],
): Promise<RowIn<typeof Document>[]> {
  const orders = (await recordsAbout(session, Order.resource, owner, contact)).map(({ id }) => id);
  const rows = await wholeRows(session, Document.resource, owner, [
    { contact_id: contact },
    { order_id: orders },
    { vehicle_id: vehicles.map(({ id }) => id) },
  ]);
  return rows.filter(({ contact_id, order_id }) => {
    // A document of the vehicle may be about somebody else.
    const isOfNobodyElse = contact_id === null && order_id === null;
    return contact_id === contact || orders.some((id) => id === order_id) || isOfNobodyElse;
  });
}
