// Personal data within invoices: the buyer, the plates of vehicles, the order's texts and the stored PDFs. While the
// law keeps an invoice, the invoice prints as it did.

import type { Row } from '../../core/model/fields/field.ts';
import { claimRecords, lockRecord } from '../../core/model/lists/find.ts';
import { aboutOf } from '../../core/model/records/about.ts';
import type { Resource, RowIn } from '../../core/model/records/record.ts';
import type { Garage } from '../../core/model/statements/garage.ts';
import { logMany } from '../../core/model/writes/change-log.ts';
import { Contact } from '../../core/resources/contact.ts';
import { Document } from '../../core/resources/document.ts';
import { InvoiceParty } from '../../core/resources/invoice-party.ts';
import { Order } from '../../core/resources/order.ts';
import { OrderLine, type OrderLineRow } from '../../core/resources/order-line.ts';
import { portionsOf } from '../../core/trade/grouped.ts';
import { KEPT_KINDS } from '../../core/trade/kinds/document-type.ts';
import { databaseNow } from '../../core/trade/time/timestamp.ts';
import { noteUnused } from '../../platform/storage/unused-file.ts';
import { isOfPayer, personalResources } from './person.ts';
import { anonymous, deleteRecords, overwrite } from './personal-fields.ts';
import { type Condition, rowsWith, VALUES_A_STATEMENT, wholeColumns, wholeRows } from './whole-row.ts';

export type Invoice = Pick<RowIn<typeof Order>, 'id' | 'invoice_date'>;

const invoicesLike = (garage: Garage, conditions: readonly Condition[]): Promise<Invoice[]> =>
  rowsWith(garage, Order.resource, { columns: ['id', 'invoice_date'], conditions });

/** The orders that are about the contact or addressed to the contact. */
const ordersOf = (contact: number, is_invoiced: 0 | 1): Condition[] => [
  { is_invoiced, contact_id: contact },
  { is_invoiced, invoice_contact_id: contact },
];

/** The orders that show one of the vehicles, in their head or in a line. */
async function ordersWith(
  garage: Garage,
  vehicles: readonly number[],
  is_invoiced: 0 | 1,
): Promise<Condition[]> {
  const lines = await rowsWith<Pick<OrderLineRow, 'id' | 'order_id'>>(garage, OrderLine.resource, {
    columns: ['id', 'order_id'],
    conditions: [{ vehicle_id: vehicles }],
  });
  return [
    { is_invoiced, vehicle_id: vehicles },
    { is_invoiced, id: [...new Set(lines.map(({ order_id }) => order_id))] },
  ];
}

/** The invoices that are about the contact or addressed to the contact. */
export const invoicesOf = (garage: Garage, contact: number): Promise<Invoice[]> =>
  invoicesLike(garage, ordersOf(contact, 1));

/** The invoices that show one of the vehicles, in their head or in a line. */
export const invoicesWith = async (garage: Garage, vehicles: readonly number[]): Promise<Invoice[]> =>
  invoicesLike(garage, await ordersWith(garage, vehicles, 1));

/**
 * Claims the orders that may become invoices of the contact, or with one of the vehicles. An invoice copies contacts
 * and vehicles without a lock. So such an invoice is either there afterwards, or waits until the transaction ends.
 */
export async function claimOpenOrders(
  garage: Garage,
  contact: number,
  vehicles: readonly number[],
): Promise<void> {
  const conditions = [...ordersOf(contact, 0), ...(await ordersWith(garage, vehicles, 0))];
  const open = await rowsWith(garage, Order.resource, { columns: ['id'], conditions });
  const ids = open.map(({ id }) => Number(id));
  for (const some of portionsOf(ids, VALUES_A_STATEMENT)) await claimRecords(garage, Order.resource, some);
}

/** Which documents are deleted: all about the contact, or the files of invoices alone. */
export type Files = 'all' | 'invoices';

/**
 * Removes the contact's personal data, and the copies of vehicles, from an invoice that need not be kept any more.
 * Deletes the files of the invoice, and the other documents of the order that are about the contact if `which` says so.
 */
export async function emptyInvoice(
  garage: Garage,
  id: number,
  contact: number,
  which: Files = 'all',
): Promise<void> {
  const order = Order.resource;
  const row = await lockRecord(garage, order, id);
  const party = await findParty(garage, id);
  if (!row || !party) return;
  const buyer = JSON.parse(party.buyer) as Row;
  const isBuyer = buyer.id === contact;
  const isOwn = row.contact_id === contact;
  const emptied = isBuyer ? anonymous(Contact.resource, buyer) : buyer;
  const driver = isOwn ? null : party.driver;
  await changeParty(garage, id, { buyer: JSON.stringify(emptied), driver, vehicles: '[]' });
  if (isOwn) await overwrite(garage, order, row, anonymous(order, row));
  await emptyParts(garage, id, { isBuyer, isOwn });
  if (!isBuyer && !isOwn) return;
  const parties = [row.contact_id, buyer.id, null];
  const about = isOwn ? [contact, null] : [contact];
  const documents = await rowsWith<Filed>(garage, Document.resource, {
    columns: ['id', 'contact_id', 'document_kind'],
    conditions: [{ order_id: id }],
  });
  const gone = documents.filter(({ contact_id, document_kind }) =>
    KEPT_KINDS.includes(document_kind)
      ? parties.includes(contact_id)
      : which === 'all' && about.includes(contact_id),
  );
  await deleteDocuments(garage, [{ id: gone.map((document) => document.id) }]);
}

type Filed = Pick<RowIn<typeof Document>, 'id' | 'contact_id' | 'document_kind'>;

/**
 * The records that were kept with the invoice: whoever pays may write a name into the reference of a payment. Amounts
 * stay, since the books need them.
 */
async function emptyParts(
  garage: Garage,
  invoice: number,
  { isBuyer, isOwn }: { readonly isBuyer: boolean; readonly isOwn: boolean },
): Promise<void> {
  for (const resource of personalResources()) {
    const about = aboutOf(resource);
    if (about?.anonymised !== 'kept' || resource === InvoiceParty.resource) continue;
    if (!(isOfPayer(resource, about) ? isBuyer : isOwn)) continue;
    const conditions = waysTo(resource, Order.resource).map((field) => ({ [field]: invoice }));
    const columns = wholeColumns(resource);
    for (const row of await rowsWith(garage, resource, { columns, conditions, lock: 'locked' }))
      await overwrite(garage, resource, row, anonymous(resource, row));
  }
}

const waysTo = (resource: Resource, { name }: Resource): string[] =>
  aboutOf(resource)?.through?.filter((field) => resource.fields.get(field)?.reference === name) ?? [];

const findParty = (garage: Garage, order_id: number) => InvoiceParty.of(garage).findOne({ order_id });

async function changeParty(garage: Garage, order_id: number, changes: Row): Promise<void> {
  await InvoiceParty.of(garage)
    .patch({ ...changes, modified_at: databaseNow() })
    .where({ order_id });
}

/** Deletes documents. Their files go with the next tidying. */
export async function deleteDocuments(garage: Garage, conditions: readonly Condition[]): Promise<void> {
  const document = Document.resource;
  const found = await rowsWith(garage, document, { columns: ['id'], conditions, lock: 'locked' });
  const ids = found.map(({ id }) => Number(id));
  for await (const rows of wholeRows(garage, document, ids)) {
    await deleteRecords(garage, document, rows);
    for (const { sha256 } of rows) if (sha256 !== null) await noteUnused(garage, sha256);
    await logMany(garage);
  }
}
