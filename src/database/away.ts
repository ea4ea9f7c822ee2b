// Recognizes errors that mean the database is away or busy. A later try may succeed.

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
/** MariaDB's "Connection was killed". mysql2 has no name for this number. */
const CONNECTION_KILLED = 1927;
const BUSY = new Set(['ER_LOCK_WAIT_TIMEOUT', 'ER_LOCK_DEADLOCK']);

export function isAway(error: unknown): boolean {
  const { code, errno, name, fatal, message, syscall } = (error ?? {}) as {
    code?: string;
    errno?: number;
    name?: string;
    fatal?: boolean;
    message?: string;
    syscall?: string;
  };
  if (name === 'KnexTimeoutError' || message === 'aborted') return true;
  // Only the missing socket file means that the server is away.
  if (code === 'ENOENT') return syscall === 'connect';
  return (
    fatal === true ||
    errno === CONNECTION_KILLED ||
    AWAY.has(code ?? '') ||
    /connection is in closed state|Connection lost/.test(message ?? '')
  );
}

export const isBusy = (error: unknown): boolean =>
  BUSY.has(String((error as { code?: unknown } | undefined)?.code));
