// How long the law keeps invoices: until the end of the seventh year after their book year. The list of kept invoices
// says which still hold data of somebody who was anonymised; `purgeKept` empties an invoice when its time has passed.

import { OwnedModel } from '../../core/model/statements/base-model.ts';
import { instant, now } from '../../core/model/statements/fragment.ts';
import { type Garage, garageOf } from '../../core/model/statements/garage.ts';
import { columns, type Selected, selected, text } from '../../core/model/statements/selected.ts';
import type { Database, Session } from '../../core/model/statements/session.ts';
import type { Tidier } from '../../core/model/statements/tidier.ts';
import { Document } from '../../core/resources/document.ts';
import { Order } from '../../core/resources/order.ts';
import { Owner } from '../../core/resources/owner.ts';
import { invoiceYear, LARGEST_OFFSET_MS } from '../../core/trade/invoice-number.ts';
import { timezoneOf } from '../../core/trade/time/day.ts';
import { databaseTime, formatTimestamp } from '../../core/trade/time/timestamp.ts';
import { deleteDocuments, emptyInvoice } from './invoice.ts';

/** Whole years after the book year of an invoice. */
const YEARS = 7;

/** An invoice that holds personal data of an anonymised contact: of an order, or only a stored file. 0: none. */
class KeptInvoice extends OwnedModel {
  static override tableName = 'kept_invoices';
  static override idColumn = ['owner_id', 'contact_id', 'order_id', 'document_id'];
  declare owner_id: number;
  declare contact_id: number;
  declare order_id: number;
  declare document_id: number;
}

/** As the answer lists it. */
export interface Kept {
  readonly invoice_number: string;
  /** The last day, `YYYY-12-31`. */
  readonly until: string;
}

/** Tells how long an owner keeps an invoice of an instant, in the form of the database. */
export interface Retention {
  readonly lastYear: (instant: string) => number;
  readonly isOver: (instant: string) => boolean;
}

/** Years follow the owner's calendar, as in the numbers of the invoices. `at`: now, by the clock of the database. */
export async function readRetention(garage: Garage, at?: Date): Promise<Retention> {
  const row = await selected(Owner.of(garage).first(), {
    ...columns(Owner, Owner.tableName, 'timezone'),
    now: text(now()),
  });
  const timezone = timezoneOf(row);
  const yearOf = (instant: string) => invoiceYear(new Date(formatTimestamp(instant)), timezone);
  const thisYear = at ? invoiceYear(at, timezone) : yearOf(String(row?.now));
  const lastYear = (instant: string) => yearOf(instant) + YEARS;
  return { lastYear, isOver: (instant) => thisYear > lastYear(instant) };
}

export async function keep(
  garage: Garage,
  invoice: Pick<KeptInvoice, 'contact_id'> & Partial<Pick<KeptInvoice, 'order_id' | 'document_id'>>,
): Promise<void> {
  const row = { owner_id: garage.owner, order_id: 0, document_id: 0, ...invoice };
  await KeptInvoice.ofAllOwners('insert', garage).insert(row).onConflict().ignore();
}

/** The kept invoices of a contact, the oldest first. A stored file goes by the name of its document. */
export async function listKept(garage: Garage, contact: number): Promise<Kept[]> {
  const { lastYear } = await readRetention(garage);
  const rows = await KeptInvoice.of(garage).where('contact_id', contact);
  // Whole rows have long texts.
  const orders = await Order.of(garage)
    .select('id', 'invoice_date', 'invoice_number', 'supplier_invoice_number')
    .whereIn(
      'id',
      rows.map(({ order_id }) => order_id),
    );
  const documents = await Document.of(garage)
    .select('name', 'created_at')
    .whereIn(
      'id',
      rows.map(({ document_id }) => document_id),
    );
  const dated = [
    ...orders.map((order) => [String(order.invoice_date), numberOf(order)] as const),
    ...documents.map((document) => [document.created_at, document.name] as const),
  ];
  return dated
    .sort()
    .map(([instant, invoice_number]) => ({ invoice_number, until: `${lastYear(instant)}-12-31` }));
}

/** A purchase by the invoice of the seller has the seller's number, and its credit note may have none. */
const numberOf = ({ id, invoice_number, supplier_invoice_number }: Order): string =>
  invoice_number ?? supplier_invoice_number ?? String(id);

const KEPT = columns(KeptInvoice, 'k', 'owner_id', 'contact_id', 'order_id', 'document_id');
type KeptRow = Selected<typeof KEPT>;

interface Due extends KeptRow {
  /** The time of the invoice, in the form of the database. */
  readonly at: string;
}

export const PRIVACY_TIDIERS: readonly Tidier[] = [
  { name: 'kept_invoices', byAge: true, remove: ({ database, at }) => purgeKept(database, at) },
];

/**
 * Empties all invoices whose time has passed at an instant, each in a transaction of its own, and answers how many.
 */
export async function purgeKept(database: Database, at: Date): Promise<number> {
  let emptied = 0;
  const due = [
    ...(await dueBy(database, at, [Order.tableName, 'k.order_id', 'invoice_date'])),
    ...(await dueBy(database, at, [Document.tableName, 'k.document_id', 'created_at'])),
  ];
  for (const invoice of due) {
    const { isOver } = await readRetention(garageOf(database, invoice.owner_id), at);
    if (!isOver(invoice.at)) continue;
    await database.transaction((session) => empty(session, invoice));
    emptied += 1;
  }
  return emptied;
}

/** The kept invoices that may be due: in no time zone has a later one passed its time. */
async function dueBy(
  { knex }: Session,
  at: Date,
  [table, reference, column]: readonly [table: string, reference: string, column: string],
): Promise<Due[]> {
  const latestYear = new Date(at.getTime() + LARGEST_OFFSET_MS).getUTCFullYear();
  const lastPossible = databaseTime(new Date(Date.UTC(latestYear - YEARS, 0, 2)));
  const due = KeptInvoice.ofAllOwners('tidying', { knex })
    .alias('k')
    .join(`${table} as r`, 'r.id', reference)
    .where(`r.${column}`, '<', lastPossible);
  return selected(due, { ...KEPT, at: text(instant(`r.${column}`)) });
}

async function empty(
  session: Session,
  { owner_id, contact_id, order_id, document_id }: KeptRow,
): Promise<void> {
  if (order_id === 0) await deleteDocuments(garageOf(session, owner_id), [{ id: document_id }]);
  else await emptyInvoice(garageOf(session, owner_id), order_id, contact_id);
  await KeptInvoice.ofAllOwners('tidying', session).deleteById([owner_id, contact_id, order_id, document_id]);
}
