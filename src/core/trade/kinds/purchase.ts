// Tells purchases from sales.
import { LISTS } from '../lists.ts';
import { orderTypeRow } from './order-type.ts';

/**
 * Whether an order is a purchase, or the credit note of one. `credited`: the type of the order that it names as
 * credited. Any order may name one, but only a credit note takes it back.
 */
export function isPurchase(type: number, credited?: number | null): boolean {
  const { side } = orderTypeRow(type);
  return (side === 'credit' && credited != null ? orderTypeRow(credited).side : side) === 'purchase';
}

/** The types of orders by which the garage buys. Credit notes of purchases have a type of their own. */
export const PURCHASE_TYPES: readonly number[] = Object.values(LISTS.ordertypes).filter((type) =>
  isPurchase(type),
);
