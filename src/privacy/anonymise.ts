// Anonymises a contact: empties or deletes everything that its records declare as personal, in one transaction. What the
// law keeps (invoices) keeps its data, and is listed. The files of deleted documents and old archives are the caller's.

import { lockRecord } from '../model/find.ts';
import { instantText } from '../model/fragment.ts';
import type { RowIn } from '../model/record.ts';
import type { Session } from '../model/session.ts';
import { Contact } from '../resources/contact.ts';
import { Document } from '../resources/document.ts';
import { LicensePlateHistory } from '../resources/license-plate-history.ts';
import { Vehicle } from '../resources/vehicle.ts';
import { LISTS } from '../trade/lists.ts';
import { Anonymised, addToList, digestOf, listContact, readOrigin } from './anonymised-list.ts';
import {
  deleteDocuments,
  emptyInvoice,
  type Invoice,
  invoicesOf,
  invoicesWith,
  keepVehicles,
} from './invoice.ts';
import { documentsOf, ownVehicles, paymentsOf, recordsAbout, resourcesAbout } from './person.ts';
import { anonymous, deleteRecords, differing, overwrite } from './personal-fields.ts';
import { type Kept, keep, listKept, type Retention, readRetention } from './retention.ts';
import { hideAnswers, hideLogged } from './trace.ts';

const { INVOICE, CREDIT_NOTE } = LISTS.documentkinds;

/**
 * Anonymises a contact that the owner has, and answers which invoices keep data of the person. A second time changes
 * nothing. States of records (blocked, archived, invoiced) don't count: the caller checks the contact's own.
 */
export async function anonymise(session: Session, owner: number, id: number): Promise<Kept[]> {
  const contact = Contact.resource;
  const row = await lockRecord(session, contact, owner, id);
  if (!row) throw new Error(`The owner ${owner} has no contact ${id}`);
  const retention = await readRetention(session, owner);
  // First, since records that are emptied no longer say what belongs to whom.
  const vehicles = await ownVehicles(session, owner, id, 'locked');
  const invoices = await keepOnInvoices(session, owner, id, vehicles, retention);
  const documents = await deleteFiles(session, owner, id, { vehicles, invoices, retention });
  await emptyVehicles(session, owner, vehicles);
  await emptyRecords(session, owner, id);
  await overwrite(session, contact, owner, row, anonymous(contact, row));
  const vehicleIds = idsOf(vehicles);
  await hideLogged(session, owner, id, vehicleIds);
  const paths = [
    `contact/${id}`,
    ...vehicleIds.map((vehicle) => `vehicle/${vehicle}`),
    ...documents.map((document) => `document/${document}`),
    ...idsOf(await paymentsOf(session, owner, invoices)).map((payment) => `payment/${payment}`),
  ];
  await hideAnswers(session, owner, id, paths);
  await listContact(session, owner, row);
  return listKept(session, owner, id);
}

type VehicleRow = RowIn<typeof Vehicle>;

/**
 * A restore brings the contacts of an older backup back. This anonymises those that are on a list of this installation
 * or on the `given` one, and answers how many. The owner gets the given list too, for the next restore.
 */
export async function anonymiseListed(
  session: Session,
  owner: number,
  given: readonly string[],
): Promise<number> {
  const { knex } = session;
  const listed = new Set(given);
  for (const { digest } of await Anonymised.query(knex).distinct('digest')) listed.add(digest);
  if (listed.size === 0) return 0;
  const origin = await readOrigin(session, owner);
  const contacts = await Contact.of(session, owner).select(
    'id',
    'contact_number',
    instantText('contacts', 'created_at'),
  );
  const found = contacts.filter((contact) => listed.has(digestOf(origin, contact)));
  for (const { id } of found) await anonymise(session, owner, id);
  await addToList(session, owner, given);
  return found.length;
}

const idsOf = (rows: readonly { id: number }[]): number[] => rows.map(({ id }) => id);

/**
 * Lists the invoices that must be kept, with copies of the vehicles. Empties those whose time has passed. Answers the
 * orders of the contact's own invoices.
 */
async function keepOnInvoices(
  session: Session,
  owner: number,
  contact: number,
  vehicles: readonly VehicleRow[],
  { isOver }: Retention,
): Promise<ReadonlySet<number>> {
  const vehicle = Vehicle.resource;
  const personal = vehicles.filter((row) => differing(vehicle, row, anonymous(vehicle, row)).length > 0);
  const showing = new Map<number, VehicleRow[]>();
  const invoices = new Map<number, Invoice>();
  for (const row of personal)
    for (const invoice of await invoicesWith(session, owner, row.id)) {
      invoices.set(invoice.id, invoice);
      showing.set(invoice.id, [...(showing.get(invoice.id) ?? []), row]);
    }
  const own = await invoicesOf(session, owner, contact);
  for (const invoice of own) invoices.set(invoice.id, invoice);
  for (const invoice of invoices.values()) {
    if (isOver(String(invoice.invoice_date))) await emptyInvoice(session, owner, invoice.id, contact);
    else {
      await keep(session, { owner_id: owner, contact_id: contact, order_id: invoice.id });
      const shown = showing.get(invoice.id);
      if (shown) await keepVehicles(session, owner, invoice, shown);
    }
  }
  return new Set(own.map(({ id }) => id));
}

interface Found {
  readonly vehicles: readonly VehicleRow[];
  /** The orders of the contact's invoices. */
  readonly invoices: ReadonlySet<number>;
  readonly retention: Retention;
}

/**
 * Deletes the documents of the contact, of the contact's orders and vehicles, and answers their IDs. Invoices stay, also
 * those that are only a stored file.
 */
async function deleteFiles(
  session: Session,
  owner: number,
  contact: number,
  { vehicles, invoices, retention }: Found,
): Promise<number[]> {
  const gone: number[] = [];
  for (const document of await documentsOf(session, owner, contact, vehicles)) {
    const { id, document_kind, order_id, created_at } = document;
    const isInvoice = document_kind === INVOICE || document_kind === CREDIT_NOTE;
    if (isInvoice && order_id !== null && invoices.has(order_id)) continue;
    if (isInvoice && !retention.isOver(created_at))
      await keep(session, { owner_id: owner, contact_id: contact, document_id: id });
    else gone.push(id);
  }
  await deleteDocuments(session, owner, [{ id: gone }]);
  return gone;
}

async function emptyVehicles(
  session: Session,
  owner: number,
  vehicles: readonly VehicleRow[],
): Promise<void> {
  const vehicle = Vehicle.resource;
  for (const row of vehicles) {
    await overwrite(session, vehicle, owner, row, anonymous(vehicle, row));
    await LicensePlateHistory.of(session, owner).delete().where('vehicle_id', row.id);
  }
}

/** Empties or deletes all records about the contact, as their resources say; documents have a rule of their own. */
async function emptyRecords(session: Session, owner: number, contact: number): Promise<void> {
  for (const resource of resourcesAbout()) {
    if (resource === Document.resource || resource.traits.about?.anonymised === 'kept') continue;
    const rows = await recordsAbout(session, resource, owner, contact, 'locked');
    if (resource.traits.about?.anonymised === 'deleted') await deleteRecords(session, resource, owner, rows);
    else
      for (const row of rows) {
        const printed = row.is_invoiced === 1 ? 'kept' : 'emptied';
        await overwrite(session, resource, owner, row, anonymous(resource, row, printed));
      }
  }
}
