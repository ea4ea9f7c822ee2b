// Computes the amounts of order lines and orders with exact decimals. VAT is computed per VAT code over the sum of the
// lines, and rounded once. Prices are net, or include VAT if the order says so.

import { spreadByRemainder } from './spread.ts';
import { type VatColumn, vatColumn } from './vat-code.ts';
import { absolute, decimalOf, PLACES, quotient, wholeOf } from './whole.ts';

/** The input of a line's amounts. Decimals are strings of at most four places, as the database returns them. */
export interface Line {
  quantity: string;
  /** The price of one piece. A margin line has the full price that the buyer pays. */
  price: string;
  /** 0 to 100; null is 0. */
  discount_percentage: string | null;
  vat_code: number;
}

/** Amounts in euros with two decimals. */
interface LineTotals {
  line_net: string;
  line_vat: string;
  line_gross: string;
  vat_percentage: string;
}

interface NetOfCode {
  vat_code: number;
  /** At most two decimals. */
  net: string;
  percentage: string;
}

export interface Rate extends NetOfCode {
  vat: string;
}

/** `rates` has one entry per VAT code and percentage, sorted. Their net and VAT add up to the totals. */
interface OrderTotals {
  total_net: string;
  total_vat: string;
  total_gross: string;
  rates: Rate[];
}

/** The VAT that an order has for its codes with VAT, in euros. */
export type OrderVat = Readonly<Record<VatColumn, string>>;

const HUNDRED_PERCENT = 100n * 10n ** BigInt(PLACES);
/** A product of a quantity and a price has this many units in a cent. */
export const TO_CENTS = 10n ** BigInt(2 * PLACES - 2);

/**
 * The amounts of one line, rounded to the cent, half away from zero. If prices include VAT, the net of each line is
 * provisional: `spreadNet` gives the nets of all lines of a VAT code.
 */
export function lineTotals(line: Line, percentage: string, isVatIncluded = false): LineTotals {
  const paid = HUNDRED_PERCENT - wholeOf(line.discount_percentage ?? '0', PLACES);
  const pieces = wholeOf(line.quantity, PLACES) * wholeOf(line.price, PLACES);
  const amount = quotient(pieces * paid, TO_CENTS * HUNDRED_PERCENT);
  const vat = isVatIncluded ? vatWithin(amount, percentage) : vatOf(amount, percentage);
  const net = isVatIncluded ? amount - vat : amount;
  return {
    line_net: euros(net),
    line_vat: euros(vat),
    line_gross: euros(net + vat),
    vat_percentage: percentage,
  };
}

/** The price of a piece with VAT, of its net price, to four places. */
export function priceWithVat(price: string, percentage: string): string {
  const whole = wholeOf(price, PLACES) * (HUNDRED_PERCENT + rateOf(percentage));
  return decimalOf(quotient(whole, HUNDRED_PERCENT), PLACES);
}

/**
 * The nets in cents of lines of one VAT code and percentage whose prices include VAT. The VAT of all lines together is
 * rounded once. The cents of the net go to the lines by largest remainder, and to the first one among equals, so that
 * the lines add up.
 */
export function spreadNet(grosses: readonly bigint[], percentage: string): bigint[] {
  const total = grosses.reduce((sum, gross) => sum + gross, 0n);
  return spreadByRemainder(
    grosses.map((gross) => gross * HUNDRED_PERCENT),
    HUNDRED_PERCENT + rateOf(percentage),
    total - vatWithin(total, percentage),
  );
}

/**
 * The totals of an order, from the net sums of its lines per VAT code. A code may occur several times or not at all.
 * VAT is rounded once per code, or is what the order `has`. If a code has several percentages, as after a deposit
 * before a change of the rate, the largest net bears the rest of that VAT.
 */
export function orderTotals(sums: readonly NetOfCode[], has?: OrderVat): OrderTotals {
  const nets = netsByRate(sums);
  const rates = nets.map((rate) => ({ ...rate, vat: vatOf(rate.net, rate.percentage) }));
  for (const code of new Set(nets.map(({ vat_code }) => vat_code))) {
    const column = vatColumn(code);
    if (!has || !column) continue;
    const own = rates.filter(({ vat_code }) => vat_code === code);
    const largest = own.reduce((one, other) => (absolute(other.net) > absolute(one.net) ? other : one));
    largest.vat += own.reduce((left, { vat }) => left - vat, cents(has[column]));
  }
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
  for (const { vat_code, net, percentage } of sums) {
    const key = `${vat_code} ${Number(percentage)}`;
    const before = rates.get(key)?.net ?? 0n;
    rates.set(key, { vat_code, percentage, net: before + cents(net) });
  }
  return [...rates.values()].sort(
    (one, other) => one.vat_code - other.vat_code || Number(one.percentage) - Number(other.percentage),
  );
}

/** The VAT in cents over a net amount in cents. */
export const vatOf = (net: bigint, percentage: string): bigint =>
  quotient(net * rateOf(percentage), HUNDRED_PERCENT);

/** How far `vat` is from this percentage of `net`, both in euros. The result only serves to compare percentages. */
export const gapTo = (percentage: string, net: string, vat: string): bigint =>
  absolute(cents(vat) * HUNDRED_PERCENT - cents(net) * rateOf(percentage));

/** The VAT in cents within an amount that includes it, which has `scale` units in a cent. */
export function vatWithin(gross: bigint, percentage: string, scale = 1n): bigint {
  const whole = rateOf(percentage);
  return quotient(gross * whole, (HUNDRED_PERCENT + whole) * scale);
}

/** The amount in cents that includes this VAT. The percentage is above 0. */
export function grossOfVat(vat: bigint, percentage: string): bigint {
  const whole = rateOf(percentage);
  return quotient(vat * (HUNDRED_PERCENT + whole), whole);
}

const rateOf = (percentage: string): bigint => wholeOf(percentage, PLACES);

export const cents = (amount: string): bigint => wholeOf(amount, 2);

export const euros = (amount: bigint): string => decimalOf(amount, 2);
