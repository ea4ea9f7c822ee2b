// The same totals a second time, in whole numbers without decimal.js: what the property tests compare with.

import fc from 'fast-check';
import { LISTS } from '../../src/trade/lists.ts';
import type { Line } from '../../src/trade/totals.ts';

const { HIGH, LOW, ZERO, EXEMPT, REVERSE_CHARGE, MARGIN, OUTSIDE } = LISTS.vatcodes;
const PERCENT: Record<number, bigint> = { [HIGH]: 21n, [LOW]: 9n };

/** A decimal with four places, as text and as a whole number of ten-thousandths. */
interface Scaled {
  text: string;
  units: bigint;
}

export interface Sample {
  line: Line;
  quantity: bigint;
  price: bigint;
  discount: bigint;
  purchase: bigint;
}

export const sample: fc.Arbitrary<Sample> = fc
  .record({
    quantity: scaled(-10_000_000n, 10_000_000n),
    price: scaled(-1_000_000_000_0000n, 1_000_000_000_0000n),
    discount: fc.option(scaled(0n, 100_0000n)),
    purchase: fc.option(scaled(0n, 1_000_000_0000n)),
    vat_code: fc.constantFrom(HIGH, LOW, ZERO, EXEMPT, REVERSE_CHARGE, MARGIN, OUTSIDE),
  })
  .map(({ quantity, price, discount, purchase, vat_code }) => ({
    line: {
      quantity: quantity.text,
      price: price.text,
      discount_percentage: discount?.text ?? null,
      purchase_price: purchase?.text ?? null,
      vat_code,
    },
    quantity: quantity.units,
    price: price.units,
    discount: discount?.units ?? 0n,
    purchase: purchase?.units ?? 0n,
  }));

function decimalText(units: bigint, places: number): string {
  const digits = String(units < 0n ? -units : units).padStart(places + 1, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

export const euros = (cents: bigint) => decimalText(cents, 2);
export const inCents = (text: string) => BigInt(text.replace('.', ''));

function divideHalfAway(dividend: bigint, divisor: bigint): bigint {
  const half = dividend < 0n ? -divisor : divisor;
  return (2n * dividend + half) / (2n * divisor);
}

export function netInCents({ quantity, price, discount }: Sample): bigint {
  return divideHalfAway(quantity * price * (1_000_000n - discount), 10n ** 12n);
}

export function vatInCents(samples: Sample[]): bigint {
  return [HIGH, LOW].reduce((total, code) => {
    const nets = samples.filter(({ line }) => line.vat_code === code).map(netInCents);
    return total + divideHalfAway(nets.reduce((sum, net) => sum + net, 0n) * (PERCENT[code] ?? 0n), 100n);
  }, 0n);
}

export function marginInCents(one: Sample): bigint {
  const margin = netInCents(one) * 10n ** 6n - one.quantity * one.purchase;
  return margin > 0n ? divideHalfAway(margin * 21n, 121n * 10n ** 6n) : 0n;
}

function scaled(min: bigint, max: bigint): fc.Arbitrary<Scaled> {
  return fc.bigInt({ min, max }).map((units) => ({ units, text: decimalText(units, 4) }));
}
