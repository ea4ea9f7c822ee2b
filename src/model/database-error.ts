// The errors of the database. Objection wraps some of them in errors of its own, which have no `code`, so code that
// looks at an error asks here.
import { DBError } from 'objection';

/** The error as the driver gave it. */
export const driverError = (error: unknown): unknown =>
  error instanceof DBError ? error.nativeError : error;

/** Its code, such as `ER_DUP_ENTRY`; undefined: it is no error of the driver or the system. */
export function errorCode(error: unknown): string | undefined {
  const { code } = (driverError(error) ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}
