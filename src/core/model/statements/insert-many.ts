// Writes many rows in one statement, by the name of the table: Objection does so on PostgreSQL only. The rows get
// consecutive IDs in their order, so records can refer to each other before anything is read back.
import type { Row } from '../fields/field.ts';
import { AUTO_INCREMENT_STEP } from './fragment.ts';
import type { Session } from './session.ts';

const ROWS_A_STATEMENT = 500;

/**
 * Inserts rows that all have the same columns and returns their IDs. The statement must fit into the server's
 * max_allowed_packet, 16 MiB at least.
 */
export async function insertMany(session: Session, table: string, rows: readonly Row[]): Promise<number[]> {
  if (rows.length === 0) return [];
  const [first = 0] = await session.knex(table).insert(rows);
  if (rows.length === 1) return [first];
  const step = await idStep(session);
  return rows.map((_, index) => first + index * step);
}

/** What becomes of a row whose key the table has. */
type IfKnown = 'refuse' | 'keep' | 'replace';

/** Inserts any number of rows, whose IDs nobody needs. */
export async function insertInPortions(
  session: Session,
  table: string,
  rows: readonly object[],
  ifKnown: IfKnown = 'refuse',
): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_A_STATEMENT) {
    const insert = session.knex(table).insert(rows.slice(from, from + ROWS_A_STATEMENT));
    if (ifKnown === 'keep') await insert.onConflict().ignore();
    else if (ifKnown === 'replace') await insert.onConflict().merge();
    else await insert;
  }
}

/** How far apart the IDs of one statement's rows are: 1, or more if several servers write to one database. */
async function idStep(session: Session): Promise<number> {
  const [settings] = await session.knex.select(session.knex.raw(AUTO_INCREMENT_STEP));
  return Number(settings?.step);
}
