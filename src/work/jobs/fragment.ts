// Pieces of SQL for jobs, each by name. Columns and values are bound.
import { type Raw, type RawBuilder, raw } from 'objection';

/** Now, or nothing if that column is empty. */
export const nowUnlessEmpty = (column: string): Raw =>
  raw('IF(?? IS NULL, NULL, UTC_TIMESTAMP(3))', [column]);

export const minusOne = (column: string): Raw => raw('?? - 1', [column]);

/** An instant that has passed; null if it lies ahead, because the clock has gone back since it was noted. */
export const unlessAhead = (column: string): Raw =>
  raw('IF(?? > UTC_TIMESTAMP(3), NULL, ??)', [column, column]);

/**
 * The rank of a job among those that call the same receiver of the same owner, from 1; jobs that are being called
 * come first. The receiver is host and port, as the address has them behind `https://`.
 */
export const callTurn = (isFreeNow: RawBuilder): RawBuilder =>
  raw(
    "ROW_NUMBER() OVER (PARTITION BY owner_id, SUBSTRING_INDEX(SUBSTRING_INDEX(SUBSTRING(webhook_url, 9), '/', 1), ?, 1) " +
      'ORDER BY ?, callback_at, id)',
    ['?', isFreeNow],
  );

/**
 * The turn of a job among those of its owner, from 1, by the columns of a sub-query: jobs that are being called, then
 * the first job of each receiver.
 */
export const ownerTurn = (): RawBuilder =>
  raw('ROW_NUMBER() OVER (PARTITION BY owner_id ORDER BY is_free, of_receiver, callback_at, id)');
