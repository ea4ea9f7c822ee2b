// The amounts of order lines and orders, on exact decimals. VAT is computed per VAT code over the sum of the
// line nets and rounded once; a line's own VAT is for information, and their sum may differ by some cents.

import { LISTS, VAT_PERCENTAGES } from './lists.ts';
import { decimalOf, quotient, wholeOf } from './whole.ts';

/** What the amounts of a line depend on; decimals are strings of four places at most, as the database gives them. */
export interface Line {
  quantity: string;
  /** Net, a piece; for a margin line what the buyer pays, all in. */
  price: string;
  /** 0 to 100; null is 0. */
  discount_percentage: string | null;
  vat_code: number;
  /** A piece; null is 0. */
  purchase_price: string | null;
}

/** Amounts in euros with two decimals; `vat_percentage` as in VAT_PERCENTAGES. */
export interface LineTotals {
  line_net: string;
  line_vat: string;
  vat_percentage: string;
  margin_vat: string | null;
}

export interface NetOfCode {
  vat_code: number;
  /** With two decimals at most. */
  net: string;
  /** As it was when the line was made; that of today if left out. */
  percentage?: string;
}

export interface Rate extends NetOfCode {
  percentage: string;
  vat: string;
}

/** `rates` has one entry a VAT code (and percentage), by code; their nets and VAT add up to the totals. */
export interface OrderTotals {
  total_net: string;
  total_vat: string;
  total_gross: string;
  rates: Rate[];
}

const { HIGH, MARGIN } = LISTS.vatcodes;
/** Of quantities, prices a piece and percentages. */
const PLACES = 4;
const HUNDRED_PERCENT = 100n * 10n ** BigInt(PLACES);
/** What a product of a quantity and a price has more places than an amount. */
const TO_CENTS = 10n ** BigInt(2 * PLACES - 2);

/**
 * The amounts of one line, rounded to the cent, half away from zero (specification, "Totals").
 * `margin_vat` is null unless the line is sold under the margin scheme; on a credit note it mirrors the sale that
 * is taken back, elsewhere it is never below 0.
 */
export function lineTotals(line: Line, isCredit = false): LineTotals {
  const quantity = wholeOf(line.quantity, PLACES);
  const paid = HUNDRED_PERCENT - wholeOf(line.discount_percentage ?? '0', PLACES);
  const net = quotient(quantity * wholeOf(line.price, PLACES) * paid, TO_CENTS * HUNDRED_PERCENT);
  const { percentage } = rateOf(line.vat_code);
  const sold = isCredit ? -1n : 1n;
  return {
    line_net: euros(net),
    line_vat: euros(vatOf(net, line.vat_code)),
    vat_percentage: percentage,
    margin_vat:
      line.vat_code === MARGIN
        ? euros(sold * marginVat(sold * quantity, sold * net, line.purchase_price ?? '0'))
        : null,
  };
}

/**
 * The totals of an order from the sums of its line nets per VAT code (specification, "Totals").
 * A code may come more than once, or not at all; VAT is rounded once a code.
 */
export function orderTotals(sums: readonly NetOfCode[]): OrderTotals {
  const rates = netsByRate(sums).map((rate) => ({
    ...rate,
    vat: vatOver(rate.net, wholeOf(rate.percentage, PLACES)),
  }));
  const net = rates.reduce((total, rate) => total + rate.net, 0n);
  const vat = rates.reduce((total, rate) => total + rate.vat, 0n);
  return {
    total_net: euros(net),
    total_vat: euros(vat),
    total_gross: euros(net + vat),
    rates: rates.map((rate) => ({ ...rate, net: euros(rate.net), vat: euros(rate.vat) })),
  };
}

function netsByRate(sums: readonly NetOfCode[]): { vat_code: number; percentage: string; net: bigint }[] {
  const rates = new Map<string, { vat_code: number; percentage: string; net: bigint }>();
  for (const { vat_code, net, percentage = rateOf(vat_code).percentage } of sums) {
    const key = `${vat_code} ${Number(percentage)}`;
    const before = rates.get(key)?.net ?? 0n;
    rates.set(key, { vat_code, percentage, net: before + cents(net) });
  }
  return [...rates.values()].sort(
    (one, other) => one.vat_code - other.vat_code || Number(one.percentage) - Number(other.percentage),
  );
}

/** The VAT inside the margin of a line, 21/121 of it; a loss bears none. */
function marginVat(quantity: bigint, net: bigint, purchasePrice: string): bigint {
  const high = rateOf(HIGH).whole;
  const margin = net * TO_CENTS - quantity * wholeOf(purchasePrice, PLACES);
  return margin > 0n ? quotient(margin * high, TO_CENTS * (HUNDRED_PERCENT + high)) : 0n;
}

/** VAT over a net in cents, in cents. Throws RangeError for an unknown code. */
export const vatOf = (net: bigint, vatCode: number): bigint => vatOver(net, rateOf(vatCode).whole);

const vatOver = (net: bigint, whole: bigint) => quotient(net * whole, HUNDRED_PERCENT);

const RATES = new Map(
  Object.entries(VAT_PERCENTAGES).map(([code, percentage]) => [
    Number(code),
    { percentage, whole: wholeOf(percentage, PLACES) },
  ]),
);

function rateOf(vatCode: number): { percentage: string; whole: bigint } {
  const rate = RATES.get(vatCode);
  if (rate === undefined) throw new RangeError(`Unknown VAT code: ${vatCode}`);
  return rate;
}

export const cents = (amount: string): bigint => wholeOf(amount, 2);

export const euros = (amount: bigint): string => decimalOf(amount, 2);
