// Converts timestamps between the API (ISO 8601) and the database (text in UTC with milliseconds).
// Every record passes here, so a pattern and Date.UTC do the work, not a slower date library.
import { DAY_MS, MINUTE_MS } from './duration.ts';

const OFFSET = String.raw`Z|[+-](?:0\d|1[0-3]):[0-5]\d|[+-]14:00`;
const TIME = String.raw`([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,9}))?)?`;
const TIMESTAMP = new RegExp(String.raw`^(\d{4})-(\d\d)-(\d\d)(?:T${TIME}(${OFFSET})?)?$`);

/**
 * Turns an ISO 8601 timestamp into the database's `YYYY-MM-DD HH:mm:ss.SSS` in UTC. The time, its seconds, their
 * fraction (1 to 9 digits, cut to milliseconds) and the offset are optional. Without an offset the text is UTC.
 * Undefined for another form, a day that does not exist, or a result outside the years 1000 to 9999.
 */
export function parseTimestamp(text: string): string | undefined {
  const parts = TIMESTAMP.exec(text);
  if (parts === null) return undefined;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '0', offset] = parts;
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'));

  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  // Date.UTC turns 30 February into 2 March, month 13 into next January, and the year 26 into 1926.
  if (date.getUTCDate() !== Number(day) || date.getUTCFullYear() !== Number(year)) return undefined;

  const time = (Number(hour) * 60 + Number(minute)) * MINUTE_MS + Number(second) * 1000 + milliseconds;
  const instant = date.getTime() + time - offsetOf(offset);
  return FIRST <= instant && instant <= LAST ? databaseTime(new Date(instant)) : undefined;
}

/** The database's text as `YYYY-MM-DDThh:mm:ss.sssZ`. The fraction is filled with zeros or cut to three digits. */
export function formatTimestamp(databaseText: string): string {
  const fraction = databaseText.slice(20, 23).padEnd(3, '0');
  return `${databaseText.slice(0, 10)}T${databaseText.slice(11, 19)}.${fraction}Z`;
}

/** The value of a timestamp column as ISO 8601. Null stays null. */
export const instant = (stored: unknown): string | null =>
  stored == null ? null : formatTimestamp(String(stored));

/** The day of an instant in UTC. The instant is in the form of the database, or in ISO 8601. */
export const utcDay = (instant: string): string => instant.slice(0, 'YYYY-MM-DD'.length);

/** An instant as the database's text. */
export function databaseTime(date: Date): string {
  const iso = date.toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 23)}`;
}

// Every request asks for the time. Only the milliseconds are formatted anew; the rest is kept for a second.
let lately = { second: 0, iso: '', stored: '' };

function thisSecond(now: number): typeof lately {
  const second = Math.floor(now / 1000);
  if (second !== lately.second) {
    const date = new Date(now);
    lately = { second, iso: date.toISOString().slice(0, 20), stored: databaseTime(date).slice(0, 20) };
  }
  return lately;
}

const milliseconds = (now: number) => String((now % 1000) + 1000).slice(1);

/** That many days of 24 hours before an instant, as the database's text. */
export const daysBefore = (date: Date, days: number): string =>
  databaseTime(new Date(date.getTime() - days * DAY_MS));

/** Now, as the database's text. */
export function databaseNow(): string {
  const now = Date.now();
  return thisSecond(now).stored + milliseconds(now);
}

/** Now, as ISO 8601. */
export function isoNow(): string {
  const now = Date.now();
  return `${thisSecond(now).iso}${milliseconds(now)}Z`;
}

/** The clocks of two machines differ by less. */
export const CLOCKS_APART_MS = MINUTE_MS;

/**
 * The latest end of something that lasts so many milliseconds and began before now. A later end was set by a clock that
 * ran ahead.
 */
export const latestEnd = (length: number): number => Date.now() + length + CLOCKS_APART_MS;

/** Whether an end lies ahead, and no further than its length allows. */
export const isAhead = (end: number, length: number): boolean => end > Date.now() && end <= latestEnd(length);

// The range of a DATETIME column.
const FIRST = Date.UTC(1000, 0, 1);
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** A millisecond after that instant; both in the form of the database. */
export const justAfter = (earlier: string): string =>
  databaseTime(new Date(Math.min(LAST, Date.parse(formatTimestamp(earlier)) + 1)));

/** Now, but a millisecond after that instant at the earliest; both in the form of the database. */
export function nowAfter(earlier: string): string {
  const [soonest, now] = [justAfter(earlier), databaseNow()];
  return soonest > now ? soonest : now;
}

/** By how many milliseconds local time is ahead of UTC. */
function offsetOf(text: string | undefined): number {
  if (text === undefined || text === 'Z') return 0;
  const size = (Number(text.slice(1, 3)) * 60 + Number(text.slice(4, 6))) * MINUTE_MS;
  return text.startsWith('-') ? -size : size;
}
