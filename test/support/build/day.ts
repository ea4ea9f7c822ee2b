// Days and years in the timezone of the tests' owners. Amsterdam's day begins an hour or two before UTC's.
const IN_AMSTERDAM = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Amsterdam' });

/** `2026-05-01`: the day in Amsterdam of a timestamp; today's by default. */
export const dayOf = (timestamp: string | Date = new Date()): string =>
  IN_AMSTERDAM.format(new Date(timestamp));

/** The year in Amsterdam at the start of the tests. */
export const THIS_YEAR = Number(dayOf().slice(0, 4));
