// Tells purchases from sales.
import { LISTS } from './lists.ts';

const { VEHICLE_PURCHASE, INTERNAL_REVERSAL } = LISTS.ordertypes;

/**
 * Whether an order is a purchase, or the credit note of one. `credited`: the type of the order that it names as
 * credited. Any order may name one, but only a credit note takes it back.
 */
export const isPurchase = (type: number, credited?: number | null): boolean =>
  type === VEHICLE_PURCHASE || (type === INTERNAL_REVERSAL && credited === VEHICLE_PURCHASE);
