// What a failed start or command prints about an error.
import { userInfo } from 'node:os';
import { isFull } from '../platform/database/away.ts';
import { isStorageAway } from '../platform/storage/store.ts';
import { isDiskFull } from '../platform/storage/whole-file.ts';

/**
 * Without the statement of an error of the database: knex puts it before the words of the server, and a statement of a
 * migration has 2,000 characters.
 */
export function errorLine(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const {
    message,
    sqlMessage = message,
    code,
    path,
  } = error as NodeJS.ErrnoException & { sqlMessage?: string };
  if (isFull(error)) return `The disk of the database is full: ${sqlMessage}`;
  if (isStorageAway(error) && error.cause instanceof Error)
    return `${message}: ${error.cause.message || error.cause.name}`;
  // An installed command line runs as the user of the service, and root may not know that.
  if (code === 'EACCES' && path !== undefined)
    return `The user ${userInfo().username} has no right to this file or folder: ${message}`;
  return isDiskFull(error) ? `The disk is full: ${message}` : sqlMessage;
}
