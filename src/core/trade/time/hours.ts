// How long somebody worked, in hours with four decimals.

import { decimalOf, PLACES, quotient, wholeOf } from '../whole.ts';
import { HOUR_MS } from './duration.ts';
import { formatTimestamp } from './timestamp.ts';

/** The last place of an hour. */
const MS_OF_PLACE = BigInt(HOUR_MS) / 10n ** BigInt(PLACES);

/** From one instant to another, both in the form of the database: `1.2500`. */
export function hoursBetween(from: string, to: string): string {
  const [start, end] = [from, to].map((instant) => BigInt(Date.parse(formatTimestamp(instant))));
  return decimalOf(quotient((end ?? 0n) - (start ?? 0n), MS_OF_PLACE), PLACES);
}

/** The sum of hours; null counts as none. */
export const addHours = (...hours: readonly (string | null)[]): string =>
  decimalOf(
    hours.reduce((sum, each) => sum + wholeOf(each ?? '0', PLACES), 0n),
    PLACES,
  );

export const minusHours = (hours: string | null): string => decimalOf(-wholeOf(hours ?? '0', PLACES), PLACES);
