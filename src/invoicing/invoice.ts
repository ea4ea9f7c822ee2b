// Turns an order into an invoice, in the transaction that changes the order: checks, number, dates, and copies of
// seller and buyer. The number comes from a counter row. The row stays locked until the transaction ends, so invoice
// numbers have no gaps and no duplicates.

import { about, type Violation, violation } from '../errors.ts';
import { refuse } from '../model/check.ts';
import { nextNumber } from '../model/counter.ts';
import { lockRecord } from '../model/find.ts';
import type { Change, RowIn } from '../model/record.ts';
import { changeRow } from '../model/write.ts';
import type { Order } from '../resources/order.ts';
import { OrderLine } from '../resources/order-line.ts';
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
import { claimCredited, unfitCredit } from './credit.ts';
import { keepParties, type Parties, readParties } from './invoice-parties.ts';
import { settleCredit } from './order-totals.ts';
import { unfitVatCodes } from './vat-code.ts';

const { SOLD } = LISTS.stockstatuses;
const PAYMENT_DAYS = 14;
export const DEFAULT_TIMEZONE = 'Europe/Amsterdam';
const ADDRESS = ['street', 'huisnummer', 'postcode', 'city'] as const;
const NAMES = ['company_name', 'last_name'] as const;

type OrderChange = Change<RowIn<typeof Order>>;

/** Makes `next` an invoice. Throws a Problem if lines, address, vehicle or credit don't allow an invoice. */
export async function invoice(change: OrderChange): Promise<void> {
  const { next, owner, session } = change;
  const parties = await readParties(session, owner, next);
  const { seller, buyer } = parties;
  const days = unusableDays(paymentDays(parties));
  refuse([
    ...(await missingLines(change)),
    ...about('contact', buyer.id, missingAddress(buyer)),
    ...missingVehicle(next),
    ...(await unfitVatCodes(change, parties)),
    ...(buyer.payment_days === null ? about('owner', owner, days) : about('contact', buyer.id, days)),
  ]);
  await claimCredited(change);
  await settleCredit(session, owner, next);
  refuse(await unfitCredit(change));

  const now = new Date();
  next.is_invoiced = 1;
  next.amount_open = next.total_gross;
  next.invoice_date = databaseTime(now);
  next.supply_date ??= next.invoice_date;
  next.due_date = dueOf(now, parties);
  await keepParties(session, owner, next, parties);
  if (next.order_type === LISTS.ordertypes.VEHICLE_SALES) await markSold(change);
  // Last, so that the counter row is locked as briefly as possible.
  const year = invoiceYear(now, seller.timezone ?? DEFAULT_TIMEZONE);
  const count = await nextNumber(session, owner, invoiceCounter(year));
  next.invoice_number = invoiceNumber(seller.invoice_prefix ?? '', year, count);
}

/** The days to pay of the buyer, else of the seller. */
const paymentDays = ({ seller, buyer }: Parties): number =>
  buyer.payment_days ?? seller.payment_days ?? PAYMENT_DAYS;

/** When an invoice of that date is due, in the form of the database. */
export const dueOf = (date: Date, parties: Parties): string =>
  databaseTime(dueDate(date, paymentDays(parties), parties.seller.timezone ?? DEFAULT_TIMEZONE));

async function missingLines({ next, owner, session }: OrderChange): Promise<Violation[]> {
  const line = await OrderLine.of(session, owner).select('id').findOne('order_id', next.id);
  return line ? [] : [violation('array_empty', { field: 'orderline' })];
}

function missingAddress(buyer: Parties['buyer']): Violation[] {
  const isEmpty = (field: (typeof ADDRESS | typeof NAMES)[number]) =>
    String(buyer[field] ?? '').trim() === '';
  const name = buyer.contact_kind === LISTS.contactkinds.COMPANY ? 'company_name' : 'last_name';
  const empty = [...(NAMES.every(isEmpty) ? [name] : []), ...ADDRESS.filter(isEmpty)];
  return empty.map((field) => violation('field_empty', { field }));
}

function missingVehicle({ order_type, vehicle_id }: OrderChange['next']): Violation[] {
  const needed = order_type === LISTS.ordertypes.VEHICLE_SALES && vehicle_id === null;
  return needed ? [violation('field_empty', { field: 'vehicle_id' })] : [];
}

/** A due date can't lie before the invoice date, and the database can't store one too far away. */
function unusableDays(days: number): Violation[] {
  if (days >= 0 && days <= MOST_PAYMENT_DAYS) return [];
  const validation = `0..${MOST_PAYMENT_DAYS}`;
  return [violation('value_invalid', { field: 'payment_days', value: days, validation })];
}

/** A blocked, archived or system vehicle is left unchanged. */
async function markSold({ next, owner, session }: OrderChange): Promise<void> {
  const vehicle = Vehicle.resource;
  const previous = await lockRecord(session, vehicle, owner, Number(next.vehicle_id));
  if (!previous || previous.is_blocked === 1 || previous.is_archived === 1 || previous.is_system === 1)
    return;
  if (previous.stock_status === SOLD) return;
  await changeRow(session, vehicle, owner, { previous, next: { ...previous, stock_status: SOLD } });
}
