// Lengths of time in milliseconds.
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
/** 24 hours. The days of a garage's calendar may be longer or shorter: see day.ts. */
export const DAY_MS = 24 * HOUR_MS;
