// Turns an order into an invoice, in the transaction that changes the order: checks, number, dates, and copies of
// seller and buyer. Number and date come from a counter row that stays locked until the transaction ends. So invoice
// numbers have no gaps and no duplicates, and their dates rise with them.

import { about, type Violation, violation } from '../errors.ts';
import { refuse } from '../model/check.ts';
import type { Change, RowIn } from '../model/record.ts';
import type { Order } from '../resources/order.ts';
import { OrderLine } from '../resources/order-line.ts';
import { storable } from '../trade/day.ts';
import { dueDate, MOST_PAYMENT_DAYS } from '../trade/invoice-number.ts';
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
import { claimStock, claimStockBack, moveStock, moveStockBack, sells } from './stock.ts';
import { unfitVatCodes } from './vat-code.ts';

const PAYMENT_DAYS = 14;
export const DEFAULT_TIMEZONE = 'Europe/Amsterdam';
const ADDRESS = ['street', 'huisnummer', 'postcode', 'city'] as const;
const NAMES = ['company_name', 'last_name'] as const;

type OrderRow = RowIn<typeof Order>;
type OrderChange = Change<OrderRow>;

/** Makes `next` an invoice. Throws a Problem if lines, address, vehicle or credit don't allow an invoice. */
export async function invoice(change: OrderChange): Promise<void> {
  const { next, garage } = change;
  await demandFittingDeposit(change);
  const parties = await readParties(garage, next);
  const { buyer } = parties;
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

  next.is_invoiced = 1;
  next.amount_open = next.total_gross;
  await keepParties(garage, next, parties, { credited, approval_number: approval.number });
  const back = credited && isWhole ? await claimStockBack(change, credited) : undefined;
  // As late as possible, so that the counter row is locked briefly. The vehicles change hands at this time.
  const at = await number(change, parties, credited);
  next.invoice_date = databaseTime(at);
  next.supply_date ??= next.invoice_date;
  next.due_date = dueOf(at, parties);
  await moveStock(change, stock);
  if (back) await moveStockBack(change, back);
}

/** Gives an invoice its number, and returns its time. */
async function number(
  { next, garage }: OrderChange,
  parties: Parties,
  credited: OrderRow | undefined,
): Promise<Date> {
  const now = new Date();
  const series = seriesOf(purchaseOf(next, credited), parties);
  next.invoice_number = null;
  if (!series) return now;
  const timezone = parties.seller.timezone ?? DEFAULT_TIMEZONE;
  const { invoice_number, at } = await nextInvoiceNumber(garage, series, { now, timezone });
  next.invoice_number = invoice_number;
  return at;
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
