// Computes the amounts of order lines and orders with exact decimals. VAT is computed per VAT code over the sum of
// the line nets, and rounded once. The VAT of a line is information: the sum over all lines may differ by some cents.

import { LISTS, VAT_PERCENTAGES } from './lists.ts';
import { decimalOf, quotient, wholeOf } from './whole.ts';

/** The input of a line's amounts. Decimals are strings of at most four places, as the database returns them. */
export interface Line {
  quantity: string;
  /** Net price of one piece. A margin line has the full price that the buyer pays. */
  price: string;
  /** 0 to 100; null is 0. */
  discount_percentage: string | null;
  vat_code: number;
  /** For one piece; null is 0. */
  purchase_price: string | null;
}

/** Amounts in euros with two decimals; `vat_percentage` as in VAT_PERCENTAGES. */
interface LineTotals {
  line_net: string;
  line_vat: string;
  vat_percentage: string;
  margin_vat: string | null;
}

export interface NetOfCode {
  vat_code: number;
  /** At most two decimals. */
  net: string;
  /** The percentage when the line was made. Default: today's percentage. */
  percentage?: string;
}

export interface Rate extends NetOfCode {
  percentage: string;
  vat: string;
}

/** `rates` has one entry per VAT code and percentage, sorted. Their net and VAT add up to the totals. */
interface OrderTotals {
  total_net: string;
  total_vat: string;
  total_gross: string;
  rates: Rate[];
}

const { HIGH, MARGIN } = LISTS.vatcodes;
/** Decimal places of quantities, prices and percentages. */
const PLACES = 4;
const HUNDRED_PERCENT = 100n * 10n ** BigInt(PLACES);
/** Divides a product of a quantity and a price down to cents. */
const TO_CENTS = 10n ** BigInt(2 * PLACES - 2);

/**
 * The amounts of one line, rounded to the cent, half away from zero (specification, "Totals").
 * `margin_vat` is null unless the line is sold under the margin scheme. On a credit note `margin_vat` mirrors the
 * credited sale; on other orders it is never below 0.
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
 * The totals of an order, from the net sums of its lines per VAT code (specification, "Totals").
 * A code may occur several times or not at all. VAT is rounded once per code.
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

/** The VAT within the margin of a line: 21/121 of the margin, and 0 for a loss. */
function marginVat(quantity: bigint, net: bigint, purchasePrice: string): bigint {
  const high = rateOf(HIGH).whole;
  const margin = net * TO_CENTS - quantity * wholeOf(purchasePrice, PLACES);
  return margin > 0n ? quotient(margin * high, TO_CENTS * (HUNDRED_PERCENT + high)) : 0n;
}

/** The VAT in cents over a net amount in cents. Throws RangeError for an unknown code. */
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
