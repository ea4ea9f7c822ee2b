// Exact decimals for money and quantities: binary floating point never computes them.
// Rounding is half away from zero, so that a credit rounds to the mirror image of its invoice.

import { Decimal as Base } from 'decimal.js';

/** decimal.js with 40 digits: a quantity times a price that a column can hold stays exact. */
export const Decimal = Base.clone({ precision: 40, rounding: Base.ROUND_HALF_UP, defaults: true });
export type Decimal = Base;

/**
 * A number as people and JSON write it, `12`, `-0.5`, `1e2`, as a decimal of 10 places at most; undefined where
 * it is none. For comparing with what columns hold, 14 digits and far fewer places: what has more lies between
 * the same of their values, and is equal to none, before and after.
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

/** A decimal text rounded and written with exactly so many places, `('2.345', 2)` → `2.35`; never `-0.00`. */
export function roundTo(value: string | Decimal, places: number): string {
  const written = typeof value === 'string' ? fixed(value, places) : undefined;
  if (written !== undefined) return written;
  // Rounded first, since toFixed alone writes -0.004 as -0.00.
  return new Decimal(value).toDecimalPlaces(places).toFixed(places);
}

/** The same for what needs no rounding, as most numbers do; undefined for all else. */
function fixed(text: string, places: number): string | undefined {
  if (!PLAIN.test(text)) return undefined;
  const point = text.indexOf('.');
  if (point < 0) return places === 0 ? text : `${text}.${'0'.repeat(places)}`;
  const missing = places - (text.length - point - 1);
  return missing < 0 || places === 0 ? undefined : text + '0'.repeat(missing);
}

/** Without a sign: there is a zero to lose it. */
const PLAIN = /^(?:0|[1-9]\d*)(?:\.\d+)?$/;
