// Reads everything about a contact from one snapshot. Leaves out what belongs to others: the dealer's books, other
// buyers, and the remarks about somebody whose invoice went to this contact.

import { placeChanges } from '../../changes/place.ts';
import { ACTIONS, type LoggedChange } from '../../model/change-log.ts';
import type { Row } from '../../model/field.ts';
import { findRecord } from '../../model/find.ts';
import { columnsWithoutBytes, type Resource } from '../../model/record.ts';
import { resourceNamed } from '../../model/registry.ts';
import type { Database } from '../../model/session.ts';
import { anonymous } from '../../privacy/anonymous.ts';
import {
  type Condition,
  documentsOf,
  linkedVehicles,
  ownVehicles,
  paymentsOf,
  recordsAbout,
  wholeRows,
} from '../../privacy/person.ts';
import { readLog } from '../../privacy/trace.ts';
import { Contact } from '../../resources/contact.ts';
import { Order } from '../../resources/order.ts';
import { Owner } from '../../resources/owner.ts';
import { databaseNow } from '../../trade/timestamp.ts';
import type { Section } from '../pdf/person-report.ts';

export interface PersonSource {
  readonly owner: Row;
  readonly contact: Row;
  /** The contact first. */
  readonly sections: readonly Section[];
  readonly changes: readonly Row[];
  /** In the form of the database. */
  readonly takenAt: string;
}

/** The columns of a resource that the person gets. */
export const columnsOf = ({ columns, fields }: Resource): string[] =>
  columns.filter((name) => !fields.get(name)?.internal);

/** Undefined if the owner has no such contact. */
export async function readPerson(
  database: Database,
  owner: number,
  id: number,
): Promise<PersonSource | undefined> {
  // The snapshot then has the whole log.
  await placeChanges(database, owner);
  return database.snapshot(async (session) => {
    const garage = Owner.resource;
    const contact = await findRecord(session, Contact.resource, owner, id);
    if (!contact) return undefined;
    const rowsOf = async (name: string, conditions: readonly Condition[]): Promise<Row[]> =>
      wholeRows(session, resourceNamed(name), owner, conditions);
    const about = async (name: string) => recordsAbout(session, resourceNamed(name), owner, id);
    const orders = await rowsOf('order', [{ contact_id: id }, { invoice_contact_id: id }]);
    const order_id = orders.map((order) => Number(order.id));
    const vehicles = await ownVehicles(session, owner, id);
    const ownIds = vehicles.map((vehicle) => Number(vehicle.id));
    const vehicle_id = await linkedVehicles(session, owner, id);
    const parties = (await rowsOf('invoiceparty', [{ order_id }])).filter(
      ({ buyer }) => JSON.parse(String(buyer)).id === id,
    );
    // Somebody else may have paid an invoice that went to somebody else.
    const payments = await paymentsOf(
      session,
      owner,
      parties.map((party) => Number(party.order_id)),
    );
    const sections: [name: string, rows: readonly Row[]][] = [
      ['contact', [contact]],
      ['contactcommunication', await about('contactcommunication')],
      ['vehicleroleline', await about('vehicleroleline')],
      ['vehicle', await rowsOf('vehicle', [{ id: vehicle_id }])],
      ['licenseplatehistory', await rowsOf('licenseplatehistory', [{ vehicle_id }])],
      ['order', orders.map((order) => (order.contact_id === id ? order : printedOf(order)))],
      ['orderline', await rowsOf('orderline', [{ order_id }])],
      ['invoiceparty', parties],
      ['payment', payments],
      ['document', await documentsOf(session, owner, id, vehicles)],
    ];
    return {
      owner: (await findRecord(session, garage, owner, owner, columnsWithoutBytes(garage))) ?? {},
      contact,
      sections: sections.map(([name, rows]) => sectionOf(resourceNamed(name), rows)),
      changes: (await readLog(session, owner, id, ownIds)).map(shownChange),
      takenAt: databaseNow(),
    };
  });
}

const printedOf = (order: Row): Row => anonymous(Order.resource, order, 'kept');

function sectionOf(resource: Resource, rows: readonly Row[]): Section {
  const columns = columnsOf(resource);
  return {
    resource,
    rows: rows.map((row) => Object.fromEntries(columns.map((column) => [column, row[column] ?? null]))),
  };
}

/** Without the names of those who made the changes. */
function shownChange({ at, resource, record_id, action, changes }: LoggedChange): Row {
  const [name = null] = Object.entries(ACTIONS).find(([, number]) => number === action) ?? [];
  return { at, resource, record_id, action: name, changes };
}
