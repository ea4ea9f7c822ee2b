// Spreads an amount over parts so that the parts add up: each is rounded down, and the largest remainders get what is
// missing.

/** Rounded down, also below 0. The divisor is above 0. */
const floorOf = (dividend: bigint, divisor: bigint): bigint =>
  dividend / divisor - (dividend % divisor < 0n ? 1n : 0n);

/**
 * The quotients of the dividends as whole numbers that add up to `total`. The first one among equals comes first. The
 * total is at least the sum of the quotients rounded down, and at most one more for each of them.
 */
export function spreadByRemainder(dividends: readonly bigint[], divisor: bigint, total: bigint): bigint[] {
  const shares = dividends.map((dividend, index) => {
    const floor = floorOf(dividend, divisor);
    return { index, floor, remainder: dividend - floor * divisor };
  });
  const parts = shares.map(({ floor }) => floor);
  const missing = total - parts.reduce((sum, part) => sum + part, 0n);
  const largestFirst = shares.sort(
    (one, other) => Number(other.remainder - one.remainder) || one.index - other.index,
  );
  for (const { index, floor } of largestFirst.slice(0, Number(missing))) parts[index] = floor + 1n;
  return parts;
}
