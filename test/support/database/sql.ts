// Reads and changes the database by SQL, for things that the API can't do. For tests only.
import type { Row, Stored } from '../../../src/core/model/fields/field.ts';
import type { Session, Written } from '../../../src/core/model/statements/session.ts';

/** The rows of a SELECT. */
export async function select(session: Session, sql: string, values: readonly Stored[] = []): Promise<Row[]> {
  const [rows] = (await session.knex.raw(sql, values as Stored[])) as unknown as [Row[]];
  return rows;
}

/** Runs an INSERT, UPDATE or DELETE. */
export async function execute(
  session: Session,
  sql: string,
  values: readonly Stored[] = [],
): Promise<Written> {
  const [written] = (await session.knex.raw(sql, values as Stored[])) as unknown as [Written];
  return written;
}
