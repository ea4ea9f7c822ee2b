// Turns an order into an invoice, in the transaction that changes the order: checks, number, dates, and copies of
// seller and buyer. The number comes from a counter row. The row stays locked until the transaction ends, so invoice
// numbers have no gaps and no duplicates.

import { about, type Violation, violation } from '../errors.ts';
import { refuse } from '../model/check.ts';
import type { OrderChange, OrderRow } from '../resources/order.ts';
import { OrderLine } from '../resources/order-line.ts';
import { storable } from '../trade/day.ts';
import { dueDate, invoiceYear, MOST_PAYMENT_DAYS } from '../trade/invoice-number.ts';
import { LISTS } from '../trade/lists.ts';
import { purchaseOf } from '../trade/purchase-proof.ts';
import { databaseTime } from '../trade/timestamp.ts';
import { claimCredited, unfitCredit } from './credit.ts';
import { readCredits } from './credit-rest.ts';
import { judgeWhole } from './credit-whole.ts';
import { demandFittingDeposit } from './deposit.ts';
import { deductDeposits } from './deposit-deduction.ts';
import { keepParties, type Parties, readParties } from './invoice-parties.ts';
import { nextInvoiceNumber, seriesOf } from './invoice-series.ts';
import { judgeApproval } from './lease.ts';
import { settleCredit } from './order-totals.ts';
import { unprintableNames } from './printable-name.ts';
import { unfitPurchase } from './purchase.ts';
import { unfitMargin } from './purchase-price.ts';
import { claimStock, moveStock, moveStockBack, sells } from './stock.ts';
import { unfitVatCodes } from './vat-code.ts';

const PAYMENT_DAYS = 14;
export const DEFAULT_TIMEZONE = 'Europe/Amsterdam';
const ADDRESS = ['street', 'huisnummer', 'postcode', 'city'] as const;
const NAMES = ['company_name', 'last_name'] as const;

/** Makes `next` an invoice. Throws a Problem if lines, address, vehicle or credit don't allow an invoice. */
export async function invoice(change: OrderChange): Promise<void> {
  const { next, garage } = change;
  await demandFittingDeposit(change);
  const parties = await readParties(garage, next);
  const { seller, buyer } = parties;
  const days = unusableDays(paymentDays(parties));
  const credited = await claimCredited(change);
  const stock = await claimStock(change);
  const approval = await judgeApproval(change, parties);
  refuse([
    ...(await missingLines(change)),
    ...about('contact', buyer.id, missingAddress(buyer)),
    ...unprintableNames(parties),
    ...missingVehicle(next),
    ...(await unfitPurchase(change, parties)),
    ...(await unfitVatCodes(change, parties, credited)),
    ...(await unfitMargin(change)),
    ...stock.unfit,
    ...approval.refused,
    ...(buyer.payment_days === null ? about('owner', garage.owner, days) : about('contact', buyer.id, days)),
  ]);
  const isWhole = credited !== undefined && (await judgeCredit(change, credited));
  await deductDeposits(change, parties);

  const now = new Date();
  next.is_invoiced = 1;
  next.amount_open = next.total_gross;
  next.invoice_date = databaseTime(now);
  next.supply_date ??= next.invoice_date;
  next.due_date = dueOf(now, parties);
  await keepParties(garage, next, parties, { credited, approval_number: approval.number });
  await moveStock(change, stock);
  if (credited && isWhole) await moveStockBack(change, credited);
  // Last, so that the counter row is locked as briefly as possible.
  const series = seriesOf(
    purchaseOf(next, credited),
    parties,
    invoiceYear(now, seller.timezone ?? DEFAULT_TIMEZONE),
  );
  next.invoice_number = series ? await nextInvoiceNumber(garage, series) : null;
}

/** Computes the amounts of a credit note. Returns whether it takes back the whole invoice. Throws Problem. */
async function judgeCredit(change: OrderChange, credited: OrderRow): Promise<boolean> {
  const { next, garage } = change;
  const earlier = await readCredits(garage, credited.id, { except: next.id, invoicedOnly: true });
  await settleCredit(change, credited, earlier);
  refuse(await unfitCredit(change, credited, earlier));
  const { isWhole, unfit } = await judgeWhole(change, credited, earlier);
  refuse(unfit);
  return isWhole;
}

/** The buyer's days to pay, or else the seller's. */
const paymentDays = ({ seller, buyer }: Pick<Parties, 'seller' | 'buyer'>): number =>
  buyer.payment_days ?? seller.payment_days ?? PAYMENT_DAYS;

/** The due date of an invoice of this date, in the form of the database. */
export const dueOf = (date: Date, parties: Pick<Parties, 'seller' | 'buyer'>): string =>
  storable(dueDate(date, paymentDays(parties), parties.seller.timezone ?? DEFAULT_TIMEZONE));

async function missingLines({ next, garage }: OrderChange): Promise<Violation[]> {
  const line = await OrderLine.of(garage).select('id').findOne('order_id', next.id);
  return line ? [] : [violation('array_empty', { field: 'orderline' })];
}

function missingAddress(buyer: Parties['buyer']): Violation[] {
  const isEmpty = (field: (typeof ADDRESS | typeof NAMES)[number]) =>
    String(buyer[field] ?? '').trim() === '';
  const name = buyer.contact_kind === LISTS.contactkinds.COMPANY ? 'company_name' : 'last_name';
  const empty = [...(NAMES.every(isEmpty) ? [name] : []), ...ADDRESS.filter(isEmpty)];
  return empty.map((field) => violation('field_empty', { field }));
}

function missingVehicle(next: OrderChange['next']): Violation[] {
  return sells(next) && next.vehicle_id === null ? [violation('field_empty', { field: 'vehicle_id' })] : [];
}

/** A due date can't lie before the invoice date, and the database can't store one too far away. */
function unusableDays(days: number): Violation[] {
  if (days >= 0 && days <= MOST_PAYMENT_DAYS) return [];
  const validation = `0..${MOST_PAYMENT_DAYS}`;
  return [violation('value_invalid', { field: 'payment_days', value: days, validation })];
}
