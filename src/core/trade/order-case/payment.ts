// Payments of an invoice: what they leave open, and how much of a sale is paid in cash.
import { type Violation, violation } from '../../errors.ts';
import { type CashLimit, cashOf, exceedsCashLimit } from '../cash-limit.ts';
import { cashRounding } from '../cash-rounding.ts';
import { methodRow } from '../kinds/payment-method.ts';
import { isPurchase } from '../kinds/purchase.ts';
import { cents } from '../totals.ts';
import { grossOf } from './line.ts';

interface Invoice {
  readonly amount_open: string | null;
  readonly total_gross: string | null;
}

/** A payment without `rounding` is not rounded. */
export interface Amount {
  readonly amount: string;
  readonly rounding?: string | null;
}

/** A new payment has no `previous`, a deleted one no `next`. */
interface Paid<A = Amount> {
  readonly next?: A | undefined;
  readonly previous?: A | undefined;
}

/** The amount by which a payment lowers the open amount of its invoice, in cents. */
const takenOff = (payment: Amount | undefined): bigint =>
  cents(payment?.amount ?? '0') + cents(payment?.rounding ?? '0');

/** In cents. A process of an earlier version may have made the invoice without an open amount: nothing is paid yet. */
export const openAfter = ({ amount_open, total_gross }: Invoice, { next, previous }: Paid = {}): bigint =>
  cents(amount_open ?? total_gross ?? '0') + takenOff(previous) - takenOff(next);

export const isSamePaid = ({ next, previous }: Paid): boolean =>
  next?.amount === previous?.amount && takenOff(next) === takenOff(previous);

/**
 * Refuses a payment if the sum of all payments would not be between 0 and the total of the invoice. So a payment that a
 * refund rests on can't be deleted or lowered: the refund goes first. Only the sum counts, not the dates: deposits are
 * paid before the invoice, and standing orders after it.
 */
export function unfitAmount(
  invoice: Invoice,
  change: Paid & { readonly given?: ((field: string) => unknown) | undefined },
): Violation | undefined {
  const { next, previous, given } = change;
  if (isSamePaid(change)) return undefined;
  const [open, total] = [openAfter(invoice, change), grossOf(invoice)];
  // A credit note has a total below 0: `sign` turns both around.
  const sign = total < 0n ? -1n : 1n;
  if (sign * open >= 0n && sign * open <= sign * total) return undefined;
  const value = given?.('amount') ?? Number(next?.amount ?? previous?.amount);
  return violation('value_invalid', { field: 'amount', value, validation: 'amount open' });
}

/** The rounding of a payment that pays the rest in cash, in cents, if the garage rounds. */
export const roundingOf = (
  invoice: Invoice,
  {
    next,
    previous,
  }: Paid<Amount & { readonly method: number }> & {
    readonly next: Amount & { readonly method: number };
  },
): bigint =>
  methodRow(next.method).isCash ? cashRounding(openAfter(invoice, { previous }), cents(next.amount)) : 0n;

interface Cash {
  readonly amount: string;
  readonly method: number;
  readonly paid_at: string;
}

/** Whether a change of a payment can't change the cash of its sale. */
export const isSameCash = (next: Cash, previous: Cash | undefined): boolean =>
  !methodRow(next.method).isCash ||
  (previous?.method === next.method && previous.amount === next.amount && previous.paid_at === next.paid_at);

/** What the orders of one sale were paid in cash so far. `order_type`: that of the order at the root. */
interface CashCase {
  readonly order_type: number;
  readonly hasGoods: boolean;
  readonly others: readonly string[];
}

/** Whether the payment gives a sale of goods too much cash. */
export function exceedsCash(
  { order_type, hasGoods, others }: CashCase,
  amount: string,
  limit: CashLimit,
): boolean {
  const bought = isPurchase(order_type);
  const sofar = others.map((other) => cashOf(other, bought));
  return hasGoods && exceedsCashLimit(cashOf(amount, bought), sofar, limit);
}

export const tooMuchCash = (value: unknown): Violation =>
  violation('value_invalid', { field: 'amount', value, validation: 'cash limit' });
