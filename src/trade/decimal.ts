// Exact decimals for money and quantities: binary floating point never computes them.
// Rounding is half away from zero, so that a credit rounds to the mirror image of its invoice.

import { Decimal as Base } from 'decimal.js';

/** decimal.js with 40 digits: a quantity times a price that a column can hold stays exact. */
export const Decimal = Base.clone({ precision: 40, rounding: Base.ROUND_HALF_UP, defaults: true });
export type Decimal = Base;

/** An amount rounded to the cent. */
export function toCents(value: Decimal): Decimal {
  return value.toDecimalPlaces(2, Base.ROUND_HALF_UP);
}

/** A decimal text rounded and written with exactly so many places, `('2.345', 2)` → `2.35`; never `-0.00`. */
export function roundTo(value: string | Decimal, places: number): string {
  // Rounded first, since toFixed alone writes -0.004 as -0.00.
  return new Decimal(value).toDecimalPlaces(places).toFixed(places);
}
