// Writes many rows in one statement. They get IDs one after the other, in their order, so that records can
// refer to each other before anything is read back.
import type { Stored } from './field.ts';
import type { Session } from './session.ts';

/**
 * Inserts rows, each with the values of `columns` in their order, and answers their IDs. The statement has to fit
 * the server's max_allowed_packet, 16 MiB at least.
 */
export async function insertMany(
  session: Session,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly Stored[])[],
): Promise<number[]> {
  if (rows.length === 0) return [];
  const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES ?`;
  const { insertId } = await session.runMany(sql, rows);
  const step = await idStep(session);
  return rows.map((_, index) => insertId + index * step);
}

/** How far apart the IDs of one statement's rows are: 1, or more where several servers write one database. */
async function idStep(session: Session): Promise<number> {
  const [settings] = await session.rows('SELECT @@auto_increment_increment AS step', []);
  return Number(settings?.step);
}
