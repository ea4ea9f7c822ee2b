// The cursor of the feed: the place of the last change that was seen, and when the cursor was given. An opaque text
// that belongs to one owner.
import { createHash } from 'node:crypto';
import { problem } from '../../core/errors.ts';
import { findCursor, writeCursor } from '../../core/model/lists/cursor.ts';
import { DAY_MS } from '../../core/trade/time/duration.ts';

/** A cursor behind that place. A client that has seen all changes up to the place continues with it. */
export const writeFeedCursor = (owner: number, place: number, at = Date.now()): string =>
  writeCursor(feedOf(owner), [place, at]);

export interface FeedCursor {
  readonly place: number;
  /** When the cursor was given, in milliseconds since 1970. */
  readonly at: number;
}

/** Throws Problem: 400 if the text is no cursor of this owner's feed. */
export function readFeedCursor(owner: number, text: string): FeedCursor {
  const values = findCursor(feedOf(owner), text, (parts) => parts.length === 2 && parts.every(isCount));
  if (!values)
    throw problem('parameter_invalid', { field: 'after', reason: 'value is not a cursor of this feed' });
  const [place, at] = values.map(Number) as [number, number];
  return { place, at };
}

/** Whether the cursor is older than `days`, by the clock of this process. */
export const isOldCursor = ({ at }: FeedCursor, days: number): boolean => at < Date.now() - days * DAY_MS;

const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;

const feedOf = (owner: number) =>
  createHash('sha1').update(`${owner}\nchanges`).digest('base64url').slice(0, 8);
