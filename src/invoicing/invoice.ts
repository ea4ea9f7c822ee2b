// Turns an order into an invoice, in the transaction that changes the order: checks, number, dates, and copies of
// seller and buyer. The number comes from a counter row. The row stays locked until the transaction ends, so invoice
// numbers have no gaps and no duplicates.

import { type Violation, violation } from '../errors.ts';
import { refuse } from '../model/check.ts';
import { nextNumber } from '../model/counter.ts';
import type { Row } from '../model/field.ts';
import { findRecord, lockRecord } from '../model/find.ts';
import { type Change, columnsWithoutBytes } from '../model/record.ts';
import { resourceNamed } from '../model/registry.ts';
import type { Session } from '../model/session.ts';
import { update } from '../model/store.ts';
import { insertRow } from '../model/write.ts';
import { Contact } from '../resources/contact.ts';
import { InvoiceParty } from '../resources/invoice-party.ts';
import { OrderLine } from '../resources/order-line.ts';
import { Owner } from '../resources/owner.ts';
import { Vehicle } from '../resources/vehicle.ts';
import {
  dueDate,
  invoiceCounter,
  invoiceNumber,
  invoiceYear,
  MOST_PAYMENT_DAYS,
} from '../trade/invoice-number.ts';
import { LISTS } from '../trade/lists.ts';
import { databaseTime } from '../trade/timestamp.ts';
import { type CreditRow, creditExceeds } from './credit.ts';
import { frozenParty } from './frozen-party.ts';

const { SOLD } = LISTS.stockstatuses;
export const PAYMENT_DAYS = 14;
export const DEFAULT_TIMEZONE = 'Europe/Amsterdam';
const ADDRESS = ['street', 'huisnummer', 'postcode', 'city'];
const NAMES = ['company_name', 'last_name'];

export interface InvoiceRow extends CreditRow {
  invoice_contact_id: number | null;
  vehicle_id: number | null;
  is_invoiced: number;
  invoice_number: string | null;
  invoice_date: string | null;
  due_date: string | null;
  amount_open: string | null;
}

/** Makes `next` an invoice. Throws a Problem if lines, address, vehicle or credit don't allow an invoice. */
export async function invoice(change: Change<InvoiceRow>): Promise<void> {
  const { next, owner, session } = change;
  const seller = await requireRecord(session, 'owner', owner, 'owner_id', owner);
  const buyer =
    next.invoice_contact_id === null
      ? await requireRecord(session, 'contact', owner, 'contact_id', next.contact_id)
      : await requireRecord(session, 'contact', owner, 'invoice_contact_id', next.invoice_contact_id);
  const days = Number(buyer.payment_days ?? seller.payment_days ?? PAYMENT_DAYS);
  refuse([
    ...(await missingLines(change)),
    ...about('contact', Number(buyer.id), missingAddress(buyer)),
    ...missingVehicle(next),
    ...(buyer.payment_days == null
      ? about('owner', owner, unusableDays(days))
      : about('contact', Number(buyer.id), unusableDays(days))),
  ]);
  refuse([(await creditExceeds(change)) ?? []].flat());

  const now = new Date();
  const timezone = String(seller.timezone ?? DEFAULT_TIMEZONE);
  const year = invoiceYear(now, timezone);
  next.is_invoiced = 1;
  next.amount_open = next.total_gross;
  next.invoice_date = databaseTime(now);
  next.due_date = databaseTime(dueDate(now, days, timezone));
  await keepParties(change, seller, buyer);
  if (next.order_type === LISTS.ordertypes.VEHICLE_SALES) await markSold(change);
  // Last, so that the counter row is locked as briefly as possible.
  const count = await nextNumber(session, owner, invoiceCounter(year));
  next.invoice_number = invoiceNumber(String(seller.invoice_prefix ?? ''), year, count);
}

/** A record that the order refers to. `field` names the reference in the error. */
export async function requireRecord(
  session: Session,
  name: string,
  owner: number,
  field: string,
  id: number,
): Promise<Row> {
  const resource = resourceNamed(name);
  const row = await findRecord(session, resource, owner, id, columnsWithoutBytes(resource));
  if (!row) refuse([violation('reference_unknown', { field, value: id })]);
  return row ?? {};
}

async function missingLines({ next, owner, session }: Change<InvoiceRow>): Promise<Violation[]> {
  const line = await OrderLine.of(session, owner).select('id').findOne('order_id', next.id);
  return line ? [] : [violation('array_empty', { field: 'orderline' })];
}

/** The request addresses the order, so each entry about a contact or an owner names that record. */
const about = (resource: string, id: number, found: readonly Violation[]): Violation[] =>
  found.map((one) => ({ ...one, resource, id }));

function missingAddress(buyer: Row): Violation[] {
  const isEmpty = (field: string) => String(buyer[field] ?? '').trim() === '';
  const name = NAMES.every(isEmpty)
    ? [buyer.contact_kind === LISTS.contactkinds.COMPANY ? 'company_name' : 'last_name']
    : [];
  return [...name, ...ADDRESS.filter(isEmpty)].map((field) => violation('field_empty', { field }));
}

function missingVehicle({ order_type, vehicle_id }: InvoiceRow): Violation[] {
  const needed = order_type === LISTS.ordertypes.VEHICLE_SALES && vehicle_id === null;
  return needed ? [violation('field_empty', { field: 'vehicle_id' })] : [];
}

/** A due date can't lie before the invoice date, and the database can't store one too far away. */
function unusableDays(days: number): Violation[] {
  if (days >= 0 && days <= MOST_PAYMENT_DAYS) return [];
  const validation = `0..${MOST_PAYMENT_DAYS}`;
  return [violation('value_invalid', { field: 'payment_days', value: days, validation })];
}

/** Documents that are printed later show the seller and the buyer as they are now. */
export async function keepParties(
  { next, owner, session }: Change<InvoiceRow>,
  seller: Row,
  buyer: Row,
): Promise<void> {
  await insertRow(session, InvoiceParty.resource, owner, {
    order_id: next.id,
    seller: frozenParty(Owner.resource, seller),
    buyer: frozenParty(Contact.resource, buyer),
    // Filled where the vehicles are anonymised: see privacy/invoice.ts.
    vehicles: '[]',
  });
}

/** A blocked, archived or system vehicle is left unchanged. */
async function markSold({ next, owner, session }: Change<InvoiceRow>): Promise<void> {
  const vehicle = Vehicle.resource;
  const previous = await lockRecord(session, vehicle, owner, Number(next.vehicle_id));
  if (!previous || previous.is_blocked === 1 || previous.is_archived === 1 || previous.is_system === 1)
    return;
  if (previous.stock_status === SOLD) return;
  const sold = { ...previous, stock_status: SOLD };
  await update(vehicle, { next: sold, previous, given: () => undefined, owner, session });
}
