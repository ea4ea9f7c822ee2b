// Reads everything about a contact from one snapshot. Leaves out what belongs to others: the dealer's books, other
// buyers, and the remarks about somebody whose invoice went to this contact.

import { placeChanges } from '../../changes/place.ts';
import { actionName, type LoggedChange } from '../../model/change-log.ts';
import type { Row } from '../../model/field.ts';
import { findRecord } from '../../model/find.ts';
import { columnsWithoutBytes, type Resource } from '../../model/record.ts';
import type { Database } from '../../model/session.ts';
import {
  documentsOf,
  linkedVehicles,
  ownVehicles,
  paymentsOf,
  recordsAbout,
  wholeRows,
} from '../../privacy/person.ts';
import { anonymous } from '../../privacy/personal-fields.ts';
import { readLog } from '../../privacy/trace.ts';
import { Contact } from '../../resources/contact.ts';
import { ContactCommunication } from '../../resources/contact-communication.ts';
import { Document } from '../../resources/document.ts';
import { InvoiceParty } from '../../resources/invoice-party.ts';
import { LicensePlateHistory } from '../../resources/license-plate-history.ts';
import { Order } from '../../resources/order.ts';
import { OrderLine } from '../../resources/order-line.ts';
import { Owner } from '../../resources/owner.ts';
import { Payment } from '../../resources/payment.ts';
import { Vehicle } from '../../resources/vehicle.ts';
import { VehicleRoleLine } from '../../resources/vehicle-role-line.ts';
import { databaseNow } from '../../trade/timestamp.ts';
import type { PersonChange, PersonData } from '../pdf/person-report.ts';

/** The columns of a resource that the person gets. */
export const columnsOf = ({ columns, fields }: Resource): string[] =>
  columns.filter((name) => !fields.get(name)?.internal);

/** Undefined if the owner has no such contact. */
export async function readPerson(
  database: Database,
  owner: number,
  id: number,
): Promise<PersonData | undefined> {
  // The log then has all changes up to this moment.
  await placeChanges(database, owner);
  return database.snapshot(async (session) => {
    const garage = Owner.resource;
    const seller = await findRecord(session, garage, owner, owner, columnsWithoutBytes(garage));
    const contact = await findRecord(session, Contact.resource, owner, id);
    if (!seller || !contact) return undefined;
    const orders = await wholeRows(session, Order.resource, owner, [
      { contact_id: id },
      { invoice_contact_id: id },
    ]);
    const order_id = orders.map((order) => order.id);
    const vehicles = await ownVehicles(session, owner, id);
    const vehicle_id = await linkedVehicles(session, owner, id);
    const parties = (await wholeRows(session, InvoiceParty.resource, owner, [{ order_id }])).filter(
      ({ buyer }) => JSON.parse(buyer).id === id,
    );
    // Somebody else may have paid an invoice that went to somebody else.
    const paid = parties.map((party) => party.order_id);
    const sections: [model: { readonly resource: Resource }, rows: readonly Row[]][] = [
      [Contact, [contact]],
      [ContactCommunication, await recordsAbout(session, ContactCommunication.resource, owner, id)],
      [VehicleRoleLine, await recordsAbout(session, VehicleRoleLine.resource, owner, id)],
      [Vehicle, await wholeRows(session, Vehicle.resource, owner, [{ id: vehicle_id }])],
      [LicensePlateHistory, await wholeRows(session, LicensePlateHistory.resource, owner, [{ vehicle_id }])],
      [Order, orders.map((order) => (order.contact_id === id ? order : printedOf(order)))],
      [OrderLine, await wholeRows(session, OrderLine.resource, owner, [{ order_id }])],
      [InvoiceParty, parties],
      [Payment, await paymentsOf(session, owner, paid)],
      [Document, await documentsOf(session, owner, id, vehicles)],
    ];
    const ownIds = vehicles.map((vehicle) => vehicle.id);
    return {
      owner: seller,
      contact,
      sections: sections.map(([{ resource }, rows]) => ({ resource, rows: rows.map(shownTo(resource)) })),
      changes: (await readLog(session, owner, id, ownIds)).map(shownChange),
      takenAt: databaseNow(),
    };
  });
}

const printedOf = (order: Row): Row => anonymous(Order.resource, order, 'kept');

/** Leaves the columns that the person gets. */
function shownTo(resource: Resource): (row: Row) => Row {
  const columns = columnsOf(resource);
  return (row) => Object.fromEntries(columns.map((column) => [column, row[column] ?? null]));
}

/** Without the names of those who made the changes. */
const shownChange = ({ at, resource, record_id, action, changes }: LoggedChange): PersonChange => ({
  at,
  resource,
  record_id,
  action: actionName(action),
  changes: JSON.parse(changes ?? '{}'),
});
