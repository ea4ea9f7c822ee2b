// How much cash a trader in goods may take or pay for one sale (article 2a of the Dutch act against money laundering,
// "Wwft").
import { cents } from './totals.ts';

export interface CashLimit {
  /** The first day, `YYYY-MM-DD`, on the calendar of the garage. */
  readonly from: string;
  /** In cents. Cash stays below it. */
  readonly below: bigint;
}

/** By day, the latest first. Before the first one there was a duty to report, and no limit. */
const LIMITS: readonly CashLimit[] = [{ from: '2026-01-01', below: cents('3000') }];

/** The limit on a day, `YYYY-MM-DD`. Undefined: there is none. */
export const cashLimitOn = (day: string): CashLimit | undefined => LIMITS.find(({ from }) => from <= day);

/** Cash that changes hands: above 0 the garage takes it, below 0 it pays. A purchase turns the sides around. */
export const cashOf = (amount: string, isPurchase: boolean): bigint =>
  isPurchase ? -cents(amount) : cents(amount);

/** Whether a payment makes too much cash. `others`: the cash of this sale so far. Receipts and refunds count apart. */
export function exceedsCashLimit(cash: bigint, others: readonly bigint[], { below }: CashLimit): boolean {
  const sign = cash < 0n ? -1n : 1n;
  const sameSide = others.filter((other) => sign * other > 0n);
  return sameSide.reduce((sum, other) => sum + sign * other, sign * cash) >= below;
}
