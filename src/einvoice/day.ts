// Days on the seller's calendar.
import type { Instant, Seller } from '../documents/data.ts';
import { instantOf } from '../documents/format.ts';

const DEFAULT_TIMEZONE = 'Europe/Amsterdam';

/** `2026-05-06`, the day of an instant where the seller is. */
export const localDay = (instant: Instant, { timezone }: Pick<Seller, 'timezone'>): string =>
  instantOf(instant)
    .setZone(timezone || DEFAULT_TIMEZONE)
    .toFormat('yyyy-MM-dd');
