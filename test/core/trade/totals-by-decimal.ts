// The same totals computed with decimal.js, for the property tests to compare with.

import fc from 'fast-check';
import { Decimal } from '../../../src/core/trade/decimal.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import type { Line } from '../../../src/core/trade/totals.ts';

const { HIGH, LOW, ZERO, EXEMPT, REVERSE_CHARGE, MARGIN, OUTSIDE } = LISTS.vatcodes;
const PERCENT: Record<number, number> = { [HIGH]: 21, [LOW]: 9 };

type PricedLine = Line & { purchase_price: string | null };

/** Decimals of four places, as columns hold them. */
export const line: fc.Arbitrary<PricedLine> = fc.record({
  quantity: scaled(-10_000_000n, 10_000_000n),
  price: scaled(-1_000_000_000_0000n, 1_000_000_000_0000n),
  discount_percentage: fc.option(scaled(0n, 100_0000n)),
  purchase_price: fc.option(scaled(0n, 1_000_000_0000n)),
  vat_code: fc.constantFrom(HIGH, LOW, ZERO, EXEMPT, REVERSE_CHARGE, MARGIN, OUTSIDE),
});

function scaled(min: bigint, max: bigint): fc.Arbitrary<string> {
  return fc.bigInt({ min, max }).map((units) => new Decimal(String(units)).div(10_000).toFixed(4));
}

/** As amounts are written; a zero has no sign. */
export const inEuros = (amount: Decimal): string => amount.plus(0).toFixed(2);

export function netOf({ quantity, price, discount_percentage }: Line): Decimal {
  const paid = new Decimal(100).minus(discount_percentage ?? 0).div(100);
  return rounded(new Decimal(quantity).times(price).times(paid));
}

export function vatOf(lines: readonly Line[]): Decimal {
  return [HIGH, LOW].reduce((total, code) => {
    const net = sum(lines.filter(({ vat_code }) => vat_code === code).map(netOf));
    return total.plus(rounded(net.times(PERCENT[code] ?? 0).div(100)));
  }, new Decimal(0));
}

export function marginVatOf(line: PricedLine): Decimal {
  const margin = netOf(line).minus(new Decimal(line.quantity).times(line.purchase_price ?? 0));
  return rounded(Decimal.max(margin, 0).times(21).div(121));
}

export const sum = (amounts: readonly (string | Decimal)[]): Decimal =>
  amounts.reduce<Decimal>((total, amount) => total.plus(amount), new Decimal(0));

/** Half away from zero. */
const rounded = (amount: Decimal) => amount.toDecimalPlaces(2);
