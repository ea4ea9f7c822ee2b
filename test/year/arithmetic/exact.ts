// Exact amounts and days for the arithmetic of a random year: it shares no code with the service.
import { dayOf } from '../../support/build/day.ts';

/** Cents of an amount with at most two decimals. */
export const cents = (amount: unknown): number => Math.round(100 * Number(amount ?? 0));

/** A decimal with at most four decimals, in ten-thousandths. */
const tenThousandths = (value: unknown): bigint => BigInt(Math.round(10_000 * Number(value ?? 0)));

/** Rounded half away from zero. */
export function divide(numerator: bigint, denominator: bigint): number {
  const sign = numerator < 0n ? -1n : 1n;
  const twice = 2n * numerator * sign + denominator;
  return Number((sign * twice) / (2n * denominator)) || 0;
}

/** Cents of quantity × price × (1 − discount / 100). */
export const lineAmount = (quantity: unknown, price: unknown, discount: unknown): number =>
  divide(
    tenThousandths(quantity) * tenThousandths(price) * (1_000_000n - tenThousandths(discount)) * 100n,
    10_000n * 10_000n * 1_000_000n,
  );

/** The part `numerator / denominator` of an amount in cents. */
export const share = (amount: number, numerator: number, denominator: number): number =>
  divide(BigInt(amount) * BigInt(numerator), BigInt(denominator));

export function sumBy<T>(
  things: readonly T[],
  key: (thing: T) => unknown,
  amount: (thing: T) => number,
): Map<string, number> {
  const sums = new Map<string, number>();
  for (const thing of things) {
    const name = String(key(thing));
    sums.set(name, (sums.get(name) ?? 0) + amount(thing));
  }
  return sums;
}

export const sum = <T>(things: readonly T[], amount: (thing: T) => number): number =>
  things.reduce((total, thing) => total + amount(thing), 0);

/** The first and the last day of the quarter of a day, or of the quarter that lies so many quarters `before`. */
export function quarterOf(day: string, before = 0): [from: string, to: string] {
  const [year = 0, month = 1] = day.split('-').map(Number);
  const first = 3 * (Math.floor((month - 1) / 3) - before);
  return [dayIn(year, first, 1), dayIn(year, first + 3, 0)];
}

/** The instant so many days before another one. */
export const daysBefore = (instant: string, days: number): string =>
  new Date(Date.parse(instant) - days * 86_400_000).toISOString();

/** The day with these numbers, which may count over the ends of months and years. `month`: from 0. */
export const dayIn = (year: number, month: number, day: number): string =>
  dayOf(new Date(Date.UTC(year, month, day)));
