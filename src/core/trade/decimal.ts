// Exact decimals for money and quantities. Money is never computed in binary floating point.
// Halves round away from zero: a credit note then rounds to the mirror image of its invoice.

import { Decimal as Base } from 'decimal.js';

/** decimal.js with 40 digits. The largest quantity times the largest price of a column stays exact. */
export const Decimal = Base.clone({ precision: 40, rounding: Base.ROUND_HALF_UP, defaults: true });
export type Decimal = Base;

/**
 * Turns a number such as `12`, `-0.5` or `1e2` into a plain decimal of at most 10 places. Returns undefined for
 * other text. The result is meant for comparison with a column. Columns have at most 14 digits and 4 places, so a
 * number with more places is cut: it equals no value of a column, it still lies between the same two values, and it is
 * rounded to the same one.
 */
export function plainDecimal(text: string): string | undefined {
  if (!/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) || !Number.isFinite(Number(text))) return undefined;
  const value = new Decimal(text);
  const cut = value.toDecimalPlaces(9, Base.ROUND_DOWN);
  const near = value.equals(cut) ? cut : cut.plus(value.isNegative() ? HALF_A_PLACE.neg() : HALF_A_PLACE);
  return Base.max(Base.min(near, BEYOND), BEYOND.neg()).toFixed();
}

const BEYOND = new Decimal('1e15');
const HALF_A_PLACE = new Decimal('5e-10');

/** Rounds a decimal and writes exactly `places` places: `('2.345', 2)` → `2.35`. Never writes `-0.00`. */
export function roundTo(value: string | Decimal, places: number): string {
  const written = typeof value === 'string' ? fixed(value, places) : undefined;
  if (written !== undefined) return written;
  // toFixed alone writes -0.004 as -0.00.
  return new Decimal(value).toDecimalPlaces(places).toFixed(places);
}

/** A shortcut for numbers that need no rounding. Most need none. Undefined for all others. */
function fixed(text: string, places: number): string | undefined {
  if (!PLAIN.test(text)) return undefined;
  const point = text.indexOf('.');
  if (point < 0) return places === 0 ? text : `${text}.${'0'.repeat(places)}`;
  const missing = places - (text.length - point - 1);
  return missing < 0 || places === 0 ? undefined : text + '0'.repeat(missing);
}

/** A negative number takes the long way, because a negative zero must lose its sign. */
const PLAIN = /^(?:0|[1-9]\d*)(?:\.\d+)?$/;
