// The costs of collecting a debt, by the legal scale ("Besluit vergoeding voor buitengerechtelijke incassokosten").
import { cents } from './totals.ts';
import { quotient } from './whole.ts';

interface Step {
  /** In cents: this much of the debt, behind the steps before. Undefined: all that is left. */
  readonly upTo?: bigint;
  /** Thousandths of that part. */
  readonly perMille: bigint;
}

const STEPS: readonly Step[] = [
  { upTo: cents('2500'), perMille: 150n },
  { upTo: cents('2500'), perMille: 100n },
  { upTo: cents('5000'), perMille: 50n },
  { upTo: cents('190000'), perMille: 10n },
  { perMille: 5n },
];
const LEAST = cents('40');
const MOST = cents('6775');

/**
 * The costs of a debt above 0, in cents. The invoices of one letter are one debt. VAT is not added: a garage deducts
 * the VAT of its own costs.
 */
export function collectionCosts(debt: bigint): bigint {
  let left = debt;
  let thousandths = 0n;
  for (const { upTo, perMille } of STEPS) {
    const part = upTo !== undefined && left > upTo ? upTo : left;
    thousandths += part * perMille;
    left -= part;
  }
  const costs = quotient(thousandths, 1000n);
  return costs < LEAST ? LEAST : costs > MOST ? MOST : costs;
}
