// The years in which seeded work was done. They are fixed, so that the same seed gives the same dates
// whenever it is sown; working days only, at hours when a garage is open.
import { databaseTime } from '../trade/timestamp.ts';

const DAY = 86_400_000;
const QUARTER = 900_000;
const FIRST_DAY = Date.UTC(2022, 4, 2);
const LAST_DAY = Date.UTC(2026, 3, 30);
const OPENS = 7 * 3_600_000;
const OPEN_FOR = 9.5 * 3_600_000;

/** The instant at which this share of all work, 0 to 1, was done. Rises with the share. */
export function instantOf(share: number): Date {
  const place = Math.min(share, 0.999_999_9) * WORKING_DAYS.length;
  const day = WORKING_DAYS[Math.floor(place)] ?? LAST_DAY;
  return new Date(day + OPENS + Math.floor((place % 1) * OPEN_FOR));
}

/** Midnight so many days after the first (or, below 0, before it), in the database's form. */
export const daysAfterStart = (days: number): string => databaseTime(new Date(FIRST_DAY + days * DAY));

/** Midnight so many days before the last day of all. */
export const daysBeforeEnd = (days: number): string => databaseTime(new Date(LAST_DAY - days * DAY));

/** Midnight so many days before an instant. */
export const midnightBefore = (instant: Date, days: number): string =>
  `${databaseTime(new Date(instant.getTime() - days * DAY)).slice(0, 10)} 00:00:00.000`;

/** A whole quarter of an hour, about so many days before an instant; not on a Sunday. */
export function quarterBefore(instant: Date, days: number): string {
  const at = new Date(Math.floor((instant.getTime() - days * DAY) / QUARTER) * QUARTER);
  return databaseTime(isSunday(at) ? new Date(at.getTime() - DAY) : at);
}

/** So many quarters of an hour after opening, about so many days after an instant; not on a Sunday. */
export function whenOpen(instant: Date, days: number, quarters: number): string {
  const midnight = Math.floor(instant.getTime() / DAY + days) * DAY;
  const day = isSunday(new Date(midnight)) ? midnight + DAY : midnight;
  return databaseTime(new Date(day + OPENS + quarters * QUARTER));
}

const isSunday = (at: Date) => at.getUTCDay() === 0;

const WORKING_DAYS = workingDays();

function workingDays(): number[] {
  const days: number[] = [];
  for (let day = FIRST_DAY; day <= LAST_DAY; day += DAY) if (!isSunday(new Date(day))) days.push(day);
  return days;
}
