// Recognizes errors that mean the database is away or busy, and repeats work that failed so: a later try may succeed.
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { INT4_MAX } from '../../core/model/fields/int4.ts';
import { isConflict } from '../../core/model/statements/retried.ts';

// Codes of mysql2 and of the server for a missing connection.
const AWAY = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'PROTOCOL_CONNECTION_LOST',
  'ER_SERVER_SHUTDOWN',
  'ER_CON_COUNT_ERROR',
  'ER_QUERY_INTERRUPTED',
]);
/**
 * MariaDB's "Connection was killed", which mysql2 has no name for; "WSREP has not yet prepared node for application
 * use", of a node without its cluster; and a commit that such a node could not finish.
 */
const AWAY_NUMBERS = new Set([1927, 1047, 1180]);
/**
 * The server takes no writes: it runs with `read_only`, `super_read_only` or `innodb_read_only`, or is in offline mode
 * (three numbers). 3098 and 3100: a statement or a commit met a member of a MySQL group that leaves the group or has
 * lost the majority. (The text of 3098 blames the table: the server says the same of a table without a primary key, and
 * we have none.) The rest: such a member was not ready for a transaction.
 */
const NO_WRITES = new Set([
  1290, 1836, 3032, 6400, 6401, 3098, 3100, 3781, 3782, 3783, 3796, 3797, 3798, 3799,
]);
/**
 * A statement took longer than the time limit of its connection: of MariaDB, and of MySQL. 3699: MySQL gave up looking
 * for a regular expression in a text.
 */
const TOO_SLOW = new Set([1969, 3024, 3699]);
/** The server's disk or a table's space is full: two numbers of both servers, and one of MySQL. */
const FULL = new Set([1021, 1114, 3675]);
/** A file or a table can't be made, written or renamed; any error of the storage engine. The text has the cause. */
const WITH_CAUSE = new Set([3, 1004, 1005, 1025, 1026, 1030]);
/** No space left on the device, the quota is used up, InnoDB has no more space. */
const CAUSED_BY_FULL = /\b(?:error|errno|errcode):? (?:28|122|135)\b/i;
const OUT_OF_IDS = new Set([167, 1467]);

const AWAY_NAMES = new Set(['KnexTimeoutError', 'PoolTimeout', 'SharesTimeout']);

/** The fields of errors of Node, mysql2 and knex. */
function partsOf(error: unknown) {
  const parts = (error ?? {}) as Partial<NodeJS.ErrnoException> & { fatal?: boolean };
  const { code = '', errno = 0, name = '', message = '', fatal, syscall } = parts;
  return { code, errno, name, message, fatal, syscall };
}

export function isAway(error: unknown): boolean {
  const { code, errno, name, fatal, message, syscall } = partsOf(error);
  if (AWAY_NAMES.has(name) || message === 'aborted') return true;
  // The file of the socket is gone. Other missing files have other causes.
  if (code === 'ENOENT') return syscall === 'connect';
  return (
    fatal === true ||
    AWAY_NUMBERS.has(errno) ||
    refusesWrites(error) ||
    AWAY.has(code) ||
    /connection is in closed state|Connection lost/.test(message)
  );
}

/**
 * Whether a transaction that failed may be committed: the connection was lost, perhaps while the server did the commit.
 * A transaction that waited for a connection in vain has not begun.
 */
export const mayBeCommitted = (error: unknown): boolean =>
  isAway(error) && !AWAY_NAMES.has(partsOf(error).name);

/** Whether the server answers and takes no writes, so that its connections must not be used again. */
export function refusesWrites(error: unknown): boolean {
  const { errno, name } = partsOf(error);
  return NO_WRITES.has(errno) || name === 'NoServer';
}

export const isBusy = (error: unknown): boolean =>
  isConflict(error) || partsOf(error).code === 'ER_MAX_PREPARED_STMT_COUNT_REACHED';

/** Also if the owner's other queries took too long. */
export function isTooSlow(error: unknown): boolean {
  const { errno, name } = partsOf(error);
  return TOO_SLOW.has(errno) || name === 'SharesTimeout';
}

export function isFull(error: unknown): boolean {
  const { errno, message } = partsOf(error);
  return FULL.has(errno) || (WITH_CAUSE.has(errno) && CAUSED_BY_FULL.test(message));
}

const LAST_ID = new RegExp(String.raw`'(\d+-)?${INT4_MAX}' for key '(\w+\.)?(PRIMARY|\w+__id)'`);

/**
 * A table has given its last ID, so no record can be added; the disk has space. MySQL reports the last ID a second
 * time.
 */
export function isOutOfIds(error: unknown): boolean {
  const { errno, message } = partsOf(error);
  return OUT_OF_IDS.has(errno) || LAST_ID.test(message);
}

const PAUSE_MS = 1_000;

export interface RetryOptions {
  readonly log: Logger;
  /** Ends the retries: the next failure is thrown. */
  readonly draining: AbortSignal;
}

/** Runs `work` until it succeeds, or fails for another reason than the database. A short outage loses no result. */
export async function retryWhileAway<T>({ log, draining }: RetryOptions, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (draining.aborted || !(isAway(error) || isBusy(error))) throw error;
      log.warn({ err: error }, 'waiting for the database');
      await pause(PAUSE_MS, undefined, { signal: draining }).catch(() => {});
    }
  }
}
