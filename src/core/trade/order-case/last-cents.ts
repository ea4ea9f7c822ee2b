// The last cents of an invoice whose prices include VAT. Each of its credit notes rounds by itself, so together they
// may differ from the invoice by cents of net and VAT, while the prices are the same.
import type { SettledAmounts, Sums } from '../settle.ts';
import { cents, euros } from '../totals.ts';
import type { SummedCode } from '../vat-code.ts';
import { absolute } from '../whole.ts';

interface Crediting {
  readonly lines: readonly { readonly vat_code: number }[];
  /** The amounts of the lines that take the rest of their line; undefined for all others. */
  readonly rests: readonly (SettledAmounts | undefined)[];
  /** The rest of the invoice, in cents. */
  readonly left: Omit<Sums, 'net'>;
}

/**
 * If the lines of a credit note take the whole price that is left of a VAT code, their nets add up to the rest of the
 * net. The largest line bears the cents that are missing, among those that do not take the rest of their line.
 */
export function giveRest(
  { code, net, vat }: SummedCode,
  amounts: SettledAmounts[],
  { lines, rests, left }: Crediting,
): void {
  const own = amounts.flatMap((settled, index) =>
    lines[index]?.vat_code === code
      ? [{ index, settled, gross: cents(settled.line_gross), isFree: rests[index] === undefined }]
      : [],
  );
  const price = own.reduce((sum, { gross }) => sum + gross, 0n);
  const missing = -left[net] - own.reduce((sum, { settled }) => sum + cents(settled.line_net), 0n);
  if (missing === 0n || price !== -left[net] - left[vat]) return;
  const free = own.filter(({ isFree }) => isFree);
  const [first, ...others] = free.length > 0 ? free : own;
  if (!first) return;
  const { index, settled } = others.reduce(
    (one, other) => (absolute(other.gross) > absolute(one.gross) ? other : one),
    first,
  );
  amounts[index] = {
    ...settled,
    line_net: euros(cents(settled.line_net) + missing),
    line_vat: euros(cents(settled.line_vat) - missing),
  };
}
