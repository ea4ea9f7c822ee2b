// Anonymises a contact: empties or deletes everything that its records declare as personal, in one transaction.
// Invoices keep their data by law, and are listed. The caller removes the files of deleted documents and old archives.

import type { Row } from '../../core/model/fields/field.ts';
import { type Identified, lockRecord } from '../../core/model/lists/find.ts';
import { aboutOf } from '../../core/model/records/about.ts';
import type { Resource } from '../../core/model/records/record.ts';
import { instantText } from '../../core/model/statements/fragment.ts';
import type { Garage } from '../../core/model/statements/garage.ts';
import { logMany } from '../../core/model/writes/change-log.ts';
import { Contact, type ContactRow } from '../../core/resources/contact.ts';
import { ContactCommunication } from '../../core/resources/contact-communication.ts';
import { Document } from '../../core/resources/document.ts';
import { Vehicle } from '../../core/resources/vehicle.ts';
import { KEPT_KINDS } from '../../core/trade/kinds/document-type.ts';
import { Anonymised, addToList, digestOf, listContact, readOrigin } from './anonymised-list.ts';
import {
  claimOpenOrders,
  deleteDocuments,
  emptyInvoice,
  type Files,
  type Invoice,
  invoicesOf,
  invoicesWith,
} from './invoice.ts';
import { Person, personalResources } from './person.ts';
import { anonymous, deleteRecords, isPersonal, overwrite } from './personal-fields.ts';
import { type Kept, keep, listKept, type Retention, readRetention } from './retention.ts';
import { hideAnswers, hideLogged } from './trace.ts';

/**
 * Anonymises a contact that the owner has, and answers which invoices keep data of the person. A second time changes
 * nothing. States of records (blocked, archived, invoiced) don't count: the caller checks the contact's own.
 */
export async function anonymise(garage: Garage, id: number): Promise<Kept[]> {
  await anonymiseRow(garage, await lockContact(garage, id), personalVehicles);
  return listKept(garage, id);
}

/** `vehiclesOf`: the IDs of the vehicles whose invoices may show the person. */
async function anonymiseRow(
  garage: Garage,
  row: LockedContact,
  vehiclesOf: (person: Person) => Promise<number[]>,
): Promise<void> {
  const contact = Contact.resource;
  const retention = await readRetention(garage);
  // First, because emptied records no longer say to whom they belong.
  const person = new Person(garage, row.id, 'locked');
  await person.unnamed();
  for (const resource of changedResources()) await person.own(resource);
  const invoices = await keepOnInvoices(person, retention, await vehiclesOf(person), 'all');
  await deleteFiles(person, invoices, retention, 'all');
  await emptyRecords(person);
  await overwrite(garage, contact, row, anonymous(contact, row));
  await hideLogged(person);
  await hideAnswers(person);
  await listContact(garage, row);
}

/**
 * A restore brings the contacts of an older backup back. Anonymises the contacts on a list of this installation or on
 * the `given` list, and answers their number. The owner keeps the given list too, for the next restore.
 */
export async function anonymiseListed(garage: Garage, given: readonly string[]): Promise<number> {
  const { knex } = garage;
  const listed = new Set(given);
  for (const { digest } of await Anonymised.ofAllOwners('operator', { knex }).distinct('digest'))
    listed.add(digest);
  if (listed.size === 0) return 0;
  const origin = await readOrigin(garage);
  const contacts = await Contact.of(garage).select(
    'id',
    'contact_number',
    instantText('contacts', 'created_at'),
  );
  const found = contacts.filter((contact) => listed.has(digestOf(origin, contact)));
  for (const { id } of found) await anonymiseAgain(garage, id);
  await addToList(garage, given);
  return found.length;
}

/**
 * A backup that was made after the anonymising holds the contact as it left the contact, and what came since. All of
 * that stays. Only the kept invoices must be listed, because their list is in no backup.
 */
async function anonymiseAgain(garage: Garage, id: number): Promise<void> {
  const row = await lockContact(garage, id);
  if (!(await isAnonymous(garage, row))) return anonymiseRow(garage, row, allVehicles);
  const retention = await readRetention(garage);
  const person = new Person(garage, id, 'locked');
  const invoices = await keepOnInvoices(person, retention, await allVehicles(person), 'invoices');
  await deleteFiles(person, invoices, retention, 'invoices');
  await listContact(garage, row);
}

/** Somebody may have written "Anoniem" by hand: then the communications are still there. */
async function isAnonymous(garage: Garage, row: LockedContact): Promise<boolean> {
  if (isPersonal(Contact.resource, row)) return false;
  return !(await ContactCommunication.of(garage).findOne('contact_id', row.id));
}

/** The IDs of the person's vehicles that hold personal data. */
async function personalVehicles(person: Person): Promise<number[]> {
  const found: number[] = [];
  for await (const vehicles of person.whole(Vehicle.resource))
    for (const vehicle of vehicles) if (isPersonal(Vehicle.resource, vehicle)) found.push(vehicle.id);
  return found;
}

/** The IDs of all vehicles of the person: anonymised ones no longer show that invoices print their old plates. */
const allVehicles = async (person: Person): Promise<number[]> =>
  (await person.own(Vehicle.resource)).map(({ id }) => Number(id));

type LockedContact = ContactRow & Identified;

async function lockContact(garage: Garage, id: number): Promise<LockedContact> {
  const row = await lockRecord(garage, Contact.resource, id);
  if (!row) throw new Error(`The owner ${garage.owner} has no contact ${id}`);
  return row;
}

/**
 * Lists the invoices that must be kept, of the contact and with one of the `vehicles`, and empties invoices whose time
 * has passed, with `which` of their documents. Answers the orders of the contact's own invoices.
 */
async function keepOnInvoices(
  person: Person,
  { isOver }: Retention,
  vehicles: readonly number[],
  which: Files,
): Promise<ReadonlySet<number>> {
  const { garage, contact } = person;
  await claimOpenOrders(garage, contact, vehicles);
  const invoices = new Map<number, Invoice>();
  for (const invoice of await invoicesWith(garage, vehicles)) invoices.set(invoice.id, invoice);
  const own = await invoicesOf(garage, contact);
  for (const invoice of own) invoices.set(invoice.id, invoice);
  for (const invoice of invoices.values()) {
    if (isOver(String(invoice.invoice_date))) await emptyInvoice(garage, invoice.id, contact, which);
    else await keep(garage, { contact_id: contact, order_id: invoice.id });
    await logMany(garage);
  }
  return new Set(own.map(({ id }) => id));
}

/** Deletes documents of the person: `all`, or `invoices` alone. While the law keeps an invoice, also its file stays. */
async function deleteFiles(
  person: Person,
  invoices: ReadonlySet<number>,
  retention: Retention,
  which: Files,
): Promise<void> {
  const { garage, contact } = person;
  const gone: number[] = [];
  for await (const documents of person.whole(Document.resource))
    for (const { id, document_kind, order_id, created_at } of documents) {
      const isInvoice = KEPT_KINDS.includes(document_kind);
      if (isInvoice && order_id !== null && invoices.has(order_id)) continue;
      if (isInvoice && !retention.isOver(created_at))
        await keep(garage, { contact_id: contact, document_id: id });
      else if (isInvoice || which === 'all') gone.push(id);
    }
  await deleteDocuments(garage, [{ id: gone }]);
}

/** The resources that anonymising changes: the rest is kept with its invoices. */
const changedResources = (): Resource[] =>
  personalResources().filter((resource) => aboutOf(resource)?.anonymised !== 'kept');

/**
 * Empties or deletes all records about the contact, as their resources say; documents have a rule of their own. Records
 * that refer to others come first, since the database refuses to delete a record that another one refers to.
 */
async function emptyRecords(person: Person): Promise<void> {
  const { garage } = person;
  for (const resource of changedResources().reverse()) {
    if (resource === Document.resource) continue;
    const isDeleted = aboutOf(resource)?.anonymised === 'deleted';
    for await (const rows of person.whole(resource)) {
      if (isDeleted) await deleteRecords(garage, resource, rows);
      else await emptyRows(garage, resource, rows);
      await logMany(garage);
    }
  }
}

async function emptyRows(garage: Garage, resource: Resource, rows: readonly Row[]): Promise<void> {
  for (const row of rows) {
    const printed = row.is_invoiced === 1 ? 'kept' : 'emptied';
    await overwrite(garage, resource, row, anonymous(resource, row, printed));
  }
}
