// Exact arithmetic for the amounts of lines and orders: decimals as whole numbers of their last place. decimal.js
// takes ten times as long, and every line that is written passes here.

const PLAIN = /^-?\d+(?:\.\d+)?$/;

/** `('12.5', 4)` → 125000n. Throws RangeError for what is no plain decimal of so many places at most. */
export function wholeOf(text: string, places: number): bigint {
  const point = text.indexOf('.');
  const given = point < 0 ? 0 : text.length - point - 1;
  if (!PLAIN.test(text) || given > places) throw new RangeError(`No decimal of ${places} places: ${text}`);
  return BigInt(
    (point < 0 ? text : text.slice(0, point) + text.slice(point + 1)) + '0'.repeat(places - given),
  );
}

/** `(125000n, 4)` → `12.5000`. */
export function decimalOf(whole: bigint, places: number): string {
  const digits = String(whole < 0n ? -whole : whole).padStart(places + 1, '0');
  return `${whole < 0n ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** The nearest whole number; a half goes away from zero, so that a credit rounds to the mirror of its invoice. */
export function quotient(dividend: bigint, divisor: bigint): bigint {
  const half = dividend < 0n ? -divisor : divisor;
  return (2n * dividend + half) / (2n * divisor);
}
