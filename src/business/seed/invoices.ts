// Makes invoices of orders, with the rules and counters of the service, so that the service's own numbers go on behind
// them without a gap. Of six invoices in a row four are paid in full, one in part and one not at all.

import type { InvoiceParty } from '../../core/resources/invoice-party.ts';
import { OrderLine } from '../../core/resources/order-line.ts';
import { Payment } from '../../core/resources/payment.ts';
import { sellerDateOf } from '../../core/trade/book-date.ts';
import { cashLimitOn } from '../../core/trade/cash-limit.ts';
import { grouped } from '../../core/trade/grouped.ts';
import { nameOf } from '../../core/trade/identity/printed-name.ts';
import { invoiceNumber, invoiceYear, seriesCounter } from '../../core/trade/invoice-number.ts';
import { isSelfBilled, purchaseOf } from '../../core/trade/kinds/purchase-proof.ts';
import { LISTS } from '../../core/trade/lists.ts';
import { timezoneOf } from '../../core/trade/time/day.ts';
import { DAY_MS } from '../../core/trade/time/duration.ts';
import { databaseTime } from '../../core/trade/time/timestamp.ts';
import { cents, euros } from '../../core/trade/totals.ts';
import { dueOf } from '../invoicing/invoice/invoice.ts';
import { copyParties, copyVehicles } from '../invoicing/invoice/invoice-parties.ts';
import { seriesOf } from '../invoicing/invoice/invoice-series.ts';
import { RATE_DAY } from './calendar.ts';
import type { Draft, Part } from './drafts.ts';
import { amountsOf, type Sheet } from './orders.ts';
import type { Slice } from './plans.ts';
import { inTurn } from './random.ts';
import { buyerOf } from './vehicles.ts';

const { CASH, PIN, BANK, IDEAL, OFFSET } = LISTS.paymentmethods;
const METHODS = [BANK, BANK, PIN, PIN, IDEAL, CASH];
const LONGEST_DELAY_DAYS = 45;
/** The limit of the last day holds for all years. */
const CASH_LIMIT = cashLimitOn(RATE_DAY)?.below ?? 0n;
/** Six invoices in a row are paid so: each payment in percent of the amount that is still open. */
const PAYMENTS = [[20n, 100n], [100n], [100n], [40n], [100n], []];

export const isInvoice = ({ plan }: Pick<Sheet, 'plan'>): boolean =>
  plan.status === LISTS.orderstatuses.INVOICE;

/** Gives the orders numbers and dates, in the order of their instants. */
export async function numberInvoices({ drafts, seller }: Slice, sheets: readonly Sheet[]): Promise<void> {
  const numbered = sheets.flatMap(({ order, pair, plan }) => {
    const parties = { seller, buyer: buyerOf(pair) };
    const invoice_date = databaseTime(plan.at);
    Object.assign(order, { is_invoiced: 1, invoice_date, supply_date: invoice_date });
    order.due_date = dueOf(order, parties);
    order.book_date = sellerDateOf(order) ?? invoice_date;
    const series = seriesOf(purchaseOf(order), parties);
    const year = invoiceYear(plan.at, timezoneOf(seller));
    return series ? { order, prefix: series.prefix, year, counter: seriesCounter(series.kind, year) } : [];
  });
  for (const [counter, own] of grouped(numbered, (one) => one.counter)) {
    const first = await drafts.reserve(counter, own.length);
    for (const [index, { order, prefix, year }] of own.entries())
      order.invoice_number = invoiceNumber(prefix, year, first + index);
  }
}

/** Takes a deposit off the invoice of its sale. */
export function deduct({ drafts }: Part, { order: deposit, lines, target }: Sheet): void {
  if (!target || !isInvoice(target)) return;
  const { order } = target;
  const minus = (amount: string | null) => euros(-cents(amount ?? '0'));
  for (const line of lines) {
    const taken = {
      ...line,
      description: `Af: aanbetaling, factuur ${deposit.invoice_number}`,
      ...{ order_id: order, credited_line_id: line, sort_order: target.lines.length + 1, quantity: '-1' },
      price: String(order.is_vat_included === 1 ? line.line_gross : line.line_net),
      line_net: minus(line.line_net),
      line_vat: minus(line.line_vat),
      line_gross: minus(line.line_gross),
    };
    target.lines.push(drafts.add(OrderLine, taken));
  }
  Object.assign(order, amountsOf(target));
}

/** Pays the invoices, and sets the open amounts of their orders. Credit notes are paid back. */
export function payInvoices(slice: Slice, invoices: readonly Sheet[]): void {
  for (const [index, sheet] of invoices.entries()) {
    const { order } = sheet;
    order.amount_open = order.total_gross;
    settleCredit(slice, sheet);
    for (const percent of inTurn(PAYMENTS, index))
      pay(slice, sheet, (cents(order.amount_open ?? '0') * percent) / 100n);
  }
}

/** A credit note and its invoice lower each other, before anything is paid. */
function settleCredit(part: Part, { order, credited, plan, pair }: Sheet): void {
  if (!credited) return;
  const [open, given] = [cents(credited.order.amount_open ?? '0'), -cents(order.total_gross ?? '0')];
  const amount = open < given ? open : given;
  const same = { method: OFFSET, paid_at: databaseTime(plan.at), payer_id: buyerOf(pair).id };
  addPayment(part, credited.order, amount, { ...same, reference: order.invoice_number });
  addPayment(part, order, -amount, { ...same, reference: credited.order.invoice_number });
}

function pay(part: Part, { order, pair, plan, credited, target }: Sheet, amount: bigint): void {
  const { random } = part;
  const picked = random.pick(METHODS);
  // All cash of a sale counts together, so only a small sale without a deposit is paid in cash.
  const total = cents((credited ?? { order }).order.total_gross ?? '0');
  const isSmall = !target && total > -CASH_LIMIT && total < CASH_LIMIT;
  const method = picked === CASH && !isSmall ? BANK : picked;
  // Payments at the desk are made at once.
  const days = method === BANK || method === IDEAL ? random.whole(0, LONGEST_DELAY_DAYS) : 0;
  addPayment(part, order, amount, {
    method,
    paid_at: databaseTime(new Date(plan.at.getTime() + days * DAY_MS)),
    reference: method === BANK ? `Betaling ${order.invoice_number}` : null,
    payer_id: buyerOf(pair).id,
  });
}

/** `amount`: in cents; 0 is no payment. */
function addPayment({ drafts }: Part, order: Sheet['order'], amount: bigint, how: Draft<typeof Payment>) {
  if (amount === 0n) return;
  order.amount_open = euros(cents(order.amount_open ?? '0') - amount);
  drafts.add(Payment, { ...how, order_id: order, amount: euros(amount) });
}

/** The seller, the buyer and the driver of an invoice, as they are now. */
export const partiesOf = (
  { seller }: Slice,
  { order, pair }: Sheet,
  approval_number: string | null,
): Draft<typeof InvoiceParty> => ({
  order_id: order,
  ...copyParties({ seller, buyer: buyerOf(pair) }, isSelfBilled(order)),
  driver: pair.payer ? nameOf(pair.contact) : null,
  vehicles: copyVehicles([pair.car]),
  approval_number,
});
