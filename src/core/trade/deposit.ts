// How a deposit is spread over the VAT codes of the order that it is paid for.

import { isCreditNote, orderTypeRow } from './kinds/order-type.ts';
import { LISTS } from './lists.ts';
import { spreadByRemainder } from './spread.ts';

const { DEPOSIT } = LISTS.linekinds;

export const takesDeposits = (order_type: number): boolean => orderTypeRow(order_type).takesDeposits;

/**
 * A deposit is an order of its own, which names the order that it is paid for. It has the type and the vehicle of that
 * order, so a list of sales shows it and its invoice names the car. Its lines have the kind DEPOSIT, because the books
 * keep deposits apart.
 */
export const isDeposit = (order: {
  readonly order_type: number;
  readonly deposit_of_order_id: number | null;
}): boolean => order.deposit_of_order_id !== null && takesDeposits(order.order_type);

/**
 * Whether a line takes a deposit off the invoice of the order that the deposit was paid for. Its amounts are copied
 * from the deposit, and never computed.
 */
export const deducts = (
  line: { readonly line_kind: number; readonly credited_line_id: number | null },
  { order_type }: { readonly order_type: number },
): boolean => !isCreditNote(order_type) && line.line_kind === DEPOSIT && line.credited_line_id !== null;

/**
 * Divides a deposit over the VAT codes of its order, in cents, in proportion to the gross amount of each code.
 * A code below 0, as a trade-in may have, gets nothing. The amounts add up to the deposit.
 */
export function depositsByCode(amount: bigint, grosses: ReadonlyMap<number, bigint>): Map<number, bigint> {
  const codes = [...grosses].filter(([, gross]) => gross > 0n).sort(([one], [other]) => one - other);
  const total = codes.reduce((sum, [, gross]) => sum + gross, 0n);
  if (total === 0n) return new Map();
  const parts = spreadByRemainder(
    codes.map(([, gross]) => amount * gross),
    total,
    amount,
  );
  return new Map(
    codes.flatMap(([code], index) => {
      const part = parts[index] ?? 0n;
      return part === 0n ? [] : [[code, part] as const];
    }),
  );
}
