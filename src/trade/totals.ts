// The amounts of order lines and orders, on exact decimals. VAT is computed per VAT code over the sum of the
// line nets and rounded once; a line's own VAT is for information, and their sum may differ by some cents.

import { Decimal, roundTo, toCents } from './decimal.ts';
import { LISTS, type ListValue, VAT_PERCENTAGES } from './lists.ts';

/** What the amounts of a line depend on; decimals are strings, as the database gives them. */
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

/**
 * The amounts of one line, rounded to the cent, half away from zero (specification, "Totals").
 * `margin_vat` is null unless the line is sold under the margin scheme; on a credit note it mirrors the sale that
 * is taken back, elsewhere it is never below 0.
 */
export function lineTotals(line: Line, isCredit = false): LineTotals {
  const quantity = new Decimal(line.quantity);
  const paid = new Decimal(100).minus(line.discount_percentage ?? 0).div(100);
  const net = toCents(quantity.times(line.price).times(paid));
  const percentage = percentageOf(line.vat_code);
  const isMargin = line.vat_code === LISTS.vatcodes.MARGIN;
  const margin = isCredit
    ? marginVat(quantity.neg(), net.neg(), line.purchase_price).neg()
    : marginVat(quantity, net, line.purchase_price);
  return {
    line_net: roundTo(net, 2),
    line_vat: roundTo(vatOver(net, percentage), 2),
    vat_percentage: percentage,
    margin_vat: isMargin ? roundTo(margin, 2) : null,
  };
}

/**
 * The totals of an order from the sums of its line nets per VAT code (specification, "Totals").
 * A code may come more than once, or not at all; VAT is rounded once a code.
 */
export function orderTotals(sums: readonly NetOfCode[]): OrderTotals {
  const rates = ratesOf(sums);
  const net = sum(rates.map((rate) => rate.net));
  const vat = sum(rates.map((rate) => rate.vat));
  return {
    total_net: roundTo(net, 2),
    total_vat: roundTo(vat, 2),
    total_gross: roundTo(net.plus(vat), 2),
    rates,
  };
}

function ratesOf(sums: readonly NetOfCode[]): Rate[] {
  const rates = new Map<string, { vat_code: number; percentage: string; net: Decimal }>();
  for (const { vat_code, net, percentage = percentageOf(vat_code) } of sums) {
    const key = `${vat_code} ${Number(percentage)}`;
    const before = rates.get(key)?.net ?? new Decimal(0);
    rates.set(key, { vat_code, percentage, net: before.plus(net) });
  }
  return [...rates.values()]
    .sort((one, other) => one.vat_code - other.vat_code || Number(one.percentage) - Number(other.percentage))
    .map(({ vat_code, percentage, net }) => {
      return { vat_code, percentage, net: roundTo(net, 2), vat: roundTo(vatOver(net, percentage), 2) };
    });
}

/** The VAT inside the margin of a line, 21/121 of it; a loss bears none. */
function marginVat(quantity: Decimal, net: Decimal, purchasePrice: string | null): Decimal {
  const high = VAT_PERCENTAGES[LISTS.vatcodes.HIGH];
  const margin = net.minus(quantity.times(purchasePrice ?? 0));
  return toCents(Decimal.max(margin, 0).times(high).div(new Decimal(high).plus(100)));
}

function vatOver(net: Decimal, percentage: string): Decimal {
  return toCents(net.times(percentage).div(100));
}

function percentageOf(vatCode: number): string {
  const percentage = VAT_PERCENTAGES[vatCode as ListValue<'vatcodes'>];
  if (percentage === undefined) throw new RangeError(`Unknown VAT code: ${vatCode}`);
  return percentage;
}

function sum(amounts: readonly string[]): Decimal {
  return amounts.reduce((total, amount) => total.plus(amount), new Decimal(0));
}
