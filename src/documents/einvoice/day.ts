// Days on the seller's calendar.
import type { Instant, Seller } from '../pdf/data.ts';
import { localOf } from '../pdf/format.ts';

/** `2026-05-06`, the day of an instant where the seller is. */
export const localDay = (instant: Instant, seller: Pick<Seller, 'timezone'>): string =>
  localOf(instant, seller).toFormat('yyyy-MM-dd');
