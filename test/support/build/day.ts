// Days and years in the timezone of the tests' owners. Amsterdam's day begins an hour or two before UTC's.
const IN_AMSTERDAM = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Amsterdam' });

/** `2026-05-01`: the day in Amsterdam of a timestamp; today's by default. */
export const dayOf = (timestamp: string | Date = new Date()): string =>
  IN_AMSTERDAM.format(new Date(timestamp));

const DAY_MS = 24 * 3600 * 1000;

/** The day so many days after that of a timestamp; before it if negative. A day is not always 24 hours long. */
export const daysAfter = (timestamp: string | Date, days: number): string =>
  dayOf(new Date(Date.parse(`${dayOf(timestamp)}T12:00:00Z`) + days * DAY_MS));

/** The year in Amsterdam at the start of the tests. */
export const THIS_YEAR = Number(dayOf().slice(0, 4));
