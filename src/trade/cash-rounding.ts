// Shops round payments in cash to five cents. The payment that closes an invoice then differs by one or two cents.

const MOST_CENTS = 2n;

/**
 * What a payment in cash leaves open, or pays too much, and thereby closes the invoice: in cents. 0: nothing is rounded. What
 * is closed already, or goes back, closes nothing.
 */
export function cashRounding(open: bigint, amount: bigint): bigint {
  if (open * amount <= 0n) return 0n;
  const rest = open - amount;
  return -MOST_CENTS <= rest && rest <= MOST_CENTS ? rest : 0n;
}
