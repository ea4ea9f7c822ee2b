// Shops round payments in cash to five cents. The payment that closes an invoice then differs by one or two cents.

const MOST_CENTS = 2n;

/**
 * The cents that a payment in cash leaves open, or pays too much, when it closes the invoice. 0: nothing is rounded,
 * because the payment does not close the invoice, or goes the other way.
 */
export function cashRounding(open: bigint, amount: bigint): bigint {
  if (open * amount <= 0n) return 0n;
  const rest = open - amount;
  return -MOST_CENTS <= rest && rest <= MOST_CENTS ? rest : 0n;
}
