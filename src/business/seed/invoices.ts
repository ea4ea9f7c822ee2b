// Makes invoices of orders, with the rules and counters of the service, so that the service's own numbers go on behind
// them without a gap. Of six invoices in a row four are paid in full, one in part and one not at all.

import type { InvoiceParty } from '../../core/resources/invoice-party.ts';
import { Payment } from '../../core/resources/payment.ts';
import { sellerDateOf } from '../../core/trade/book-date.ts';
import { cashLimitOn } from '../../core/trade/cash-limit.ts';
import { grouped } from '../../core/trade/grouped.ts';
import { nameOf } from '../../core/trade/identity/printed-name.ts';
import { invoiceNumber, invoiceYear, seriesCounter } from '../../core/trade/invoice-number.ts';
import { isSelfBilled, purchaseOf, type Traded } from '../../core/trade/kinds/purchase-proof.ts';
import { LISTS } from '../../core/trade/lists.ts';
import { DEFAULT_TIMEZONE } from '../../core/trade/time/day.ts';
import { DAY_MS } from '../../core/trade/time/duration.ts';
import { databaseTime } from '../../core/trade/time/timestamp.ts';
import { cents, euros } from '../../core/trade/totals.ts';
import { dueOf } from '../invoicing/invoice/invoice.ts';
import { copyParties, copyVehicles, type Parties } from '../invoicing/invoice/invoice-parties.ts';
import { seriesOf } from '../invoicing/invoice/invoice-series.ts';
import { END } from './calendar.ts';
import type { Draft, Part } from './drafts.ts';
import type { Sheet } from './orders.ts';

const { CASH, PIN, BANK, IDEAL, OFFSET } = LISTS.paymentmethods;
const METHODS = [BANK, BANK, PIN, PIN, IDEAL, CASH];
const LONGEST_DELAY_DAYS = 45;
/** The limit of the last day holds for all years. */
const CASH_LIMIT = cashLimitOn(databaseTime(END).slice(0, 10))?.below ?? 0n;
/** The first payment of six invoices in a row, in percent. */
const FIRST_PAYMENTS = [20n, 100n, 100n, 40n, 100n, 0n];
/** Of six invoices in a row the one whose rest is paid too. */
const PAID_TWICE = 0;

const AMOUNTS = [
  ...(['total_net', 'total_vat', 'total_gross'] as const),
  ...(['net_high', 'net_low', 'vat_high', 'vat_low'] as const),
];

type Seller = Parties['seller'];

export const isInvoice = ({ plan }: Pick<Sheet, 'plan'>): boolean =>
  plan.status === LISTS.orderstatuses.INVOICE;

/** Gives the orders numbers and dates, in the order of their instants. */
export async function numberInvoices(
  { drafts }: Part,
  seller: Seller,
  sheets: readonly Sheet[],
): Promise<void> {
  const numbered = sheets.flatMap(({ order, buyer, plan }) => {
    const invoice_date = databaseTime(plan.at);
    const dated = { ...tradeOf(order), supplier_invoice_date: order.supplier_invoice_date ?? null };
    Object.assign(order, {
      ...{ is_invoiced: 1, invoice_date, supply_date: invoice_date },
      due_date: dueOf({ ...dated, invoice_date }, { seller, buyer }),
      book_date: sellerDateOf(dated) ?? invoice_date,
    });
    const series = seriesOf(purchaseOf(tradeOf(order)), { seller, buyer });
    const year = invoiceYear(plan.at, seller.timezone ?? DEFAULT_TIMEZONE);
    return series ? { order, prefix: series.prefix, year, counter: seriesCounter(series.kind, year) } : [];
  });
  for (const [counter, own] of grouped(numbered, (one) => one.counter)) {
    const first = await drafts.reserve(counter, own.length);
    for (const [index, { order, prefix, year }] of own.entries())
      order.invoice_number = invoiceNumber(prefix, year, first + index);
  }
}

/** Takes a deposit off the invoice of its sale. */
export function deduct({ order: deposit, lines, target }: Sheet): void {
  if (!target || !isInvoice(target)) return;
  const { order } = target;
  const minus = (amount: string | null | undefined) => euros(-cents(amount ?? '0'));
  for (const line of lines)
    target.lines.push({
      ...line,
      description: `Af: aanbetaling, factuur ${deposit.invoice_number}`,
      ...{ credited_line_id: line, sort_order: target.lines.length + 1, quantity: '-1' },
      price: String(order.is_vat_included === 1 ? line.line_gross : line.line_net),
      ...{
        line_net: minus(line.line_net),
        line_vat: minus(line.line_vat),
        line_gross: minus(line.line_gross),
      },
    });
  for (const column of AMOUNTS)
    order[column] = euros(cents(String(order[column])) - cents(String(deposit[column])));
}

/** Pays the invoices, and sets the open amounts of their orders. Credit notes are paid back. */
export function payInvoices(part: Part, invoices: readonly Sheet[]): void {
  for (const [index, sheet] of invoices.entries()) {
    const { order } = sheet;
    order.amount_open = order.total_gross;
    settleCredit(part, sheet);
    const open = cents(order.amount_open ?? '0');
    const first = (open * (FIRST_PAYMENTS[index % FIRST_PAYMENTS.length] ?? 0n)) / 100n;
    const rest = index % FIRST_PAYMENTS.length === PAID_TWICE ? open - first : 0n;
    for (const amount of [first, rest]) if (amount !== 0n) pay(part, sheet, amount);
  }
}

/** A credit note and its invoice lower each other, before anything is paid. */
function settleCredit(part: Part, { order, credited, plan, buyer }: Sheet): void {
  if (!credited) return;
  const [open, given] = [cents(credited.order.amount_open ?? '0'), -cents(order.total_gross ?? '0')];
  const amount = open < given ? open : given;
  if (amount <= 0n) return;
  const same = { method: OFFSET, paid_at: databaseTime(plan.at), payer_id: buyer.id };
  addPayment(part, credited.order, amount, { ...same, reference: order.invoice_number });
  addPayment(part, order, -amount, { ...same, reference: credited.order.invoice_number });
}

function pay(part: Part, { order, buyer, plan, credited, target }: Sheet, amount: bigint): void {
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
    payer_id: buyer.id,
  });
}

/** `amount`: in cents. */
function addPayment(
  { drafts }: Part,
  order: Sheet['order'],
  amount: bigint,
  how: Draft<typeof Payment>,
): void {
  order.amount_open = euros(cents(order.amount_open ?? '0') - amount);
  drafts.add(Payment, { ...how, order_id: order, amount: euros(amount) });
}

const tradeOf = ({ order_type = 0, purchase_proof = null }: Sheet['order']): Traded => ({
  order_type,
  purchase_proof,
});

/** The seller, the buyer and the driver of an invoice, as they are now. */
export const partiesOf = (
  seller: Seller,
  { order, buyer, customer, car }: Sheet,
  approval_number: string | null,
): Draft<typeof InvoiceParty> => ({
  order_id: order,
  ...copyParties({ seller, buyer }, isSelfBilled(tradeOf(order))),
  driver: customer.id === buyer.id ? null : nameOf(customer),
  vehicles: copyVehicles([car]),
  approval_number,
});
