// Which columns have an index of their own, beside the owner's: read from the database once, for the lists that it
// answers well only when it is told.
import type { Session } from './session.ts';

const names = new Map<string, string>();

export async function learnIndexes(session: Session): Promise<void> {
  const rows = await session.rows(
    'SELECT table_name AS of_table, index_name AS name, GROUP_CONCAT(column_name ORDER BY seq_in_index) AS columns_in ' +
      'FROM information_schema.statistics WHERE table_schema = DATABASE() GROUP BY table_name, index_name',
    [],
  );
  for (const { of_table, name, columns_in } of rows) {
    const [owner, column, ...more] = String(columns_in).split(',');
    if (owner === 'owner_id' && column && more.length === 0) names.set(`${of_table}.${column}`, String(name));
  }
}

/** The name of the index of the owner and this column; undefined where there is none. */
export const indexOf = (table: string, column: string): string | undefined => names.get(`${table}.${column}`);
