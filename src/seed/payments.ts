// Payments of the invoices: of six invoices in a row four are paid in full, one in part and one not at all.
import type { Payment } from '../resources/payment.ts';
import { LISTS } from '../trade/lists.ts';
import { databaseTime } from '../trade/timestamp.ts';
import { cents, euros } from '../trade/totals.ts';
import type { Sheet } from './orders.ts';
import type { Random } from './random.ts';
import type { Draft } from './writer.ts';

const { CASH, PIN, BANK, IDEAL } = LISTS.paymentmethods;
const DAY_MS = 86_400_000;
const LONGEST_DELAY_DAYS = 45;
/** In euros. */
const MOST_CASH = 3_000;
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

/** The payments of the invoices, each with its order. Sets what is open of the orders. Credit notes are paid back. */
export function payInvoices(random: Random, invoices: readonly Sheet[]) {
  return invoices.flatMap((sheet, index) => {
    const { order } = sheet;
    const total = cents(String(order.total_gross));
    const amounts = amountsOf(total, index);
    order.amount_open = euros(amounts.reduce((open, amount) => open - amount, total));
    return amounts.map((amount) => ({ order, payment: payment(random, sheet, euros(amount)) }));
  });
}

/** In cents. */
function amountsOf(total: bigint, index: number): bigint[] {
  const { first = 0n, rest } = WAYS[index % WAYS.length] ?? {};
  const part = (total * first) / 100n;
  return [part, rest ? total - part : 0n].filter((amount) => amount !== 0n);
}

function payment(random: Random, { order, buyer, plan }: Sheet, amount: string): Draft<typeof Payment> {
  const picked = random.pick(METHODS);
  // So much cash is against the law.
  const method = picked === CASH && Math.abs(Number(amount)) >= MOST_CASH ? BANK : picked;
  // Who pays at the desk pays at once.
  const days = method === BANK || method === IDEAL ? random.whole(0, LONGEST_DELAY_DAYS) : 0;
  return {
    amount,
    method,
    paid_at: databaseTime(new Date(plan.at.getTime() + days * DAY_MS)),
    reference: method === BANK ? `Betaling ${order.invoice_number}` : null,
    payer_id: buyer.id,
  };
}
