// Payments of the invoices: of six invoices in a row four are paid in full, one in part and one not at all. A credit
// note is settled with what its invoice leaves open first.
import type { Payment } from '../resources/payment.ts';
import { cashLimitOn, exceedsCashLimit } from '../trade/cash-limit.ts';
import { LISTS } from '../trade/lists.ts';
import { DAY_MS } from '../trade/time/duration.ts';
import { databaseTime } from '../trade/time/timestamp.ts';
import { cents, euros } from '../trade/totals.ts';
import { END } from './calendar.ts';
import type { Sheet } from './orders.ts';
import type { Random } from './random.ts';
import type { Draft } from './writer.ts';

const { CASH, PIN, BANK, IDEAL, OFFSET } = LISTS.paymentmethods;
const LONGEST_DELAY_DAYS = 45;
/** The limit of the last day holds for all years. */
const LIMIT = cashLimitOn(databaseTime(END).slice(0, 10));
const METHODS = [BANK, BANK, PIN, PIN, IDEAL, CASH];

/** How six invoices in a row are paid: the first payment in percent, and whether another one pays the rest. */
const WAYS: readonly { readonly first: bigint; readonly rest?: true }[] = [
  { first: 20n, rest: true },
  { first: 100n },
  { first: 100n },
  { first: 40n },
  { first: 100n },
  { first: 0n },
];

interface Paid {
  readonly order: Sheet['order'];
  readonly payment: Draft<typeof Payment>;
}

/** The payments of invoices, each with its order. Sets the open amounts of the orders. Credit notes are paid back. */
export function payInvoices(random: Random, invoices: readonly Sheet[]): Paid[] {
  const cash = new CashOfSales();
  return invoices.flatMap((sheet, index) => {
    const { order } = sheet;
    order.amount_open = order.total_gross;
    const offsets = offsetsOf(sheet);
    const open = cents(String(order.amount_open));
    const amounts = amountsOf(open, index);
    order.amount_open = euros(amounts.reduce((left, amount) => left - amount, open));
    const payments = amounts.map((amount) => ({ order, payment: payment(random, sheet, amount, cash) }));
    return [...offsets, ...payments];
  });
}

/** A credit note and its invoice lower each other. */
function offsetsOf({ order, buyer, plan, credited }: Sheet): Paid[] {
  if (!credited) return [];
  const [open, given] = [cents(String(credited.order.amount_open)), -cents(String(order.total_gross))];
  const amount = open < given ? open : given;
  if (amount <= 0n) return [];
  const offset = (own: Sheet['order'], other: Sheet['order'], paid: bigint): Paid => {
    own.amount_open = euros(cents(String(own.amount_open)) - paid);
    return {
      order: own,
      payment: {
        amount: euros(paid),
        method: OFFSET,
        paid_at: databaseTime(plan.at),
        reference: other.invoice_number,
        payer_id: buyer.id,
      },
    };
  };
  return [offset(credited.order, order, amount), offset(order, credited.order, -amount)];
}

/** The payments in cash of each sale, with its deposits and credit notes. In cents. */
class CashOfSales {
  private readonly sales = new Map<Sheet, bigint[]>();

  /** Whether the law lets so much cash be paid, which is then counted. */
  takes(sheet: Sheet, amount: bigint): boolean {
    const sale = (sheet.credited ?? sheet).target ?? sheet.credited ?? sheet;
    const others = this.sales.get(sale) ?? [];
    if (LIMIT && exceedsCashLimit(amount, others, LIMIT)) return false;
    this.sales.set(sale, [...others, amount]);
    return true;
  }
}

/** In cents. */
function amountsOf(total: bigint, index: number): bigint[] {
  const { first = 0n, rest } = WAYS[index % WAYS.length] ?? {};
  const part = (total * first) / 100n;
  return [part, rest ? total - part : 0n].filter((amount) => amount !== 0n);
}

function payment(random: Random, sheet: Sheet, amount: bigint, cash: CashOfSales): Draft<typeof Payment> {
  const { order, buyer, plan } = sheet;
  const picked = random.pick(METHODS);
  const method = picked === CASH && !cash.takes(sheet, amount) ? BANK : picked;
  // Payments at the desk are made at once.
  const days = method === BANK || method === IDEAL ? random.whole(0, LONGEST_DELAY_DAYS) : 0;
  return {
    amount: euros(amount),
    method,
    paid_at: databaseTime(new Date(plan.at.getTime() + days * DAY_MS)),
    reference: method === BANK ? `Betaling ${order.invoice_number}` : null,
    payer_id: buyer.id,
  };
}
