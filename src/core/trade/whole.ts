// Exact arithmetic for the amounts of lines and orders. A decimal becomes a bigint that counts its last place.
// Every written line passes here, and decimal.js takes ten times as long.

/** Decimal places of quantities, prices and percentages. */
export const PLACES = 4;

const PLAIN = /^-?\d+(?:\.\d+)?$/;

/** `('12.5', 4)` → 125000n. Throws RangeError unless the text is a plain decimal of at most `places` places. */
export function wholeOf(text: string, places: number): bigint {
  const point = text.indexOf('.');
  const given = point < 0 ? 0 : text.length - point - 1;
  if (!PLAIN.test(text) || given > places) throw new RangeError(`No decimal of ${places} places: ${text}`);
  return BigInt(
    (point < 0 ? text : text.slice(0, point) + text.slice(point + 1)) + '0'.repeat(places - given),
  );
}

export const absolute = (whole: bigint): bigint => (whole < 0n ? -whole : whole);

/** `(125000n, 4)` → `12.5000`. */
export function decimalOf(whole: bigint, places: number): string {
  const digits = String(absolute(whole)).padStart(places + 1, '0');
  return `${whole < 0n ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** The nearest whole number. Halves go away from zero: a credit note rounds to the mirror image of its invoice. */
export function quotient(dividend: bigint, divisor: bigint): bigint {
  const half = dividend < 0n ? -divisor : divisor;
  return (2n * dividend + half) / (2n * divisor);
}
